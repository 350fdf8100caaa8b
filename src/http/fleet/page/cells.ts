import type { FleetPhone } from '../document.ts';
import { element, foreign, setAttribute, setText } from './element.ts';
import { type Entry, tunnelWord } from './phones.ts';
import { type Calendar, durationText, heartbeatAge, parseInstant, type Sight } from './time.ts';
import type { Column } from './view.ts';
import { FINDING_WORDS, statusText } from './words.ts';

/** What cells are told beside their phone. */
export type Occasion = {
  readonly sight: Sight;
  readonly now: number;
  readonly calendar: Calendar;
};

/** A cell of one phone, and how it goes with the time. */
export type Cell = { readonly cell: HTMLElement; readonly tick: (occasion: Occasion) => void };

export const COLUMN_TITLES: Readonly<Record<Column, string>> = {
  phone: 'Phone',
  account: 'Account',
  finding: 'Needs a hand',
  rental: 'Rental',
  marketplace: 'Market',
  heartbeat: 'Last heartbeat',
  tunnel: 'Tunnel',
  rotation: 'Rotation',
  setup: 'Setup',
  model: 'Model',
};

const STILL = (): void => {};

/** The cell of a phone in a column. */
export function cellOf(column: Column, entry: Entry): Cell {
  const { phone } = entry;
  switch (column) {
    case 'phone':
      return still(column, [foreign(entry.name)], entry.name === phone.id ? [] : [phone.id]);
    case 'account':
      return still(column, [phone.account]);
    case 'finding':
      return still(column, findingOf(phone));
    case 'rental':
      return rentalCell(phone);
    case 'marketplace':
      return still(column, [badge(statusText(phone.marketplaceStatus), phone.marketplaceStatus)]);
    case 'heartbeat':
      return heartbeatCell(phone);
    case 'tunnel':
      return still(column, tunnelOf(phone));
    case 'rotation':
      return still(column, [statusText(phone.rotationStatus)], intervalOf(phone));
    case 'setup':
      return still(column, [statusText(phone.setupStatus)]);
    case 'model':
      return still(
        column,
        [foreign(phone.model || '–')],
        [foreign([phone.brand, phone.appVersion].filter(Boolean).join(' · '))],
      );
  }
}

type Content = readonly (Node | string)[];

/** A cell that time does nothing to. */
function still(column: Column, main: Content, small: Content = []): Cell {
  return { cell: cell(column, main, small), tick: STILL };
}

function cell(column: Column, main: Content, small: Content): HTMLElement {
  const lines = [element('span', { class: 'main' }, ...main)];
  if (small.length > 0) lines.push(element('span', { class: 'small' }, ...small));
  return element('div', { role: 'gridcell', class: `cell cell-${column}` }, ...lines);
}

function badge(text: string, kind: string | undefined): HTMLElement {
  return element('span', { class: 'badge', 'data-kind': kind }, text);
}

function findingOf({ finding, absent }: FleetPhone): Content {
  const notes =
    absent === true ? [element('span', { class: 'flag', 'data-tone': 'info' }, 'Off the list')] : [];
  if (finding === undefined) return notes.length > 0 ? notes : [element('span', { class: 'none' }, '–')];
  const { title, tone } = FINDING_WORDS[finding];
  return [element('span', { class: 'flag', 'data-tone': tone }, title), ...notes];
}

function tunnelOf({ tunnel }: FleetPhone): Content {
  if (tunnel === undefined) return [element('span', { class: 'none' }, '–')];
  const word = tunnelWord(tunnel);
  return [badge(statusText(word), word === 'up' ? 'up' : 'down')];
}

function intervalOf({ rotationIntervalSeconds }: FleetPhone): Content {
  return rotationIntervalSeconds === undefined ? [] : [`every ${durationText(rotationIntervalSeconds)}`];
}

/** The status, how long it has lasted, and since when. */
function rentalCell({ rentalStatus, rentalStatusSince }: FleetPhone): Cell {
  const since = parseInstant(rentalStatusSince);
  const time = element('time', { datetime: rentalStatusSince });
  const made = cell(
    'rental',
    [badge(statusText(rentalStatus), rentalStatus)],
    since === undefined ? [] : [time],
  );
  if (since === undefined) return { cell: made, tick: STILL };
  return {
    cell: made,
    tick: ({ sight, now, calendar }) => {
      setText(time, `${durationText((sight.asOf - since) / 1000)} · ${calendar.brief(since, now)}`);
      setAttribute(time, 'title', `first seen so at ${calendar.full(since)}`);
    },
  };
}

/** How long ago, and when. Beside an age that stands still is the moment for which it is told. */
function heartbeatCell({ lastHeartbeatAt, heartbeatAgeSeconds, finding, online }: FleetPhone): Cell {
  const at = parseInstant(lastHeartbeatAt);
  if (at === undefined || heartbeatAgeSeconds === undefined)
    return still('heartbeat', [element('span', { class: 'none' }, 'unknown')]);
  const isSilent = online === false || finding === 'sold_silent' || finding === 'self_rented_silent';
  const age = element('span', { 'data-silent': String(isSilent) });
  const time = element('time', { datetime: lastHeartbeatAt });
  return {
    cell: cell('heartbeat', [age], [time]),
    tick: ({ sight, now, calendar }) => {
      const duration = durationText(heartbeatAge(heartbeatAgeSeconds, sight));
      const moves = sight.state === 'fresh' || sight.seenAt === undefined;
      setText(age, moves ? `${duration} ago` : duration);
      setText(time, moves ? calendar.brief(at, now) : `as of ${calendar.brief(sight.asOf, now)}`);
      setAttribute(time, 'title', calendar.full(at));
    },
  };
}
