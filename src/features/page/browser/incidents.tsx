import type { FleetIncident } from '../../../fleet/document.ts';
import { durationText, type InstantFormat, parseTime } from '../../../fleet/freshness.ts';
import { countText, incidentTitle, numberText, statusText } from '../../../fleet/words.ts';
import { Fold, Instant, Link, Name, type Shown } from './parts.tsx';
import { linkTo } from './view.ts';
import { EVENTS, WORDS } from './words.ts';

/** Maximum number of items that a list shows; the JSON has all. */
const NAMED = 100;

/** Incidents and removed phones of the last 24 hours, and the last rentals. */
export function Activity({ shown }: { readonly shown: Shown }) {
  const { left, incidents, events } = shown.fleet;
  const { now, format } = shown;
  const rentals = events.filter(({ id }) => id !== undefined);
  const lists: readonly List[] = [
    {
      id: 'alerts',
      title: WORDS.alerts,
      note: incidents.length === 0 ? WORDS.alertsNone : WORDS.alertsNote,
      count: incidents.length,
      lines: () =>
        incidents.slice(0, NAMED).map((incident) => ({
          at: incident.openedAt,
          what: incidentTitle(incident),
          phone: incident.phone === undefined ? undefined : { ...incident, id: incident.phone },
          name: subjectOf(incident),
          fact: `${incident.account}, ${incidentState(incident, now, format)}`,
        })),
    },
    {
      id: 'left',
      title: WORDS.left,
      note: WORDS.leftNote,
      count: left.length,
      lines: () =>
        left.slice(0, NAMED).map(({ id, label, lastListedAt, wasOffline }) => ({
          at: lastListedAt,
          name: label.trim() || id,
          fact: WORDS.was(wasOffline),
        })),
    },
    {
      id: 'events',
      title: WORDS.events,
      count: rentals.length,
      lines: () =>
        rentals.slice(0, NAMED).map(({ event, account, id = '', label, from, to, pollAt }) => ({
          at: pollAt,
          what: EVENTS[event] ?? event,
          phone: { account, id, label },
          fact: `${statusText(from)} → ${statusText(to)}`,
        })),
    },
  ];
  return (
    <>
      {lists.map(
        (list) =>
          (list.count > 0 || list.id === 'alerts') && (
            <Fold key={list.id} id={list.id} title={list.title} count={numberText(list.count)}>
              <Lines list={list} shown={shown} />
            </Fold>
          ),
      )}
    </>
  );
}

function Lines({ list: { note, count, lines }, shown }: { readonly list: List; readonly shown: Shown }) {
  return (
    <>
      {note !== undefined && <p>{note}</p>}
      <ul class="lines">
        {lines().map((line, index) => lineItem(line, index, shown))}
        {count > NAMED && <li>{WORDS.more(count - NAMED, `(JSON)`)}</li>}
      </ul>
    </>
  );
}

/** A line about a phone, with a link, or about something else. */
type Line = {
  readonly at: string | undefined;
  readonly what?: string;
  readonly phone?:
    | { readonly account: string; readonly id: string; readonly label?: string | undefined }
    | undefined;
  readonly name?: string;
  readonly fact: string;
};

type List = {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  /** A list without items is left out, except for alerts. */
  readonly count: number;
  /** Returns the first lines. It is slow, so only an open list calls it. */
  readonly lines: () => readonly Line[];
};

function lineItem({ at, what, phone, name = '', fact }: Line, index: number, shown: Shown) {
  return (
    <li key={index}>
      <Instant at={at} shown={shown} />
      {what !== undefined && <span>{what}</span>}
      {phone === undefined ? (
        <Name>{name}</Name>
      ) : (
        <Link
          href={linkTo({ phone: `${phone.account}/${phone.id}` })}
          text={phone.label?.trim() || phone.id}
        />
      )}
      <span class="fact">{fact}</span>
    </li>
  );
}

/** Names the subject of an incident of several phones or of an account. */
function subjectOf({ problem, account, kind, value, phones, notifiedPhones }: FleetIncident): string {
  if (kind !== undefined) return `${value ?? ''} (${statusText(kind)})`;
  if (phones !== undefined) return countText(notifiedPhones ?? phones, 'phone', 'phones');
  return problem === 'api_degraded' ? statusText(value) : account;
}

/** Says since when an incident is open, or how and after which time it was resolved. */
function incidentState(
  { since, endedAt, reasonText }: FleetIncident,
  now: number,
  format: InstantFormat,
): string {
  const [start, end] = [parseTime(since), parseTime(endedAt)];
  if (start === undefined) return '';
  if (end === undefined || reasonText === undefined) return `since ${format.brief(start, now)}`;
  return `${reasonText} after ${durationText((end - start) / 1000)}`;
}
