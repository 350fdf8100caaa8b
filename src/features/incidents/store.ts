import * as z from 'zod';
import { HangingFile } from '../../base/disk.ts';
import type { Steps } from '../../base/steps.ts';
import { dateAt, midnightOf } from '../../base/time-zone.ts';
import type { FeatureContext } from '../../daemon/feature.ts';
import { type FleetIncident, incidentOf } from '../../fleet/document.ts';
import type { Account, NamedAccount } from '../../model/account.ts';
import { addTo } from '../../model/enums.ts';
import type { EndedIncident, Incident } from '../../model/incident.ts';
import { parseJson } from '../../model/text.ts';
import { SECOND } from '../../model/time.ts';
import { datedFiles, datedWriter } from '../../state/dated-files.ts';
import { LOGGED_INCIDENT } from './document.ts';
import { acknowledgementOf, factsOf, type IncidentFacts, LOGBOOK, type Note } from './memory.ts';

/*
 * The incident files: one per local month, with a line for each resolved incident. Lines are appended. The account keeps a
 * resolved incident for a day, so a crash loses none, and incidents that a crash wrote twice are read once.
 */

/** An incident, and the ids of its phones. */
export type KeptIncident = { readonly incident: FleetIncident; readonly devices: readonly string[] };

/** An incident that begins again with the same heartbeat has the id of the resolved one, and continues it. */
function identityOf({ account, id }: Pick<FleetIncident, 'account' | 'id'>): string {
  return `${account} ${id}`;
}

/** Adds what the logbook knows about an incident. */
export function withFacts(account: Account, incident: FleetIncident): FleetIncident {
  const facts = factsOf(account, incident.id);
  const acknowledged = acknowledgementOf(facts, Date.parse(incident.openedAt ?? ''));
  const { isEscalated, notes, soldMilliseconds, cents, currency } = facts;
  return {
    ...incident,
    ...(acknowledged && { acknowledgedAt: instantText(acknowledged.at), acknowledgedBy: acknowledged.by }),
    ...(isEscalated && incident.endedAt === undefined && { escalated: isEscalated }),
    ...(soldMilliseconds > 0 && { soldOfflineSeconds: Math.round(soldMilliseconds / SECOND) }),
    ...(cents > 0 && { estimatedCents: Math.round(cents), ...(currency !== undefined && { currency }) }),
    ...(notes.length > 0 && { notes: notesOf(notes) }),
  };
}

/** Returns notes as in the JSON. */
export function notesOf(notes: readonly Note[]): NonNullable<FleetIncident['notes']> {
  return notes.map(({ text, by, at }) => ({ text, by, at: instantText(at) }));
}

const instantText = (at: number): string => new Date(at).toISOString();

/** Returns an account's incident as in the JSON, with the ids of its phones. */
function keptOf({ name, account }: NamedAccount, incident: Incident | EndedIncident): KeptIncident {
  const { deviceId, members } = incident;
  const devices = deviceId === '' ? [...members.keys()] : [deviceId];
  return { incident: withFacts(account, incidentOf(name, incident, account.fleet)), devices };
}

/** Merges the accounts' incidents, which are newer, into the map of incidents from the files. */
export function* mergeIncidents(
  files: Map<string, KeptIncident> | undefined,
  accounts: readonly NamedAccount[],
): Steps<readonly KeptIncident[]> {
  const merged = files ?? new Map<string, KeptIncident>();
  for (const each of accounts) {
    const { open, ended } = each.account.incidents;
    for (const incident of [...unwrittenOf(each.account), ...ended, ...open]) {
      const key = identityOf({ account: each.name, id: incident.id });
      merged.set(key, withEarlierEnd(keptOf(each, incident), merged.get(key)));
      yield;
    }
  }
  return [...merged.values()];
}

/**
 * Returns an incident with the end that a file already has, and the notes of both. After an older state file is restored, the
 * account ends it once more.
 */
function withEarlierEnd(own: KeptIncident, file: KeptIncident | undefined): KeptIncident {
  const { openedAt, endedAt = '9', notes = [] } = own.incident;
  if (file === undefined || file.incident.openedAt !== openedAt || (file.incident.endedAt ?? '9') >= endedAt)
    return own;
  const { notes: ofFile = [] } = file.incident;
  const added = notes.filter(({ at }) => ofFile.every((each) => each.at !== at));
  const all = [...ofFile, ...added];
  return { ...file, incident: { ...file.incident, ...(all.length > 0 && { notes: all }) } };
}

function unwrittenOf(account: Account): readonly EndedIncident[] {
  return LOGBOOK.of(account).unwritten ?? [];
}

type KeeperOptions = {
  readonly directory: string;
  readonly keep: number;
  readonly accounts: () => readonly NamedAccount[];
} & Pick<
  FeatureContext,
  'timeZone' | 'disk' | 'clock' | 'log' | 'yieldToEventLoop' | 'reportFiles' | 'observe' | 'now'
>;

export type IncidentKeeper = {
  /** Writes the resolved incidents whose current state is in no file. Never rejects. */
  readonly run: () => Promise<void>;
  /** Reads all incidents, and writes again those that a change returns. Rejects if they cannot be read or written. */
  readonly rewrite: (change: (kept: KeptIncident) => readonly KeptIncident[]) => Promise<void>;
};

/** Creates the writer of the incident files. An incident that changes after its end is written again: its last line counts. */
export function createIncidentKeeper(options: KeeperOptions): IncidentKeeper {
  const { accounts, timeZone, yieldToEventLoop, reportFiles, observe, now } = options;
  const onAttempt = (problem: string | undefined): void => reportFiles('incident', problem);
  const files = datedWriter({ ...options, each: 'month', what: 'incident files', onAttempt });
  /** Facts about each resolved incident, as in its file. */
  const written = new WeakMap<EndedIncident, IncidentFacts>();
  /** Facts for each list of resolved incidents that has been written. */
  const complete = new WeakMap<readonly EndedIncident[], ReadonlyMap<string, IncidentFacts>>();
  const known = new Set<string>();
  const keyOf = ({ incident }: KeptIncident): string =>
    `${identityOf(incident)} ${incident.endedAt} ${JSON.stringify(incident.notes)}`;
  const monthOf = (endedAt: number): string => dateAt(timeZone(), endedAt).slice(0, 7);

  const append = async (month: string, own: readonly KeptIncident[]): Promise<void> => {
    // A failed write, such as on a full disk, may cut off the last line, so the next one reads the file again.
    const isKnown = known.delete(month);
    const text = isKnown ? '\n' : ((await files.read(month)) ?? '\n');
    const written = await linesIn(isKnown ? '' : text, yieldToEventLoop);
    const there = new Set(written.map(keyOf));
    const byIdentity = new Map(written.map((each) => [identityOf(each.incident), each]));
    const lines = own
      .map((each) => withEarlierEnd(each, byIdentity.get(identityOf(each.incident))))
      .filter((each) => !there.has(keyOf(each)))
      .map((each) => `${JSON.stringify(each)}\n`);
    // A crash may have cut off the last line.
    if (lines.length > 0) await files.append(month, `${text.endsWith('\n') ? '' : '\n'}${lines.join('')}`);
    known.add(month);
  };
  /** Replaces the lines of an incident, so that a removed note is in no file. */
  const replaceLines = async (kept: KeptIncident): Promise<void> => {
    const month = monthOf(Date.parse(kept.incident.endedAt ?? ''));
    const key = identityOf(kept.incident);
    const lines: string[] = [];
    for (const [index, line] of ((await files.read(month)) ?? '').split('\n').entries()) {
      if (index % LINES_PER_YIELD === 0) await yieldToEventLoop();
      const { data } = KEPT_INCIDENT.safeParse(parseJson(line));
      if (line !== '' && (data === undefined || identityOf(data.incident) !== key)) lines.push(`${line}\n`);
    }
    known.delete(month);
    await files.replace(month, [...lines, `${JSON.stringify(kept)}\n`]);
  };
  /** Writes an account's incidents whose current state is in no file. */
  const writeAccount = async (own: NamedAccount): Promise<void> => {
    const { ended } = own.account.incidents;
    const { incidents: facts } = LOGBOOK.of(own.account);
    const unwritten = unwrittenOf(own.account);
    if (complete.get(ended) === facts && unwritten.length === 0) return;
    const months = new Map<string, EndedIncident[]>();
    for (const incident of new Set([...unwritten, ...ended])) {
      const before = written.get(incident);
      const now = factsOf(own.account, incident.id);
      if (before === now) continue;
      if (before?.notes.some((note) => !now.notes.includes(note))) {
        await replaceLines(keptOf(own, incident));
        written.set(incident, now);
        continue;
      }
      const month = monthOf(incident.endedAt);
      addTo(months, month, incident);
    }
    for (const [month, incidents] of months) {
      const all: KeptIncident[] = [];
      for (const incident of incidents) {
        if (all.length % LINES_PER_YIELD === 0) await yieldToEventLoop();
        all.push(keptOf(own, incident));
      }
      await append(month, all);
      for (const incident of incidents) written.set(incident, factsOf(own.account, incident.id));
    }
    complete.set(ended, facts);
    if (unwritten.length > 0) await observe(own.name, LOGBOOK.observation({ unwritten: [] }));
  };
  /** Lets the state file keep what is in no incident file, since the account forgets it after a day. */
  const keepUnwritten = async ({ name, account }: NamedAccount): Promise<void> => {
    const before = unwrittenOf(account);
    const added = account.incidents.ended.filter((each) => !written.has(each) && !before.includes(each));
    if (added.length > 0) await observe(name, LOGBOOK.observation({ unwritten: [...before, ...added] }));
  };
  let hasBegun = false;
  const run = async (): Promise<void> => {
    const isDone = await files.attempt(async () => {
      if (!hasBegun && (await files.dates()).length === 0)
        await files.append(monthOf(now()), beginLine(now()));
      hasBegun = true;
      for (const own of accounts()) await writeAccount(own);
    });
    if (!isDone) for (const own of accounts()) await keepUnwritten(own);
  };
  // Replacing a file would lose anything appended in the meantime, and two notes on an incident would each leave out the other.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return own;
  };
  return {
    run: () => inTurn(run),
    rewrite: (change) =>
      inTurn(async () => {
        const all = await readIncidents(options.directory, 0, options);
        for (const changed of [...all.values()].flatMap(change)) await replaceLines(changed);
      }),
  };
}

/** The first line in a folder says since when incidents have been kept there. */
const BEGIN = z.object({ keptSince: z.iso.datetime().transform(Date.parse) });

const beginLine = (at: number): string => `${JSON.stringify({ keptSince: instantText(Math.round(at)) })}\n`;

/**
 * Returns a function that returns since when the files in a folder have been complete, in milliseconds since 1970; undefined
 * without files.
 */
export function createKeptSince(
  directory: string,
  { timeZone, disk }: Pick<FeatureContext, 'timeZone' | 'disk'>,
): () => Promise<number | undefined> {
  const files = datedFiles(directory, 'month', disk);
  let known: { readonly month: string; readonly since: number } | undefined;
  return async () => {
    for (const month of await files.dates()) {
      if (known?.month === month) return known.since;
      // If a file cannot be read, its month is left out.
      const text = await files.read(month).catch(() => undefined);
      if (text === undefined) continue;
      const begin = BEGIN.safeParse(parseJson(text.split('\n', 1)[0] ?? '')).data;
      known = { month, since: begin?.keptSince ?? midnightOf(timeZone(), `${month}-01`) };
      return known.since;
    }
    return undefined;
  };
}

/** Maximum number of characters that a response reads: about 200,000 incidents. More would not fit into memory. */
const MAX_READ = 96 * 1024 * 1024;

/** There are more incidents than fit into one response. */
export class TooManyIncidents extends Error {}

/** A line of a file. Other fields are left out. */
const KEPT_INCIDENT = z.object({ incident: LOGGED_INCIDENT, devices: z.array(z.string()) });

/** Number of incidents between two yields to the event loop. */
const LINES_PER_YIELD = 500;

/** Parses the incidents in a file. Lines that are damaged or from another program are left out. */
async function linesIn(
  text: string,
  yieldToEventLoop: () => Promise<void>,
): Promise<readonly KeptIncident[]> {
  const found: KeptIncident[] = [];
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const [index, each] of lines.entries()) {
    if (index % LINES_PER_YIELD === 0) await yieldToEventLoop();
    const line = KEPT_INCIDENT.safeParse(parseJson(each)).data;
    const { endedAt = '', since = endedAt, openedAt = endedAt } = line?.incident ?? {};
    // Comparisons with text that is not an instant are false.
    if (line !== undefined && Date.parse(since) <= Date.parse(endedAt) && Date.parse(openedAt) > 0)
      found.push(line);
  }
  return found;
}

/**
 * Reads the incidents that have ended since an instant, by identity. Files that cannot be read are left out.
 *
 * @throws the error of the folder, or a TooManyIncidents
 */
export async function readIncidents(
  directory: string,
  from: number,
  context: Pick<FeatureContext, 'timeZone' | 'disk' | 'log' | 'yieldToEventLoop'>,
): Promise<Map<string, KeptIncident>> {
  const { timeZone, disk, log, yieldToEventLoop } = context;
  const files = datedFiles(directory, 'month', disk);
  const found = new Map<string, KeptIncident>();
  let length = 0;
  const first = dateAt(timeZone(), from).slice(0, 7);
  for (const month of (await files.dates()).filter((each) => each >= first)) {
    const text = await files.read(month).catch((error: unknown) => {
      if (error instanceof HangingFile) throw error;
      const path = files.pathOf(month);
      log.warn({ path, error }, 'an incident file cannot be read: its month is left out');
      return '';
    });
    length += text?.length ?? 0;
    if (length > MAX_READ) throw new TooManyIncidents();
    for (const each of await linesIn(text ?? '', yieldToEventLoop))
      if (Date.parse(each.incident.endedAt ?? '') >= from) found.set(identityOf(each.incident), each);
  }
  return found;
}
