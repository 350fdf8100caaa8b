import type {
  FleetCause,
  FleetDocument,
  FleetDocumentEvent,
  FleetLeftPhone,
} from '../http/fleet-document.ts';
import { byId, element, isolated, replaceContent, setText } from './dom.ts';
import { type InstantFormat, parseTime } from './freshness.ts';
import { DEFAULT_VIEW, fragmentOf } from './view.ts';
import { causeProof, causeTitle, countText, numberText, statusText } from './words.ts';

/** Phones that left and that are named; the JSON has all. */
const NAMED_LEFT = 50;

/** Shows the common causes above everything else. */
export function showCauses(causes: readonly FleetCause[], now: number, format: InstantFormat): void {
  replaceContent(byId('causes'), ...causes.map((cause) => causeNotice(cause, now, format)));
}

function causeNotice(cause: FleetCause, now: number, format: InstantFormat): HTMLElement {
  const since = parseTime(cause.since);
  return element(
    'p',
    { class: 'notice', 'data-tone': 'bad' },
    element('strong', {}, causeTitle(cause, since === undefined ? '' : format.brief(since, now))),
    ' ',
    element('span', {}, `${causeProof(cause)} `),
    element(
      'a',
      { href: fragmentOf({ ...DEFAULT_VIEW, cause: cause.id }) },
      `Show ${countText(cause.phones, 'phone', 'phones')}`,
    ),
  );
}

/** Shows the phones that left the list within a day, and the last events. */
export function showHistory({ left, events }: FleetDocument, now: number, format: InstantFormat): void {
  byId('left-section').hidden = left.length === 0;
  setText(byId('left-count'), numberText(left.length));
  const rest = left.length - NAMED_LEFT;
  replaceContent(
    byId('left'),
    ...left.slice(0, NAMED_LEFT).map((phone) => leftItem(phone, now, format)),
    ...(rest > 0 ? [element('li', {}, `and ${numberText(rest)} more, in the JSON`)] : []),
  );
  byId('events-section').hidden = events.length === 0;
  setText(byId('events-count'), numberText(events.length));
  replaceContent(byId('events'), ...events.map((event) => eventItem(event, now, format)));
}

function leftItem(phone: FleetLeftPhone, now: number, format: InstantFormat): HTMLElement {
  const { label, id, lastListedAt, wasSilent } = phone;
  return element(
    'li',
    {},
    instantOf(lastListedAt, now, format),
    element('span', {}, isolated(label.trim() || id)),
    element('span', { class: 'fact' }, wasSilent ? 'was silent' : 'was reporting'),
  );
}

function eventItem(event: FleetDocumentEvent, now: number, format: InstantFormat): HTMLElement {
  const { id, label = '', kind, value = '', phones = 0, from, to } = event;
  const what = element('span', {}, event.event);
  const at = instantOf(event.pollAt, now, format);
  if (id === undefined) {
    const subject = element('span', {}, isolated(value), ` (${statusText(kind)})`);
    return element(
      'li',
      {},
      at,
      what,
      subject,
      element('span', { class: 'fact' }, countText(phones, 'phone', 'phones')),
    );
  }
  const href = fragmentOf({ ...DEFAULT_VIEW, query: id });
  return element(
    'li',
    {},
    at,
    what,
    element('a', { href }, isolated(label.trim() || id)),
    element('span', { class: 'fact' }, `${statusText(from)} → ${statusText(to)}`),
  );
}

function instantOf(text: string | undefined, now: number, format: InstantFormat): HTMLElement {
  const instant = parseTime(text);
  return element('time', { datetime: text }, instant === undefined ? '–' : format.brief(instant, now));
}
