import type {
  FleetCause,
  FleetDocument,
  FleetDocumentEvent,
  FleetIncident,
  FleetLeftPhone,
  FleetPhone,
} from '../http/fleet-document.ts';
import { byId, element, isolated, replaceContent, setText } from './dom.ts';
import { durationText, type InstantFormat, parseTime } from './freshness.ts';
import type { MaintenanceTarget } from './maintenance.ts';
import { DEFAULT_VIEW, fragmentOf } from './view.ts';
import { causeProof, causeTitle, countText, incidentTitle, numberText, statusText } from './words.ts';

/** Items of a list that are shown; the JSON has all. */
const NAMED = 100;

/** Makes a button that puts phones into maintenance, where that is allowed. */
type WorkButton = (target: () => MaintenanceTarget) => readonly HTMLElement[];

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
        work(() => targetOf(cause, phones)),
      ),
    ),
  );
}

/** Names the phones of a cause: all of a group or an account, else those that it explains. */
function targetOf({ id, kind, value }: FleetCause, phones: readonly FleetPhone[]): MaintenanceTarget {
  if (kind === 'group') return { title: value, scope: { groups: [value] } };
  if (kind === 'account') return { title: value, scope: { accounts: [value] } };
  const devices = phones.flatMap((phone) => (phone.cause === id ? [phone.id] : []));
  return { title: countText(devices.length, 'phone', 'phones'), scope: { devices } };
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
    phone === undefined ? element('span', {}, isolated(subjectOf(incident))) : phoneLink(phone, label),
    element('span', { class: 'fact' }, `${account}, ${stateOf(incident, parseTime(since), now, format)}`),
  );
}

/** Names what an incident of several phones, or of an account, is about. */
function subjectOf({ problem, account, kind, value, phones }: FleetIncident): string {
  if (kind !== undefined) return `${value ?? ''} (${statusText(kind)})`;
  if (phones !== undefined) return countText(Number(value ?? phones), 'phone', 'phones');
  return problem === 'api_degraded' ? statusText(value) : account;
}

/** Says since when an incident lasts, or how it ended and after how long. */
function stateOf(
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
    phoneLink(id, label),
    element('span', { class: 'fact' }, `${statusText(from)} → ${statusText(to)}`),
  );
}

function phoneLink(id: string, label: string): HTMLElement {
  return element('a', { href: fragmentOf({ ...DEFAULT_VIEW, query: id }) }, isolated(label.trim() || id));
}

function instantOf(text: string | undefined, now: number, format: InstantFormat): HTMLElement {
  const instant = parseTime(text);
  return element('time', { datetime: text }, instant === undefined ? '–' : format.brief(instant, now));
}
