import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { HangingFile } from '../../base/disk.ts';
import { isMissing, readOptional } from '../../base/files.ts';
import { dateAt } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { incidentOf } from '../../fleet/build.ts';
import { FLEET_INCIDENT, type FleetIncident } from '../../fleet/document.ts';
import type { Account, NamedAccount } from '../../model/account.ts';
import { parseJson } from '../../model/text.ts';
import { SECOND } from '../../model/time.ts';
import { adviceFor } from '../../state/keeper.ts';
import { acknowledgementOf, factsOf, type Note } from './memory.ts';

/*
 * The incident files: one for each local month, with a line for each resolved incident. Lines are appended. The account keeps
 * a resolved incident for a day, so a crash loses none, and what a crash wrote twice is read once.
 */

/** An incident, and the ids of its phones. */
export type KeptIncident = { readonly incident: FleetIncident; readonly devices: readonly string[] };

const FILE = /^(\d{4}-\d\d)\.jsonl$/;

/** Maximum size of a file, for more than 100,000 incidents. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Time after which writing counts as hanging, in milliseconds. */
const WRITE_MILLISECONDS = 30 * SECOND;

/** An incident that begins again with the same heartbeat has the id of the resolved one, and continues it. */
function identityOf({ account, id }: FleetIncident): string {
  return `${account} ${id}`;
}

/** Adds what the logbook knows of an incident. */
export function withFacts(account: Account, incident: FleetIncident): FleetIncident {
  const facts = factsOf(account, incident.id);
  const acknowledged = acknowledgementOf(facts, Date.parse(incident.openedAt ?? ''));
  const { isEscalated, notes, soldMilliseconds, cents } = facts;
  return {
    ...incident,
    ...(acknowledged && { acknowledgedAt: instantText(acknowledged.at), acknowledgedBy: acknowledged.by }),
    ...(isEscalated && incident.endedAt === undefined && { escalated: isEscalated }),
    ...(soldMilliseconds > 0 && { soldOfflineSeconds: Math.round(soldMilliseconds / SECOND) }),
    ...(cents > 0 && { estimatedCents: Math.round(cents) }),
    ...(notes.length > 0 && { notes: notesOf(notes) }),
  };
}

/** Returns notes as the JSON has them. */
export function notesOf(notes: readonly Note[]): NonNullable<FleetIncident['notes']> {
  return notes.map(({ text, by, at }) => ({ text, by, at: instantText(at) }));
}

const instantText = (at: number): string => new Date(at).toISOString();

/** Lists the incidents of accounts: the resolved ones of the last day, then the open ones. */
function* incidentsIn(accounts: readonly NamedAccount[]): Generator<KeptIncident> {
  for (const { name, account } of accounts) {
    const { open: opened, ended } = account.incidents;
    for (const incident of [...ended, ...opened]) {
      const { deviceId, members } = incident;
      const devices = deviceId === '' ? [...members.keys()] : [deviceId];
      yield { incident: withFacts(account, incidentOf(name, incident)), devices };
    }
  }
}

/** Merges incidents of the files with those that the accounts have, which are newer. */
export function mergeIncidents(
  files: ReadonlyMap<string, KeptIncident> | undefined,
  accounts: readonly NamedAccount[],
): readonly KeptIncident[] {
  const merged = new Map(files);
  for (const each of incidentsIn(accounts)) merged.set(identityOf(each.incident), each);
  return [...merged.values()];
}

type KeeperOptions = {
  readonly directory: string;
  /** Number of months to keep. */
  readonly keep: number;
  readonly accounts: () => readonly NamedAccount[];
} & Pick<FeatureContext, 'timeZone' | 'disk' | 'log'>;

export type IncidentKeeper = {
  /** Writes the resolved incidents that no file has as they are now. Never rejects. */
  readonly run: () => Promise<void>;
  /** Writes a resolved incident again. Rejects if it cannot be written. */
  readonly rewrite: (kept: KeptIncident) => Promise<void>;
};

/** Creates the writer of the incident files. An incident that changes after its end is written again: its last line counts. */
export function createIncidentKeeper(options: KeeperOptions): IncidentKeeper {
  const { directory, keep, accounts, timeZone, disk, log } = options;
  /** Resolved incidents in a file, with their end. */
  let written = new Set<string>();
  const known = new Set<string>();
  let failing = false;
  const keyOf = ({ incident }: KeptIncident): string =>
    `${identityOf(incident)} ${incident.endedAt} ${JSON.stringify(incident.notes?.at(-1))}`;
  const monthOf = ({ incident: { endedAt = '' } }: KeptIncident): string =>
    dateAt(timeZone(), Date.parse(endedAt)).slice(0, 7);

  const append = async (month: string, own: readonly KeptIncident[]): Promise<void> => {
    // A write that fails, as on a full disk, may cut the last line: the next one reads the file again.
    const isKnown = known.delete(month);
    const path = join(directory, `${month}.jsonl`);
    await mkdir(directory, { recursive: true });
    const text = isKnown ? '\n' : ((await readOptional(path, MAX_BYTES)) ?? '\n');
    if (!isKnown) for (const each of linesIn(text)) written.add(keyOf(each));
    const lines = own.filter((each) => !written.has(keyOf(each))).map((each) => `${JSON.stringify(each)}\n`);
    if (lines.length > 0) {
      const file = await open(path, 'a', 0o640);
      // A crash may have cut the last line.
      await writeWhole(file, `${text.endsWith('\n') ? '' : '\n'}${lines.join('')}`);
      await removeOldest(directory, month, keep);
    }
    known.add(month);
  };
  const write = async (month: string, own: readonly KeptIncident[]): Promise<void> =>
    await disk.use(directory, () => append(month, own), WRITE_MILLISECONDS);
  const run = async (): Promise<void> => {
    const ended = [...incidentsIn(accounts())].filter(({ incident }) => incident.endedAt !== undefined);
    const months = new Map<string, KeptIncident[]>();
    for (const each of ended.filter((one) => !written.has(keyOf(one)))) {
      const month = monthOf(each);
      months.set(month, [...(months.get(month) ?? []), each]);
    }
    try {
      for (const [month, own] of months) {
        await write(month, own);
        for (const each of own) written.add(keyOf(each));
      }
      const keys = new Set(ended.map(keyOf));
      written = new Set([...written].filter((key) => keys.has(key)));
      if (failing) log.info({ directory }, 'the incident files are written again');
      failing = false;
    } catch (error) {
      if (!failing)
        log.error({ directory, error }, `the incident files cannot be written: ${adviceFor(error)}`);
      failing = true;
    }
  };
  return { run, rewrite: async (kept) => await write(monthOf(kept), [kept]) };
}

async function writeWhole(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Removes the oldest months. A file of a month to come, as a clock that was wrong leaves it, does not count. */
async function removeOldest(directory: string, present: string, keep: number): Promise<void> {
  const past = (await monthsIn(directory)).filter((month) => month <= present);
  for (const month of past.slice(0, -keep)) await rm(join(directory, `${month}.jsonl`), { force: true });
}

/** Lists the months that have a file, in their order. */
async function monthsIn(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.flatMap((name) => FILE.exec(name)?.[1] ?? []).toSorted();
}

/** A line of a file; other fields are left out. */
const KEPT_INCIDENT = z.object({ incident: FLEET_INCIDENT, devices: z.array(z.string()) });

/** Yields the incidents of a file. A line that is damaged or of another program is left out. */
function* linesIn(text: string): Generator<KeptIncident> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = KEPT_INCIDENT.safeParse(parseJson(text.slice(start, end))).data;
    const { endedAt = '', since = endedAt, openedAt = endedAt } = line?.incident ?? {};
    // Comparisons with a text that is no instant are false.
    if (line !== undefined && Date.parse(since) <= Date.parse(endedAt) && Date.parse(openedAt) > 0)
      yield line;
    start = end + 1;
  }
}

/** Number of lines between two yields to the event loop. */
const LINES_PER_YIELD = 500;

/**
 * Reads the incidents that ended since an instant, by their identity. A file that cannot be read is left out.
 *
 * @throws the error of the folder
 */
export async function readIncidents(
  directory: string,
  from: number,
  {
    timeZone,
    disk,
    log,
    yieldToEventLoop,
  }: Pick<FeatureContext, 'timeZone' | 'disk' | 'log' | 'yieldToEventLoop'>,
): Promise<Map<string, KeptIncident>> {
  const found = new Map<string, KeptIncident>();
  const first = dateAt(timeZone(), from).slice(0, 7);
  const months = await disk.use(directory, () => monthsIn(directory));
  for (const month of months.filter((each) => each >= first)) {
    const path = join(directory, `${month}.jsonl`);
    const text = await disk
      .use(directory, () => readOptional(path, MAX_BYTES))
      .catch((error: unknown) => {
        if (error instanceof HangingFile) throw error;
        log.warn({ path, error }, 'an incident file cannot be read: its month is left out');
        return undefined;
      });
    let lines = 0;
    for (const each of linesIn(text ?? '')) {
      lines += 1;
      if (lines % LINES_PER_YIELD === 0) await yieldToEventLoop();
      if (Date.parse(each.incident.endedAt ?? '') >= from) found.set(identityOf(each.incident), each);
    }
  }
  return found;
}
