import type { ComponentChild } from 'preact';
import type { FleetDocument } from '../../../fleet/document.ts';
import { durationText, heartbeatAge, parseTime, rentalDuration } from '../../../fleet/freshness.ts';
import {
  type PhoneEntry,
  TABLE_COLUMNS,
  type TableColumn,
  tagsText,
  tunnelWord,
} from '../../../fleet/phones.ts';
import {
  offlineAfterText,
  PROBLEM_WORDS,
  RENTAL_TONES,
  statusText,
  type Tone,
} from '../../../fleet/words.ts';
import { isMuted } from '../../../model/problem.ts';
import { basisOf, Instant, Link, Name, type Shown } from './parts.tsx';
import { phoneFragment } from './view.ts';

/** What a column shows of a phone: a line, and a small one below it. */
type Lines = readonly [main: ComponentChild, small?: ComponentChild];

type Column = {
  readonly title: string;
  readonly linesOf: (entry: PhoneEntry, shown: Shown) => Lines;
};

/** The columns of the table, which are the facts of a single phone too. */
export const COLUMNS: Readonly<Record<TableColumn, Column>> = {
  phone: {
    title: 'Phone',
    linesOf: ({ phone, name, key }) => [
      <Link key={key} href={phoneFragment(key)} name="open" text={name} />,
      name === phone.id ? undefined : phone.id,
    ],
  },
  account: { title: 'Account', linesOf: ({ phone }) => [phone.account] },
  problem: {
    title: 'Needs attention',
    linesOf: ({ phone: { problem, absent } }) => [
      problem === undefined
        ? absent || '–'
        : badge(PROBLEM_WORDS[problem].title, PROBLEM_WORDS[problem].tone),
      absent && badge('Off the list', 'info'),
    ],
  },
  rental: { title: 'Rental', linesOf: rentalLines },
  marketplace: { title: 'Market', linesOf: ({ phone }) => [statusText(phone.marketplaceStatus)] },
  heartbeat: { title: 'Last heartbeat', linesOf: heartbeatLines },
  tunnel: {
    title: 'Tunnel',
    linesOf: ({ phone: { tunnel } }) => {
      const word = tunnel && tunnelWord(tunnel);
      return [word === undefined ? '–' : badge(statusText(word), word === 'up' ? 'good' : 'bad')];
    },
  },
  rotation: {
    title: 'Rotation',
    linesOf: ({ phone: { rotationStatus, rotationIntervalSeconds: seconds } }) => [
      statusText(rotationStatus),
      seconds === undefined ? undefined : `every ${durationText(seconds)}`,
    ],
  },
  setup: { title: 'Setup', linesOf: ({ phone }) => [statusText(phone.setupStatus)] },
  model: {
    title: 'Model',
    linesOf: ({ phone: { brand, model, appVersion } }) => [
      <Name key="model">{model || '–'}</Name>,
      <Name key="app">{[brand, appVersion].filter(Boolean).join(' · ')}</Name>,
    ],
  },
  tags: { title: 'Tags', linesOf: ({ phone }) => [<Name key="tags">{tagsText(phone) || '–'}</Name>] },
};

/** The columns that tell phones of a fleet apart. */
export function columnsOf({ accounts, exporter }: FleetDocument): readonly TableColumn[] {
  return TABLE_COLUMNS.filter(
    (column) =>
      (column !== 'account' || accounts.length > 1) && (column !== 'tags' || exporter.tags !== undefined),
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
  const duration = rentalDuration(phone, basisOf(shown, phone.account).asOf);
  return [status, [`${duration} · `, <Instant key="since" at={rentalStatusSince} shown={shown} />]];
}

/** The age and the instant of the heartbeat; for an age that stands still, the instant it is valid for. */
function heartbeatLines({ phone }: PhoneEntry, shown: Shown): Lines {
  const { lastHeartbeatAt, heartbeatAgeSeconds, problem, online, offlineAfterReason, offlineAfterSeconds } =
    phone;
  const at = parseTime(lastHeartbeatAt);
  if (at === undefined || heartbeatAgeSeconds === undefined) return ['unknown'];
  const { now, format } = shown;
  const basis = basisOf(shown, phone.account);
  const isOffline = !online && problem !== 'not_set_up' && !isMuted(problem);
  const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
  const duration = durationText(heartbeatAge(heartbeatAgeSeconds, basis));
  const limit = offlineAfterReason === undefined ? '' : ` · limit ${durationText(offlineAfterSeconds)}`;
  return [
    <span
      key="age"
      data-tone={isOffline ? 'warn' : undefined}
      title={offlineAfterReason && offlineAfterText(offlineAfterReason, offlineAfterSeconds)}
    >
      {moves ? `${duration} ago` : duration}
    </span>,
    `${moves ? format.brief(at, now) : `as of ${format.brief(basis.asOf, now)}`}${limit}`,
  ];
}
