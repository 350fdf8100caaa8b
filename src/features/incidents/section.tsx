import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createTimeZone, dateAt } from '../../base/time-zone.ts';
import type { FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { durationText } from '../../fleet/freshness.ts';
import { incidentTarget, phonesIn } from '../../fleet/targets.ts';
import { incidentTitle, numberText, onItText } from '../../fleet/words.ts';
import { DAY } from '../../model/time.ts';
import { sendChange } from '../page/browser/exporter.ts';
import {
  Days,
  type DialogPartProps,
  Downloads,
  Figures,
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
import type {
  IncidentNumbers,
  IncidentStatistics,
  IncidentsDocument,
  StatisticsDocument,
} from './document.ts';
import { isCounted } from './statistics.ts';
import { incidentEnd, incidentSubject, incidentSummary, soldText, WORDS } from './words.ts';

/*
 * The incidents of 31 days: a bar for every day, and a list. They are those of the group and the account in the address.
 */

const PATH = 'api/v1/incidents';

/** Maximum number of lines; the CSV has all. */
const SHOWN = 100;

/** A new request is made this often, in milliseconds, and at each change of an incident. */
const STEP = 300_000;

/** The section of the page, and the incidents of a phone. */
export const incidents: PageSection = {
  name: 'incidents',
  title: WORDS.title,
  link: 'Incidents',
  place: 'last',
  Section: Incidents,
  Phone: PhoneIncidents,
  Dialog: Acknowledge,
};

function Incidents({ shown, view }: SectionProps) {
  const { account, group } = view;
  const query = new URLSearchParams({
    ...(account === undefined ? {} : { account }),
    ...(group === undefined ? {} : { group }),
  }).toString();
  const { incidents: ofDay } = shown.fleet;
  const open = ofDay.filter(({ endedAt }) => endedAt === undefined).length;
  const version = `${Math.floor(shown.now / STEP)} ${ofDay.length} ${open}`;
  const answer = useFetched<IncidentsDocument>(`${PATH}?${query}`, version);
  if (typeof answer !== 'object')
    return <p role="status">{answer === undefined ? WORDS.loading : `${WORDS.failed} ${answer}`}</p>;
  const all = answer.incidents;
  return (
    <>
      <p class="controls">
        <Downloads href={`${PATH}?${query}`} />
      </p>
      <p role="status">
        {group !== undefined && <Name>{`${group}: `}</Name>}
        {`${incidentSummary(all)}.`}
        {isShort(answer.from, shown.now) && ` ${WORDS.onlyDay}`}
      </p>
      <Counts incidents={all} shown={shown} />
      <div class="worst">
        {(['group', 'phone'] as const).map((by) => (
          <Worst key={by} by={by} query={query} version={version} />
        ))}
      </div>
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
        {[
          shown.fleet.accounts.length > 1 ? account : '',
          soldText(incident),
          incidentEnd(incident, shown.now),
          onItText(incident, shown.time),
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
      <Notes notes={incident.notes} body={{ account, incident: incident.id }} shown={shown} name={subject} />
    </li>
  );
}

/** A bar for each local day: critical incidents below, the others above. */
function Counts({ incidents: all, shown }: CountsProps) {
  const { timeZone } = shown.fleet.exporter;
  const zone = useMemo(() => createTimeZone(timeZone), [timeZone]);
  const days = countsByDay(all, (instant) => dateAt(zone, instant), shown.now);
  const most = Math.max(1, ...days.map(({ critical, others }) => critical + others));
  const bars = days.map(({ date, critical, others }) => ({
    date,
    text: WORDS.day(date, critical + others),
    parts: [
      { cell: 'sold_offline', size: critical },
      { cell: 'offline', size: others },
      { size: most - critical - others },
    ],
  }));
  return <Days days={bars} />;
}

type CountsProps = { readonly incidents: readonly FleetIncident[]; readonly shown: Shown };

/** The incidents of a phone, also outages that it was part of. */
function PhoneIncidents({
  phone: { account, id, label, notes },
  shown,
}: {
  readonly phone: FleetPhone;
  readonly shown: Shown;
}) {
  const answer = useFetched<IncidentsDocument>(`${PATH}?${new URLSearchParams({ account, device: id })}`);
  return (
    <>
      <h3>{WORDS.notes}</h3>
      <Notes notes={notes} body={{ account, device: id }} shown={shown} name={label.trim() || id} />
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

/** Number of rows of a table. */
const WORST = 5;

/** The groups or phones that cost most, beside the time before. */
function Worst({ by, query, version }: WorstProps) {
  const answer = useFetched<StatisticsDocument>(`${PATH}?${query}&by=${by}`, version);
  if (typeof answer !== 'object') return null;
  const [total, ...others] = answer.rows;
  const worst = others.filter(({ incidents }) => incidents > 0).slice(0, WORST);
  if (total === undefined || worst.length === 0) return null;
  const isCompared = total.before.incidents > 0;
  const text = (of: (numbers: IncidentNumbers) => string, row: IncidentStatistics) => ({
    text: isCompared ? `${of(row)} (${of(row.before)})` : of(row),
  });
  const time = (seconds: number | undefined): string => (seconds === undefined ? '–' : durationText(seconds));
  const all = by === 'group' ? [{ ...total, name: WORDS.all }, ...worst] : worst;
  const rows = all.map((row) => ({
    key: row.name,
    name: <Name>{row.name}</Name>,
    cells: [
      text(({ incidents }) => numberText(incidents), row),
      text(({ soldOfflineSeconds }) => time(soldOfflineSeconds), row),
      text(({ acknowledgeSeconds }) => time(acknowledgeSeconds), row),
      text(({ repairSeconds }) => time(repairSeconds), row),
    ],
  }));
  const title = WORDS.worst(by, isCompared);
  return (
    <div>
      <h3>{title}</h3>
      <Figures title={title} headings={[WORDS.by[by], ...WORDS.columns]} rows={rows} />
    </div>
  );
}

type WorstProps = {
  readonly by: 'group' | 'phone';
  readonly query: string;
  readonly version: string;
};

type NotesProps = {
  readonly notes: FleetIncident['notes'];
  /** What a note is about, for the request and for people. */
  readonly body: object;
  readonly name: string;
  readonly shown: Shown;
};

/** Shows notes, and those that were saved here until the exporter shows them. */
function Notes({ notes = [], body, name, shown }: NotesProps) {
  const [saved, setSaved] = useState<NonNullable<NotesProps['notes']>>([]);
  const own = saved.filter(({ text }) => notes.every((note) => note.text !== text));
  const onSaved = (text: string): void =>
    setSaved([...saved, { text, by: 'loopback', at: new Date(shown.now).toISOString() }]);
  return (
    <>
      {notes.length + own.length > 0 && (
        <ul class="notes small">
          {[...notes, ...own].map(({ at, by, text }) => (
            <li key={`${at} ${text}`}>
              <Name>{text}</Name> <span class="fact">{WORDS.written(by)}</span>{' '}
              {at !== undefined && <Instant at={at} shown={shown} />}
            </li>
          ))}
        </ul>
      )}
      {shown.onMaintenance !== undefined && <NoteForm body={body} name={name} onSaved={onSaved} />}
    </>
  );
}

/** A field for a note. */
function NoteForm({
  body,
  name,
  onSaved,
}: Pick<NotesProps, 'body' | 'name'> & { readonly onSaved: (text: string) => void }) {
  const [text, setText] = useState<string>();
  const [sentence, setSentence] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isOpen = text !== undefined;
  // Before the next key: an effect after the paint would lose the first letters.
  useLayoutEffect(() => field.current?.focus(), [isOpen]);
  if (text === undefined)
    return (
      <span>
        <button
          type="button"
          class="quiet small"
          aria-label={WORDS.addNoteTo(name)}
          onClick={() => setText('')}
        >
          {WORDS.addNote}
        </button>{' '}
        <span role="status" class="small">
          {sentence}
        </span>
      </span>
    );
  const save = async (): Promise<void> => {
    const sent = await sendChange('POST', PATH, { ...body, note: text });
    setSentence(sent.text);
    if (!sent.isDone) return;
    setText(undefined);
    onSaved(text.replace(/\s+/g, ' ').trim());
  };
  return (
    <form
      class="note"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        type="text"
        maxLength={500}
        aria-label={WORDS.noteFor(name)}
        autocomplete="off"
        ref={field}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />{' '}
      <button type="submit" class="button" disabled={text.trim() === ''}>
        {WORDS.saveNote}
      </button>{' '}
      <span role="status" class="small">
        {sentence}
      </span>
    </form>
  );
}

/** A button that only acknowledges the open incidents of phones, in the dialog that mutes them. */
function Acknowledge({ target, shown, onDone }: DialogPartProps) {
  const [text, setText] = useState('');
  const { fleet } = shown;
  const wanted = new Set(phonesIn(fleet.phones, target.scope));
  const open = fleet.incidents.filter((incident) => {
    if (incident.endedAt !== undefined || !isCounted(incident)) return false;
    const of = incidentTarget(incident, fleet);
    return of !== undefined && phonesIn(fleet.phones, of.scope).some((phone) => wanted.has(phone));
  });
  if (open.length === 0) return null;
  const acknowledge = async (): Promise<void> => {
    for (const { account, id } of open) {
      const sent = await sendChange('POST', PATH, { account, incident: id, acknowledge: true });
      if (!sent.isDone) {
        setText(sent.text);
        return;
      }
    }
    onDone(WORDS.acknowledged);
  };
  return (
    <p>
      <button type="button" class="button" onClick={() => void acknowledge()}>
        {WORDS.onlyAcknowledge}
      </button>{' '}
      <span class="small">{WORDS.onlyAcknowledgeNote}</span>
      <span role="status" class="small">
        {text}
      </span>
    </p>
  );
}
