import type { ComponentChild } from 'preact';
import type { FleetDocument } from '../../../fleet/document.ts';
import { durationText, heartbeatAge, parseTime, rentalDuration } from '../../../fleet/freshness.ts';
import {
  type PhoneEntry,
  phoneState,
  TABLE_COLUMNS,
  type TableColumn,
  tagNames,
  tagsText,
  tunnelWord,
} from '../../../fleet/phones.ts';
import { PROBLEM_WORDS, RENTAL_TONES, statusText, type Tone } from '../../../fleet/words.ts';
import { say } from '../../../text/say.ts';
import { basisOf, Instant, Link, Name, type Shown } from './parts.tsx';
import { linkTo } from './view.ts';

/** The content of a column for a phone: a line, and a smaller one below it. */
type Lines = readonly [main: ComponentChild, small?: ComponentChild];

/** The columns of the table, which are also the facts about a single phone. */
export const COLUMNS: Readonly<Record<TableColumn, (entry: PhoneEntry, shown: Shown) => Lines>> = {
  phone: ({ phone, name, key }) => [
    <Link key={key} href={linkTo({ phone: key })} name="open" text={name} />,
    name === phone.id ? undefined : phone.id,
  ],
  account: ({ phone }) => [phone.account],
  problem: ({ phone: { problem, absent } }) => [
    problem === undefined ? absent || '–' : badge(PROBLEM_WORDS[problem].title, PROBLEM_WORDS[problem].tone),
    absent && badge(say('page-missing'), 'info'),
  ],
  rental: rentalLines,
  marketplace: ({ phone }) => [statusText(phone.marketplaceStatus)],
  heartbeat: heartbeatLines,
  tunnel: ({ phone: { tunnel } }) => {
    const word = tunnel && tunnelWord(tunnel);
    return [word === undefined ? '–' : badge(statusText(word), word === 'up' ? 'good' : 'bad')];
  },
  rotation: ({ phone: { rotationStatus, rotationIntervalSeconds: seconds } }) => [
    statusText(rotationStatus),
    seconds === undefined ? undefined : say('page-every', { interval: durationText(seconds) }),
  ],
  setup: ({ phone }) => [statusText(phone.setupStatus)],
  model: ({ phone: { brand, model, appVersion } }) => [
    <Name key="model">{model || '–'}</Name>,
    <Name key="app">{[brand, appVersion].filter(Boolean).join(' · ')}</Name>,
  ],
  tags: ({ phone }) => [<Name key="tags">{tagsText(phone) || '–'}</Name>],
};

/** Lists the columns that a fleet needs. */
export function columnsOf({ accounts, exporter }: FleetDocument): readonly TableColumn[] {
  return TABLE_COLUMNS.filter(
    (column) =>
      (column !== 'account' || accounts.length > 1) && (column !== 'tags' || tagNames(exporter).length > 0),
  );
}

export function badge(text: string, tone: Tone | undefined) {
  return (
    <span class="badge" data-tone={tone}>
      {text}
    </span>
  );
}

/** The status, its duration and its start. */
function rentalLines({ phone }: PhoneEntry, shown: Shown): Lines {
  const { rentalStatus = '', rentalStatusSince } = phone;
  const status = badge(statusText(phone.rentalStatus), RENTAL_TONES[rentalStatus]);
  if (rentalStatusSince === undefined) return [status];
  const duration = `${rentalDuration(phone, basisOf(shown, phone.account).asOf)} · `;
  const prefix = phone.rentalStatusBeginSeen ? duration : `${say('page-since-before')} `;
  return [status, [prefix, <Instant key="since" at={rentalStatusSince} shown={shown} />]];
}

/** The age and time of the heartbeat. A stale age is shown with the time it is from instead. */
function heartbeatLines({ phone }: PhoneEntry, shown: Shown): Lines {
  const { lastHeartbeatAt, heartbeatAgeSeconds, offlineAfterReason, offlineAfterSeconds } = phone;
  const at = parseTime(lastHeartbeatAt);
  if (at === undefined || heartbeatAgeSeconds === undefined) return [say('page-no-data')];
  const basis = basisOf(shown, phone.account);
  const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
  const duration = durationText(heartbeatAge(heartbeatAgeSeconds, basis));
  const limit =
    offlineAfterReason === undefined
      ? ''
      : ` · ${say('page-limit', { duration: durationText(offlineAfterSeconds) })}`;
  return [
    <span key="age" data-tone={phoneState(phone) === 'offline' ? 'warn' : undefined}>
      {moves ? say('page-ago', { duration }) : duration}
    </span>,
    `${moves ? shown.time(at) : say('page-at-time', { time: shown.time(basis.asOf) })}${limit}`,
  ];
}
