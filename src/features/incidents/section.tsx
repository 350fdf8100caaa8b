import { useMemo } from 'preact/hooks';
import { createTimeZone, dateAt } from '../../base/time-zone.ts';
import type { FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { incidentTitle } from '../../fleet/words.ts';
import { DAY } from '../../model/time.ts';
import {
  Fold,
  Instant,
  Link,
  Name,
  type PageSection,
  type SectionProps,
  type Shown,
  useFetched,
} from '../page/browser/parts.tsx';
import { linkTo } from '../page/browser/view.ts';
import { countsByDay } from './days.ts';
import type { IncidentsDocument } from './document.ts';
import { incidentEnd, incidentSubject, incidentSummary, soldText, WORDS } from './words.ts';

/*
 * The incidents of 31 days: a bar for every day, and a list. They are those of the group and the account in the address.
 */

const PATH = 'api/v1/incidents';

/** Maximum number of lines; the CSV has all. */
const SHOWN = 100;

/** A new request is made this often, in milliseconds. */
const STEP = 300_000;

/** The section of the page, and the incidents of a phone. */
export const incidents: PageSection = {
  name: 'incidents',
  link: { href: '#incidents', title: 'Incidents' },
  place: 'last',
  Section: Incidents,
  Phone: PhoneIncidents,
};

function Incidents(props: SectionProps) {
  return (
    <Fold id="incidents" title={WORDS.title}>
      <Known {...props} />
    </Fold>
  );
}

function Known({ shown, view }: SectionProps) {
  const { account, group } = view;
  const query = new URLSearchParams({
    ...(account === undefined ? {} : { account }),
    ...(group === undefined ? {} : { group }),
  }).toString();
  const answer = useFetched<IncidentsDocument>(`${PATH}?${query}`, Math.floor(shown.now / STEP));
  if (typeof answer !== 'object')
    return <p role="status">{answer === undefined ? WORDS.loading : `${WORDS.failed} ${answer}`}</p>;
  const all = answer.incidents;
  return (
    <>
      <p class="controls">
        {(['semicolon', 'comma'] as const).map((separator) => (
          <a key={separator} href={`${PATH}?${query}&format=csv&separator=${separator}`} download>
            {WORDS.csv[separator]}
          </a>
        ))}
      </p>
      <p role="status">
        {group !== undefined && <Name>{`${group}: `}</Name>}
        {`${incidentSummary(all, shown.now)}.`}
        {isShort(answer.from, shown.now) && ` ${WORDS.onlyDay}`}
      </p>
      <Counts incidents={all} shown={shown} />
      <ul class="lines">
        {all.slice(0, SHOWN).map((incident) => (
          <Line key={`${incident.account} ${incident.id}`} incident={incident} shown={shown} />
        ))}
        {all.length > SHOWN && <li>{WORDS.more(all.length - SHOWN)}</li>}
      </ul>
    </>
  );
}

/** Reports whether the files could not be read, so that only the last day is known. */
function isShort(from: string, now: number): boolean {
  return now - Date.parse(from) < 2 * DAY;
}

function Line({ incident, shown }: { readonly incident: FleetIncident; readonly shown: Shown }) {
  const { account, phone, kind, value } = incident;
  const subject = incidentSubject(incident);
  const href =
    phone !== undefined
      ? linkTo({ phone: `${account}/${phone}` })
      : kind === 'group'
        ? linkTo({ group: value })
        : '';
  return (
    <li>
      <Instant at={incident.since} shown={shown} />
      <span>{incidentTitle(incident)}</span>
      {href === '' ? <Name>{subject}</Name> : <Link href={href} text={subject} />}
      <span class="fact">
        {[soldText(incident), incidentEnd(incident, shown.now)].filter(Boolean).join(', ')}
      </span>
    </li>
  );
}

/** A bar for each local day: critical incidents below, the others above. */
function Counts({
  incidents: all,
  shown,
}: {
  readonly incidents: readonly FleetIncident[];
  readonly shown: Shown;
}) {
  const { timeZone } = shown.fleet.exporter;
  const zone = useMemo(() => createTimeZone(timeZone), [timeZone]);
  const days = countsByDay(all, (instant) => dateAt(zone, instant), shown.now);
  const most = Math.max(1, ...days.map(({ critical, others }) => critical + others));
  return (
    <ol class="counts">
      {days.map(({ date, critical, others }) => {
        const text = WORDS.day(date, critical + others);
        return (
          <li key={date} title={text}>
            <span class="hidden">{text}</span>
            <span aria-hidden="true" data-cell="sold_offline" style={{ flexGrow: critical }} />
            <span aria-hidden="true" data-cell="offline" style={{ flexGrow: others }} />
            <span aria-hidden="true" style={{ flexGrow: most - critical - others }} />
          </li>
        );
      })}
    </ol>
  );
}

/** The incidents of a phone, also outages that it was part of. */
function PhoneIncidents({
  phone: { account, id },
  shown,
}: {
  readonly phone: FleetPhone;
  readonly shown: Shown;
}) {
  const answer = useFetched<IncidentsDocument>(`${PATH}?${new URLSearchParams({ account, device: id })}`);
  return (
    <>
      <h3>{WORDS.title}</h3>
      {typeof answer === 'object' ? (
        <ul class="lines small">
          {answer.incidents.map((incident) => (
            <Line key={incident.id} incident={incident} shown={shown} />
          ))}
          {answer.incidents.length === 0 && <li>{WORDS.none}.</li>}
        </ul>
      ) : (
        <p class="small">{answer === undefined ? WORDS.loading : `${WORDS.failed} ${answer}`}</p>
      )}
    </>
  );
}
