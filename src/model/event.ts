import type { CauseKind } from './cause.ts';

/** Something that happened between two polls. */
export type FleetEvent = DeviceEvent | CauseEvent;

/** Instants of our own clock, in milliseconds since 1970: the poll before, and the poll that showed it. */
type BetweenPolls = { readonly previousPollAt: number | undefined; readonly pollAt: number | undefined };

export type DeviceEvent = BetweenPolls & {
  readonly event:
    | 'rental begun'
    | 'rental ended'
    | 'device silent'
    | 'device back'
    | 'device joined'
    | 'device left'
    | 'tunnel lost'
    | 'tunnel back';
  readonly account: string;
  readonly deviceId: string;
  readonly label: string;
  readonly group: string;
  /** States before and after. */
  readonly from: string;
  readonly to: string;
};

/** A common cause, told once in place of all its devices. */
export type CauseEvent = BetweenPolls & {
  readonly event: 'common cause begun' | 'common cause ended';
  readonly kind: CauseKind;
  /** As outputs show it. */
  readonly value: string;
  /** Number of devices that it explains, or did. */
  readonly devices: number;
};
