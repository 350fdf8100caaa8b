import type { EndedIncident, Incident } from './incident.ts';

/** A change between two polls. */
export type FleetEvent = DeviceEvent | IncidentEvent;

/** Instants of our own clock, in milliseconds since 1970: the poll of the device list before, and the one that showed it. */
type BetweenPolls = {
  readonly account: string;
  readonly previousPollAt: number | undefined;
  readonly pollAt: number | undefined;
};

export type DeviceEvent = BetweenPolls & {
  readonly event: 'rental begun' | 'rental ended' | 'device joined';
  readonly deviceId: string;
  readonly label: string;
  readonly group: string;
  /** States before and after. */
  readonly from: string;
  readonly to: string;
};

export type IncidentEvent = BetweenPolls &
  (
    | { readonly event: 'incident opened'; readonly incident: Incident }
    | { readonly event: 'incident ended'; readonly incident: EndedIncident }
  );
