import type { EndedIncident, Incident } from './incident.ts';

/** A change between two polls. */
export type FleetEvent = DeviceEvent | IncidentEvent;

/** The last poll of the device list before the change, and the one that showed it, by our own clock. */
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
  /** The states before and after. */
  readonly from: string;
  readonly to: string;
};

export type IncidentEvent = BetweenPolls &
  (
    | { readonly event: 'incident opened'; readonly incident: Incident }
    | { readonly event: 'incident ended'; readonly incident: EndedIncident }
  );
