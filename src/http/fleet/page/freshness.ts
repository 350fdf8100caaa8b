import type { FleetAccount, FleetDocument, FleetReading } from '../document.ts';
import { type Calendar, durationText, parseInstant } from './time.ts';
import { ACCESS_WORDS, countText, FAILURE_WORDS, STATE_WORDS, type Tone } from './words.ts';

/** How the page and the exporter stand. Instants are milliseconds since 1970 by the clock of the exporter. */
export type Contact = {
  /** When the exporter last answered. */
  readonly heardAt: number | undefined;
  /** Why it can't be reached now, as the end of "it …"; undefined while all is well. */
  readonly trouble: string | undefined;
  /** When that was first noticed. */
  readonly troubleSince: number | undefined;
};

/** How far what is shown can be trusted. */
export type Freshness = {
  readonly tone: Tone;
  readonly word: string;
  /** When the phones were last seen; that of the account whose are the oldest. */
  readonly seenAt: number | undefined;
  /** What somebody has to know who reads on. */
  readonly notices: readonly Notice[];
};

export type Notice = {
  readonly tone: 'info' | 'warn' | 'bad';
  readonly title: string;
  readonly text: string;
};

const SUBJECTS = { devices: 'Phones', tunnels: 'Tunnels', balance: 'Balance' } as const;

type Subject = keyof typeof SUBJECTS;

/** @param now by the clock of the exporter */
export function freshnessOf(
  document: FleetDocument | undefined,
  contact: Contact,
  now: number,
  calendar: Calendar,
): Freshness {
  const seen = seenAtOf(document);
  const notices = [
    ...troubleNotices(contact, now, calendar),
    ...accountNotices(document?.accounts ?? [], now, calendar),
    ...shardNotices(document?.shard),
  ];
  if (contact.trouble !== undefined)
    return { tone: 'bad', word: 'Exporter unreachable', seenAt: seen, notices };
  if (document === undefined) return { tone: 'wait', word: 'Loading', seenAt: undefined, notices };
  const all = document.accounts.map(({ readings: { devices } }) => devices);
  const readings = all.filter((reading) => !isFirstPoll(reading));
  if (readings.length === 0)
    return { tone: 'wait', word: 'First poll under way', seenAt: undefined, notices };
  const state = (['expired', 'held'] as const).find((one) =>
    readings.some((reading) => reading.state === one),
  );
  if (state === undefined) return { tone: 'good', word: STATE_WORDS.fresh, seenAt: seen, notices };
  const affected = readings.filter((reading) => reading.state !== 'fresh').length;
  const share = all.length === 1 ? '' : ` (${affected} of ${all.length} accounts)`;
  return {
    tone: state === 'held' ? 'warn' : 'bad',
    word: `${STATE_WORDS[state]}${share}`,
    seenAt: seen,
    notices,
  };
}

/** Nothing was learned, and nothing went wrong yet. */
export function isFirstPoll({ lastAttemptAt }: FleetReading): boolean {
  return lastAttemptAt === undefined;
}

function seenAtOf(document: FleetDocument | undefined): number | undefined {
  const instants = (document?.accounts ?? [])
    .map(({ readings }) => parseInstant(readings.devices.lastSuccessAt))
    .filter((instant) => instant !== undefined);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

function troubleNotices(contact: Contact, now: number, calendar: Calendar): readonly Notice[] {
  const { trouble, troubleSince, heardAt } = contact;
  if (trouble === undefined) return [];
  const since = troubleSince === undefined ? '' : ` since ${calendar.brief(troubleSince, now)}`;
  const shown =
    heardAt === undefined
      ? 'Nothing can be shown before it does.'
      : `What you see is what it said at ${calendar.brief(heardAt, now)}, ${durationText((now - heardAt) / 1000)} ago.`;
  return [
    {
      tone: 'bad',
      title: 'The exporter can’t be reached',
      text: `It ${trouble}${since}. ${shown} The page goes on trying.`,
    },
  ];
}

/** Nobody should take a part for the whole. */
function shardNotices(shard: FleetDocument['shard']): readonly Notice[] {
  if (shard === undefined) return [];
  const text = `This exporter is shard ${shard.index} of ${shard.total}, counted from 0, and shows its own phones alone.`;
  return [{ tone: 'info', title: 'A part of the fleet', text }];
}

/** One notice for all accounts that have the same to say. */
function accountNotices(
  accounts: readonly FleetAccount[],
  now: number,
  calendar: Calendar,
): readonly Notice[] {
  const groups = new Map<string, { readonly notice: Notice; readonly names: string[] }>();
  for (const account of accounts) {
    for (const notice of noticesOf(account, now, calendar)) {
      const key = `${notice.title}\n${notice.text}`;
      const group = groups.get(key) ?? { notice, names: [] };
      group.names.push(account.name);
      groups.set(key, group);
    }
  }
  return Array.from(groups.values(), ({ notice, names }) =>
    accounts.length === 1 ? notice : { ...notice, title: `${notice.title}: ${listText(names)}` },
  );
}

function noticesOf({ access, readings }: FleetAccount, now: number, calendar: Calendar): readonly Notice[] {
  const subjects: readonly Subject[] = ['devices', 'tunnels', 'balance'];
  const old = subjects.filter((subject) => isTrouble(readings[subject]));
  const notices = old
    // Where the phones can't be seen, the rest can't be either, as a rule; one sentence is enough.
    .filter((subject) => subject === 'devices' || !old.includes('devices'))
    .map((subject) => noticeOf(subject, readings[subject], now, calendar));
  if (access === undefined || access === 'granted') return notices;
  return [{ tone: 'bad', title: 'The key is refused', text: ACCESS_WORDS[access] }, ...notices];
}

function isTrouble(reading: FleetReading): boolean {
  return reading.state !== 'fresh' && !isFirstPoll(reading);
}

function noticeOf(subject: Subject, reading: FleetReading, now: number, calendar: Calendar): Notice {
  const { state, failure } = reading;
  const seenAt = parseInstant(reading.lastSuccessAt);
  const cause =
    failure === undefined ? 'No poll has ended since.' : `The last poll failed: ${FAILURE_WORDS[failure]}.`;
  const title = `${SUBJECTS[subject]} ${state === 'held' ? 'held' : 'expired'}`;
  if (seenAt === undefined) return { tone: 'bad', title, text: `Nothing is known yet. ${cause}` };
  const when = `${calendar.brief(seenAt, now)}, ${durationText((now - seenAt) / 1000)} ago`;
  if (state === 'held') {
    const text = `This is what was seen at ${when}, and all ages stand still there. ${cause}`;
    return { tone: 'warn', title, text };
  }
  const text = `The last good look was at ${when}: too old to be shown. ${cause}`;
  return { tone: 'bad', title, text };
}

const NAMES_SHOWN = 3;

function listText(names: readonly string[]): string {
  if (names.length <= NAMES_SHOWN) return names.join(', ');
  const rest = countText(names.length - NAMES_SHOWN, 'other', 'others');
  return `${names.slice(0, NAMES_SHOWN).join(', ')} and ${rest}`;
}
