import type { FleetAccount, FleetDocument, FleetIncident } from '../../../src/fleet/document.ts';
import { type FleetView, timeIn } from '../../../src/fleet/trust.ts';
import { account, NOON, phone } from './phone.ts';

type Totals = NonNullable<FleetAccount['totals']>;

/** Numbers of phones. Only the named ones have problems. */
export function totals(own: Partial<Totals> = {}, problems: Partial<Totals['problems']> = {}): Totals {
  return {
    ...{ phones: 4, online: 4, offline: 0, sold: 3, selfRented: 0, idle: 1, listed: 4 },
    ...own,
    problems: { ...zeros, ...problems },
  };
}

const zeros: Totals['problems'] = {
  ...{ sold_offline: 0, self_rented_offline: 0, tunnel_missing: 0, tunnel_down: 0, tunnel_without_login: 0 },
  ...{ offline: 0, heartbeat_unreadable: 0, rotation_stopped: 0, not_set_up: 0, not_listed: 0 },
  ...{ idle_too_long: 0, given_up: 0, in_maintenance: 0 },
};

/** A fleet of four phones with which nothing is wrong. */
export function fleet(own: Partial<FleetDocument> = {}): FleetDocument {
  return {
    version: 1,
    exporter: {
      version: '1.2.3',
      pollSeconds: { devices: 30, tunnels: 30, balance: 60 },
      allowsChanges: true,
      timeZone: 'Europe/Kyiv',
      grafanaUrl: undefined,
    },
    accounts: [accountOf()],
    phones: [1, 2, 3, 4].map((slot) => phone({ id: `p${slot}`, label: `rack-01/slot-0${slot}` })),
    ...{ observed: [], causes: [], maintenance: [], incidents: [], left: [], events: [] },
    ...own,
  };
}

export function accountOf(own: Partial<FleetAccount> = {}): FleetAccount {
  return account({
    currency: 'EUR',
    totals: totals(),
    balance: { availableCents: 125_000, pendingCents: 9_573, totalCents: 134_573 },
    ...own,
  });
}

export function incident(own: Partial<FleetIncident> = {}): FleetIncident {
  return {
    id: 'i1',
    account: 'main',
    problem: 'sold_offline',
    alert: 'HosterSoldPhoneOffline',
    severity: 'critical',
    phone: 'p1',
    label: 'rack-01/slot-01',
    group: 'rack-01',
    since: '2026-03-01T11:38:00.000Z',
    openedAt: '2026-03-01T11:42:00.000Z',
    ...own,
  };
}

/** The fleet 20 s after a poll at noon, for an owner in Kyiv. */
export function view(own: Partial<FleetDocument> = {}, now = NOON + 20_000): FleetView {
  return { fleet: fleet(own), now, time: timeIn('Europe/Kyiv', now) };
}
