import type {
  FleetCause,
  FleetDocument,
  FleetDocumentEvent,
  FleetIncident,
  FleetLeftPhone,
} from '../fleet/document.ts';
import { durationText, type InstantFormat, parseTime } from '../fleet/freshness.ts';
import { causeTarget } from '../fleet/maintenance.ts';
import { causeProof, causeTitle, countText, incidentTitle, numberText, statusText } from '../fleet/words.ts';
import { byId, element, isolated, replaceContent, setText } from './dom.ts';
import type { WorkButton } from './maintenance.ts';
import { DEFAULT_VIEW, fragmentOf, phoneFragment } from './view.ts';

/** Items of a list that are shown; the JSON has all. */
const NAMED = 100;

/** Shows the common causes above everything else. */
export function showCauses(
  { causes, phones }: FleetDocument,
  now: number,
  format: InstantFormat,
  work: WorkButton,
): void {
  replaceContent(
    byId('causes'),
    ...causes.map((cause) =>
      causeNotice(
        cause,
        now,
        format,
        work(() => causeTarget(cause, phones)),
      ),
    ),
  );
}

function causeNotice(
  cause: FleetCause,
  now: number,
  format: InstantFormat,
  work: readonly HTMLElement[],
): HTMLElement {
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
    ' ',
    ...work,
  );
}

/** Shows the phones that left the list within a day, what was told, and the last rentals. */
export function showHistory(
  { left, incidents, events }: FleetDocument,
  now: number,
  format: InstantFormat,
): void {
  showList('left', left, (phone) => leftItem(phone, now, format));
  showList('told', incidents, (incident) => incidentItem(incident, now, format));
  showList('events', events.filter(isOfPhone), (event) => eventItem(event, now, format));
}

/** Shows a list, if it is not empty. */
function showList<Item>(name: string, items: readonly Item[], itemOf: (item: Item) => HTMLElement): void {
  byId(`${name}-section`).hidden = items.length === 0;
  setText(byId(`${name}-count`), numberText(items.length));
  const rest = items.length - NAMED;
  replaceContent(
    byId(name),
    ...items.slice(0, NAMED).map(itemOf),
    ...(rest > 0 ? [element('li', {}, `and ${numberText(rest)} more, in the JSON`)] : []),
  );
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

function incidentItem(incident: FleetIncident, now: number, format: InstantFormat): HTMLElement {
  const { since, phone, label = '', account } = incident;
  return element(
    'li',
    {},
    instantOf(incident.openedAt, now, format),
    element('span', {}, incidentTitle(incident)),
    phone === undefined
      ? element('span', {}, isolated(subjectOf(incident)))
      : phoneLink(account, phone, label),
    element(
      'span',
      { class: 'fact' },
      `${account}, ${incidentState(incident, parseTime(since), now, format)}`,
    ),
  );
}

/** Names what an incident of several phones, or of an account, is about. */
function subjectOf({ problem, account, kind, value, phones, toldPhones }: FleetIncident): string {
  if (kind !== undefined) return `${value ?? ''} (${statusText(kind)})`;
  if (phones !== undefined) return countText(toldPhones ?? phones, 'phone', 'phones');
  return problem === 'api_degraded' ? statusText(value) : account;
}

/** Says since when an incident lasts, or how it ended and after how long. */
export function incidentState(
  { endedAt, reasonText }: FleetIncident,
  since: number | undefined,
  now: number,
  format: InstantFormat,
): string {
  const end = parseTime(endedAt);
  if (since === undefined) return '';
  if (end === undefined || reasonText === undefined) return `since ${format.brief(since, now)}`;
  return `${reasonText} after ${durationText((end - since) / 1000)}`;
}

function isOfPhone({ id }: FleetDocumentEvent): boolean {
  return id !== undefined;
}

function eventItem(event: FleetDocumentEvent, now: number, format: InstantFormat): HTMLElement {
  const { id = '', label = '', from, to } = event;
  return element(
    'li',
    {},
    instantOf(event.pollAt, now, format),
    element('span', {}, event.event),
    phoneLink(event.account, id, label),
    element('span', { class: 'fact' }, `${statusText(from)} → ${statusText(to)}`),
  );
}

function phoneLink(account: string, id: string, label: string): HTMLElement {
  return element('a', { href: phoneFragment(`${account}/${id}`) }, isolated(label.trim() || id));
}

function instantOf(text: string | undefined, now: number, format: InstantFormat): HTMLElement {
  const instant = parseTime(text);
  return element('time', { datetime: text }, instant === undefined ? '–' : format.brief(instant, now));
}
