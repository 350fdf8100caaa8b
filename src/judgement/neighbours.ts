import type { NamedAccount } from '../model/account.ts';
import { isSetUp } from '../model/device.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { Judgement } from '../model/problem.ts';
import { NONE, valueReader } from './cause-votes.ts';
import { dueSeconds } from './silence.ts';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

/*
 * May a common cause be about to show itself? Phones that fail together cross their silence limits one after the other. So
 * who asks about one that is silent looks at those beside it: are several of them late as well?
 */

/** Minimum number of late neighbours, and their share. Beats get lost everywhere, and a late phone or two prove nothing. */
const MIN_LATE = 2;
const MIN_LATE_SHARE = 0.25;

/** A device that is silent for longer than this multiple of its limit did not fail with those that fall silent now. */
const RECENT = 2;

/** Minimum number of neighbours in the same group; with fewer, those of other groups are looked at too. */
const MIN_BESIDE = 3;

/** What neighbours share, beside their group. */
const KINDS = ['group', 'model', 'app_version', 'tunnel_host'] as const;

/** Numbers of devices in use, and of those that are late or silent. */
type Cell = { inUse: number; late: number };

/** A device that has not reported for longer than it does in a whole day, and not for long. */
export type LateDevice = { readonly id: string; readonly lastHeartbeatAt: number };

/** Lists the devices that are late, silent or not, without those that are silent for long. */
export function* lateDevices({ devices }: Fleet, { problems }: Judgement): Steps<readonly LateDevice[]> {
  const late: LateDevice[] = [];
  let looked = 0;
  for (const [id, entry] of devices) {
    looked += 1;
    if (looked % DEVICES_PER_YIELD === 0) yield;
    if (problems.get(id)?.problem === 'in_maintenance') continue;
    const { lastHeartbeatAt } = entry.device;
    if (lastHeartbeatAt !== undefined && isInUse(entry) && isLate(entry)) late.push({ id, lastHeartbeatAt });
  }
  return late;
}

/**
 * Returns those of some silent devices whose neighbours are late as well: the devices in their group that share it, a
 * model, a version or a host with them; without a group, all devices that do.
 */
export function* withLateNeighbours(
  named: NamedAccount,
  ids: readonly string[],
  late: readonly LateDevice[],
): Steps<ReadonlySet<string>> {
  const found = new Set<string>();
  const { fleet } = named.account;
  // Most polls find a device or two, of which no other is late.
  if (fleet === undefined || ids.length === 0 || late.length <= MIN_LATE) return found;
  const readValue = valueReader([named]);
  const lateIds = new Set(late.map(({ id }) => id));
  const keysOf = (entry: FleetDevice, isBeside: boolean): readonly string[] =>
    KINDS.flatMap((kind) => {
      const value = readValue(kind, { account: named.name, id: entry.device.id, entry });
      return value === NONE ? [] : [JSON.stringify([isBeside ? entry.group : NONE, kind, value])];
    });
  const cells = new Map<string, Cell>();
  const entries = ids.flatMap((id) => fleet.devices.get(id) ?? []);
  for (const entry of entries)
    for (const key of [...keysOf(entry, true), ...keysOf(entry, false)])
      cells.set(key, { inUse: 0, late: 0 });
  const groups = new Set(entries.map(({ group }) => group));
  let looked = 0;
  for (const [id, entry] of fleet.devices) {
    looked += 1;
    if (looked % DEVICES_PER_YIELD === 0) yield;
    if (!isInUse(entry)) continue;
    const beside = groups.has(entry.group) ? keysOf(entry, true) : [];
    for (const key of new Set([...beside, ...keysOf(entry, false)])) {
      const cell = cells.get(key);
      if (cell === undefined) continue;
      cell.inUse += 1;
      if (lateIds.has(id)) cell.late += 1;
    }
  }
  for (const entry of entries) {
    const beside = cells.get(JSON.stringify([entry.group, 'group', entry.group]));
    const isBeside = (beside?.inUse ?? 0) > MIN_BESIDE;
    if (keysOf(entry, isBeside).some((key) => areLate(cells.get(key)))) found.add(entry.device.id);
  }
  return found;
}

/** Tells whether several of the others are late; the device itself is one of the cell. */
function areLate(cell: Cell | undefined): boolean {
  if (cell === undefined) return false;
  const late = cell.late - 1;
  return late >= MIN_LATE && late >= MIN_LATE_SHARE * (cell.inUse - 1);
}

function isInUse({ device, heartbeatAgeSeconds }: FleetDevice): boolean {
  return heartbeatAgeSeconds !== undefined && isSetUp(device.setupStatus);
}

function isLate({
  heartbeatAgeSeconds = 0,
  outageSeconds,
  rhythm,
  silenceLimitSeconds,
}: FleetDevice): boolean {
  const age = heartbeatAgeSeconds - outageSeconds;
  return age > dueSeconds(rhythm) && age <= RECENT * silenceLimitSeconds;
}
