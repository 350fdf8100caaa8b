import type { ComponentChild } from 'preact';
import type { FleetIncident } from '../fleet/document.ts';
import { durationText, type InstantFormat, parseTime } from '../fleet/freshness.ts';
import { countText, incidentTitle, numberText, statusText } from '../fleet/words.ts';
import { Fold, Instant, Name, type Shown } from './parts.tsx';
import { phoneFragment } from './view.ts';

/** Items of a list that are shown; the JSON has all. */
const NAMED = 100;

/** The phones that left the list within a day, what was told, and the last rentals. */
export function Told({ shown }: { readonly shown: Shown }) {
  const { left, incidents, events } = shown.fleet;
  const { now, format } = shown;
  return (
    <>
      <List
        id="told"
        title="Told within a day"
        note="What alerts told, and how it ended."
        items={incidents}
        draw={(incident) => (
          <Line key={incident.id} at={incident.openedAt} shown={shown}>
            <span>{incidentTitle(incident)}</span>
            {incident.phone === undefined ? (
              <Name>{subjectOf(incident)}</Name>
            ) : (
              <PhoneLink {...incident} id={incident.phone} />
            )}
            <span class="fact">{`${incident.account}, ${incidentState(incident, now, format)}`}</span>
          </Line>
        )}
      />
      <List
        id="left"
        title="Left since yesterday"
        note="No longer in the device list: archived or lost, which the list does not say."
        items={left}
        draw={({ account, id, label, lastListedAt, wasSilent }) => (
          <Line key={`${account}/${id}`} at={lastListedAt} shown={shown}>
            <Name>{label.trim() || id}</Name>
            <span class="fact">{wasSilent ? 'was silent' : 'was reporting'}</span>
          </Line>
        )}
      />
      <List
        id="events"
        title="Rentals and new phones"
        items={events.filter(({ id }) => id !== undefined)}
        draw={({ event, account, id = '', label, from, to, pollAt }) => (
          <Line key={`${account}/${id} ${pollAt} ${event}`} at={pollAt} shown={shown}>
            <span>{event}</span>
            <PhoneLink account={account} id={id} label={label} />
            <span class="fact">{`${statusText(from)} → ${statusText(to)}`}</span>
          </Line>
        )}
      />
    </>
  );
}

type ListProps<Item> = {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly items: readonly Item[];
  readonly draw: (item: Item) => ComponentChild;
};

/** A list that is closed until somebody asks; nothing if it is empty. */
function List<Item>({ id, title, note, items, draw }: ListProps<Item>) {
  if (items.length === 0) return null;
  const rest = items.length - NAMED;
  return (
    <Fold id={`${id}-section`} title={title} count={numberText(items.length)}>
      {note !== undefined && <p>{note}</p>}
      <ul id={id} class="lines">
        {items.slice(0, NAMED).map(draw)}
        {rest > 0 && <li>{`and ${numberText(rest)} more, in the JSON`}</li>}
      </ul>
    </Fold>
  );
}

type LineProps = {
  readonly at: string | undefined;
  readonly shown: Shown;
  readonly children: ComponentChild;
};

function Line({ at, shown, children }: LineProps) {
  return (
    <li>
      <Instant at={at} shown={shown} />
      {children}
    </li>
  );
}

type PhoneLinkProps = {
  readonly account: string;
  readonly id: string;
  readonly label?: string | undefined;
};

function PhoneLink({ account, id, label = '' }: PhoneLinkProps) {
  return (
    <a href={phoneFragment(`${account}/${id}`)}>
      <Name>{label.trim() || id}</Name>
    </a>
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
  { since, endedAt, reasonText }: FleetIncident,
  now: number,
  format: InstantFormat,
): string {
  const [begin, end] = [parseTime(since), parseTime(endedAt)];
  if (begin === undefined) return '';
  if (end === undefined || reasonText === undefined) return `since ${format.brief(begin, now)}`;
  return `${reasonText} after ${durationText((end - begin) / 1000)}`;
}
