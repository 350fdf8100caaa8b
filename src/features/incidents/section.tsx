import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { dateAt } from '../../base/time-zone.ts';
import { describeIncident } from '../../fleet/describe.ts';
import type { FleetDocument, FleetIncident } from '../../fleet/document.ts';
import { durationText } from '../../fleet/freshness.ts';
import { incidentTarget, phonesIn } from '../../fleet/targets.ts';
import { LOOPBACK, numberText, personOf } from '../../fleet/words.ts';
import { say } from '../../text/say.ts';
import { sendChange } from '../page/browser/exporter.ts';
import {
  type ActionProps,
  Days,
  Downloads,
  Figures,
  Instant,
  Link,
  Name,
  type PageSection,
  type PhoneProps,
  type SectionProps,
  type Shown,
  useFetched,
} from '../page/browser/parts.tsx';
import { linkTo } from '../page/browser/view.ts';
import type { IncidentNumbers, IncidentsDocument, StatisticsDocument } from './document.ts';
import { countsByDay, isCounted } from './statistics.ts';
import { incidentSummary, isBeforeKnown, periodText, rowName } from './words.ts';

/* The incidents of 31 days: a bar for every day, and a list. The address selects the group and the account. */

const PATH = 'api/v1/incidents';

/** Maximum number of lines shown; the CSV has all of them. */
const SHOWN = 100;

/** Interval between requests, in milliseconds. A change to an incident also triggers one. */
const STEP = 300_000;

/** The section of the page, and the incidents of a phone. */
export const incidents: PageSection = {
  name: 'incidents',
  get title() {
    return say('incidents-title');
  },
  get link() {
    return say('incidents-link');
  },
  place: 'last',
  Section: Incidents,
  Phone: PhoneIncidents,
  Action: Acknowledge,
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
  if (typeof answer !== 'object') return <p role="status">{noAnswerText(answer)}</p>;
  const all = answer.incidents;
  return (
    <>
      <p class="controls">
        <Downloads href={`${PATH}?${query}`} />
      </p>
      <p role="status">
        {group !== undefined && <Name>{`${group}: `}</Name>}
        {`${periodText(31, answer.from, shown.now, shown.time)}: ${incidentSummary(all, shown.fleet)}.`}
      </p>
      <Counts incidents={all} from={answer.from} shown={shown} />
      <div class="worst">
        {(['group', 'phone'] as const).map((by) => (
          <Worst key={by} by={by} query={query} version={version} shown={shown} />
        ))}
      </div>
      <ul class="lines">
        {all.slice(0, SHOWN).map((incident) => (
          <Line key={`${incident.account} ${incident.id}`} incident={incident} shown={shown} />
        ))}
        {all.length > SHOWN && <li>{say('incidents-more-csv', { count: all.length - SHOWN })}</li>}
      </ul>
    </>
  );
}

const noAnswerText = (reason: string | undefined): string =>
  reason === undefined ? say('page-loading') : say('incidents-failed', { reason });

function Line({ incident, shown }: { readonly incident: FleetIncident; readonly shown: Shown }) {
  const { id, account, phone, kind, value, notes } = incident;
  const { fleet, now, time } = shown;
  const { title, name, counts, lasted, end, who } = describeIncident(incident, fleet, now, time);
  const href =
    phone !== undefined
      ? linkTo({ phone: `${account}/${phone}` })
      : kind === 'group'
        ? linkTo({ group: value })
        : '';
  return (
    <li>
      <Instant at={incident.since} shown={shown} />
      <span>{title}</span>
      {href === '' ? <Name>{name}</Name> : <Link href={href} text={name} />}
      <span class="fact">
        {[counts, lasted, end || say('incidents-is-open'), who].filter(Boolean).join(', ')}
      </span>
      <Notes notes={notes} body={{ account, incident: id }} shown={shown} name={name || title} />
    </li>
  );
}

/** A bar for each local day: critical incidents at the bottom, the others above. */
function Counts({ incidents: all, from, shown }: CountsProps) {
  const { zone } = shown;
  const days = countsByDay(all, (instant) => dateAt(zone, instant), shown.now);
  const most = Math.max(1, ...days.map(({ critical, others }) => critical + others));
  const known = dateAt(zone, Date.parse(from));
  const bars = days.map(({ date, critical, others }) => {
    const isKnown = date >= known;
    const text = isKnown ? say('incidents-count', { count: critical + others }) : say('page-no-data');
    const counts = [
      { cell: 'sold_offline', size: critical },
      { cell: 'offline', size: others },
      { size: most - critical - others },
    ];
    const parts = isKnown ? counts : [{ cell: 'unknown', size: 1 }];
    return { date, text: say('incidents-day', { date, text }), parts };
  });
  return <Days days={bars} />;
}

type CountsProps = {
  readonly incidents: readonly FleetIncident[];
  /** Since when they have been known. */
  readonly from: string;
  readonly shown: Shown;
};

/** The incidents of a phone, including outages that it was part of. */
function PhoneIncidents({ phone, shown }: PhoneProps) {
  const { account, id, label, notes } = phone;
  const answer = useFetched<IncidentsDocument>(`${PATH}?${new URLSearchParams({ account, device: id })}`);
  return (
    <>
      <h3>{say('incidents-notes')}</h3>
      <Notes notes={notes} body={{ account, device: id }} shown={shown} name={label.trim() || id} />
      <h3>{say('incidents-title')}</h3>
      {typeof answer === 'object' ? (
        <ul class="lines small">
          {answer.incidents.map((incident) => (
            <Line key={incident.id} incident={incident} shown={shown} />
          ))}
          {answer.incidents.length === 0 && <li>{say('incidents-none')}.</li>}
        </ul>
      ) : (
        <p class="small">{noAnswerText(answer)}</p>
      )}
    </>
  );
}

/** Number of rows of a table. */
const WORST = 5;

/** The groups or phones that cost the most, compared with the period before. */
function Worst({ by, query, version, shown }: WorstProps) {
  const answer = useFetched<StatisticsDocument>(`${PATH}?${query}&by=${by}`, version);
  if (typeof answer !== 'object') return null;
  const [total, ...others] = answer.rows;
  const worst = others.filter(({ incidents }) => incidents > 0).slice(0, WORST);
  if (total === undefined || worst.length === 0) return null;
  const isCompared = total.before.incidents > 0 && isBeforeKnown(answer.from, answer.knownFrom, shown.now);
  const time = (seconds: number | undefined): string => (seconds === undefined ? '–' : durationText(seconds));
  const figures: readonly ((numbers: IncidentNumbers) => string)[] = [
    ({ incidents }) => numberText(incidents),
    ({ soldOfflineSeconds }) => time(soldOfflineSeconds),
    ({ acknowledgeSeconds }) => time(acknowledgeSeconds),
    ({ repairSeconds }) => time(repairSeconds),
  ];
  const all = by === 'group' ? [{ ...total, name: say('incidents-all') }, ...worst] : worst;
  const rows = all.map((row) => ({
    key: `${row.account} ${row.name}`,
    name: <Name>{rowName(row, shown.fleet)}</Name>,
    cells: figures.map((of) => ({ text: isCompared ? `${of(row)} (${of(row.before)})` : of(row) })),
  }));
  const costliest = by === 'group' ? say('incidents-costliest-groups') : say('incidents-costliest-phones');
  const title = isCompared ? `${costliest} ${say('incidents-compared')}` : costliest;
  return (
    <div>
      <h3>{title}</h3>
      <Figures
        title={title}
        headings={[
          say(`incidents-by-${by}`),
          say('incidents-link'),
          say('incidents-sold-time-offline'),
          say('incidents-time-to-acknowledge'),
          say('incidents-time-to-repair'),
        ]}
        rows={rows}
      />
    </div>
  );
}

type WorstProps = {
  readonly by: 'group' | 'phone';
  readonly query: string;
  readonly version: string;
  readonly shown: Shown;
};

/** Says who wrote a note; '' if nobody is named. */
function writtenText(by: string): string {
  const person = personOf(by);
  if (person === '') return '';
  return person.endsWith('.file')
    ? say('incidents-note-in', { file: person })
    : say('incidents-note-by', { person });
}

type NotesProps = {
  readonly notes: FleetIncident['notes'];
  /** The subject of a note, for the request and for people. */
  readonly body: object;
  readonly name: string;
  readonly shown: Shown;
};

/** Shows notes, with changes made here until the exporter shows them. The last note can be corrected and removed. */
function Notes({ notes = [], body, name, shown }: NotesProps) {
  /** Texts by the times of their notes; '' if the note was removed. */
  const [changed, setChanged] = useState<ReadonlyMap<string, string>>(new Map());
  const known = new Set(notes.map(({ at }) => at));
  const all = [
    ...notes.map((note) => ({ ...note, text: changed.get(note.at ?? '') ?? note.text })),
    ...[...changed].flatMap(([at, text]) => (known.has(at) ? [] : { at, text, by: LOOPBACK })),
  ].filter(({ text }) => text !== '');
  const [last] = all.filter(({ at }) => at !== undefined).slice(-1);
  const onSaved = (text: string, at: string): void => setChanged(new Map(changed).set(at, text));
  const isChangeable = shown.onChange !== undefined;
  return (
    <>
      {all.length > 0 && (
        <ul class="notes small">
          {all.map((note) => (
            <li key={note.at ?? note.text}>
              <Name>{note.text}</Name> <span class="fact">{writtenText(note.by)}</span>{' '}
              {note.at !== undefined && <Instant at={note.at} shown={shown} />}{' '}
              {isChangeable && note === last && (
                <ReplaceNote note={note} body={body} name={name} onSaved={onSaved} />
              )}
            </li>
          ))}
        </ul>
      )}
      {isChangeable && (
        <NoteForm title={say('incidents-add-note')} body={body} name={name} onSaved={onSaved} />
      )}
    </>
  );
}

type ReplaceNoteProps = Omit<NoteFormProps, 'title'> & {
  readonly note: NonNullable<NotesProps['notes']>[number];
};

/** Corrects or removes a note. */
function ReplaceNote({ note, body, name, onSaved }: ReplaceNoteProps) {
  const { at = '', text } = note;
  const [failure, setFailure] = useState('');
  const own = { ...body, replaces: at };
  const remove = async (): Promise<void> => {
    const sent = await sendChange('POST', PATH, { ...own, note: '' });
    if (sent.isDone) onSaved('', at);
    else setFailure(sent.text);
  };
  return (
    <>
      <NoteForm title={say('incidents-correct')} first={text} body={own} name={name} onSaved={onSaved} />
      <button
        type="button"
        class="quiet small"
        aria-label={say('incidents-remove-note', { name })}
        onClick={() => void remove()}
      >
        {say('incidents-remove')}
      </button>{' '}
      <span role="status">{failure}</span>
    </>
  );
}

type NoteFormProps = Pick<NotesProps, 'body' | 'name'> & {
  readonly title: string;
  /** The initial text. */
  readonly first?: string;
  readonly onSaved: (text: string, at: string) => void;
};

/** A field for a note. */
function NoteForm({ title, first = '', body, name, onSaved }: NoteFormProps) {
  const [text, setText] = useState<string>();
  const [sentence, setSentence] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isOpen = text !== undefined;
  // Runs before the next key press: an effect after the paint would lose the first letters.
  useLayoutEffect(() => field.current?.focus(), [isOpen]);
  if (text === undefined)
    return (
      <span>
        <button
          type="button"
          class="quiet small"
          aria-label={`${title}: ${name}`}
          onClick={() => setText(first)}
        >
          {title}
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
    onSaved(text.replace(/\s+/g, ' ').trim(), sent.at ?? '');
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
        aria-label={say('incidents-note-on', { name })}
        autocomplete="off"
        ref={field}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />{' '}
      <button type="submit" class="button" disabled={text.trim() === ''}>
        {say('page-save')}
      </button>{' '}
      <span role="status" class="small">
        {sentence}
      </span>
    </form>
  );
}

/** The open incidents of some phones, including outages that they are part of. */
function openIncidentsIn({ scope }: ActionProps['target'], fleet: FleetDocument): readonly FleetIncident[] {
  const wanted = new Set(phonesIn(fleet.phones, scope));
  const keys = new Set([...wanted].map(({ account, id }) => `${account} ${id}`));
  return fleet.incidents.filter((incident) => {
    if (incident.endedAt !== undefined || !isCounted(incident)) return false;
    const { account, phone } = incident;
    if (phone !== undefined) return keys.has(`${account} ${phone}`);
    const of = incidentTarget(incident, fleet);
    return of !== undefined && phonesIn(fleet.phones, of.scope).some((each) => wanted.has(each));
  });
}

/** Acknowledges the open incidents of some phones with one tap, and takes that back. */
function Acknowledge({ target, shown }: ActionProps) {
  const { fleet, onDone } = shown;
  const [state, setState] = useState({ isSending: false, failure: '' });
  const open = useMemo(() => openIncidentsIn(target, fleet), [fleet, JSON.stringify(target.scope)]);
  if (open.length === 0) return null;
  const free = open.filter(({ acknowledgedAt }) => acknowledgedAt === undefined);
  const isFree = free.length > 0;
  const change = async (): Promise<void> => {
    setState({ isSending: true, failure: '' });
    for (const { account, id } of isFree ? free : open) {
      const sent = await sendChange('POST', PATH, { account, incident: id, acknowledge: isFree });
      if (!sent.isDone) return setState({ isSending: false, failure: sent.text });
    }
    onDone(isFree ? say('incidents-you-are-on-it') : say('incidents-nobody-any-more'));
    setState({ isSending: false, failure: '' });
  };
  const text = isFree ? say('page-on-it') : say('page-take-back');
  return (
    <>
      <button
        type="button"
        class={isFree ? 'button' : 'quiet'}
        aria-label={`${text}: ${target.title}`}
        // A second tap waits for the answer to the first. A disabled button would lose the focus.
        aria-disabled={state.isSending}
        onClick={() => void (state.isSending || change())}
      >
        {text}
      </button>
      <span role="status">{state.failure}</span>
    </>
  );
}
