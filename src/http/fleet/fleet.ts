import {
  type FleetDevice,
  type Reading,
  shownData,
  type TunnelAnswer,
  type Tunnels,
} from '../../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../../model/snapshot.ts';
import { SLICE_STEPS, type SlicedWork } from '../../slices.ts';
import {
  FLEET_VERSION,
  type FleetAccount,
  type FleetDocument,
  type FleetExporter,
  type FleetPhone,
  type FleetReading,
  type FleetTotals,
  type FleetTunnel,
} from './document.ts';
import { type Finding, findingOf, isOnline } from './finding.ts';

/** A phone takes as long as so many of the steps that {@link SLICE_STEPS} counts. */
const STEPS_PER_PHONE = 4;

const NO_TUNNELS: Tunnels = new Map();

type Counts = { -readonly [Name in Exclude<keyof FleetTotals, 'findings'>]: FleetTotals[Name] } & {
  readonly findings: Record<Finding, number>;
};

/**
 * The fleet as `/api/v1/fleet` shows it: a function of the snapshot alone, as the exposition is. Ages are those of the
 * poll, so the document stays true for as long as the snapshot does, and its reader adds the time since.
 */
export function* fleetOf({ shard, accounts }: Snapshot, exporter: FleetExporter): SlicedWork<FleetDocument> {
  const phones: FleetPhone[] = [];
  const described: FleetAccount[] = [];
  for (const account of accounts) {
    const fleet = shownData(account.devices);
    const tunnels = shownData(account.tunnels) ?? NO_TUNNELS;
    const counts = noCounts();
    for (const entry of fleet?.devices ?? []) {
      const answer = tunnels.get(entry.device.id);
      const finding = findingOf(entry, answer, fleet?.apiTime ?? 0);
      count(counts, entry, finding);
      const absent = fleet?.absent.has(entry.device.id) === true ? true : undefined;
      phones.push({ account: account.name, ...phoneOf(entry, answer), finding, absent });
      if (phones.length % (SLICE_STEPS / STEPS_PER_PHONE) === 0) yield;
    }
    described.push(accountOf(account, fleet === undefined ? undefined : counts));
  }
  const part = shard === undefined || shard.total === 1 ? undefined : shard;
  return { version: FLEET_VERSION, exporter, shard: part, accounts: described, phones };
}

function accountOf(account: AccountSnapshot, totals: FleetTotals | undefined): FleetAccount {
  const { name, currency, access, devices, tunnels, balance } = account;
  return {
    name,
    currency,
    access,
    readings: {
      devices: readingOf(devices),
      tunnels: readingOf(tunnels),
      balance: readingOf(balance),
    },
    totals,
    balance: shownData(balance)?.balance,
  };
}

function readingOf({ state, lastSuccessAt, lastAttemptAt, failure }: Reading<unknown>): FleetReading {
  return { state, lastSuccessAt: instant(lastSuccessAt), lastAttemptAt: instant(lastAttemptAt), failure };
}

function phoneOf(
  entry: FleetDevice,
  answer: TunnelAnswer | undefined,
): Omit<FleetPhone, 'account' | 'finding' | 'absent'> {
  const { device, heartbeatAgeSeconds, rentalStatusSince } = entry;
  const { id, label, kind, state } = device;
  const interval = state.rotationIntervalMilliseconds;
  return {
    id,
    label,
    brand: kind.brand,
    model: kind.model,
    appVersion: kind.appVersion,
    rentalStatus: state.rentalStatus,
    rentalStatusSince: instant(rentalStatusSince),
    marketplaceStatus: state.marketplaceStatus,
    setupStatus: state.setupStatus,
    // An instant that nobody can use is none.
    lastHeartbeatAt: heartbeatAgeSeconds === undefined ? undefined : instant(device.lastHeartbeatAt),
    heartbeatAgeSeconds,
    online: isOnline(entry),
    selfRentStatus: state.selfRentStatus,
    rotationStatus: state.rotationStatus,
    rotationIntervalSeconds: interval === undefined ? undefined : interval / 1000,
    tunnel: answer === undefined ? undefined : tunnelOf(answer),
  };
}

/** Neither where the tunnel is nor anything of its logins: whoever opens the page need not know them. */
function tunnelOf({ tunnel }: TunnelAnswer): FleetTunnel {
  return { live: tunnel !== undefined, status: tunnel?.status, uptimeStatus: tunnel?.uptimeStatus };
}

function count(counts: Counts, entry: FleetDevice, finding: Finding | undefined): void {
  const { rentalStatus, marketplaceStatus } = entry.device.state;
  counts.phones += 1;
  if (isOnline(entry)) counts.online += 1;
  if (rentalStatus === 'sold') counts.sold += 1;
  if (rentalStatus === 'self_rented') counts.selfRented += 1;
  if (rentalStatus === 'idle') counts.idle += 1;
  if (marketplaceStatus === 'listed') counts.listed += 1;
  if (finding !== undefined) counts.findings[finding] += 1;
}

function noCounts(): Counts {
  const findings: Counts['findings'] = {
    sold_silent: 0,
    self_rented_silent: 0,
    tunnel_missing: 0,
    tunnel_down: 0,
    silent: 0,
    idle_too_long: 0,
    unlisted: 0,
    not_set_up: 0,
    given_up: 0,
  };
  return { phones: 0, online: 0, sold: 0, selfRented: 0, idle: 0, listed: 0, findings };
}

/** Years beyond 9999 and instants that are none have no such text; the wire lets neither in. */
function instant(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
