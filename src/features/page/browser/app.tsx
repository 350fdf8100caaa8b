import { useErrorBoundary, useMemo, useRef, useState } from 'preact/hooks';
import { createTimeZone, type TimeZone } from '../../../base/time-zone.ts';
import type { FleetDocument } from '../../../fleet/document.ts';
import {
  type AgeBasis,
  type ConnectionState,
  connectionAt,
  type Freshness,
  freshnessOf,
  lateAccounts,
  type Notice,
  timeTextAt,
  withoutSeconds,
  withStale,
} from '../../../fleet/freshness.ts';
import { hasNumbers, indexPhones, type PhoneEntry, type PhoneIndex } from '../../../fleet/phones.ts';
import type { PhoneTarget } from '../../../fleet/targets.ts';
import type { Visit } from '../../../fleet/visits.ts';
import { numberText, phonesText } from '../../../fleet/words.ts';
import { language, say } from '../../../text/say.ts';
import { Actions, ChangeDialog } from './actions.tsx';
import { Activity } from './activity.tsx';
import { cardsOf, groupPhones, type WallCard } from './cards.ts';
import { CHOICES, choose } from './language.ts';
import {
  Choice,
  Fold,
  type PageSection,
  Part,
  type SectionProps,
  type SelectionProps,
  type Shown,
} from './parts.tsx';
import { PhoneSheet } from './phone.tsx';
import { Places } from './places.tsx';
import { SECTIONS } from './sections.ts';
import { Guide, Notices, Top, VerdictBar } from './status.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { Totals } from './totals.tsx';
import { basesOf, lostAtOf, urgentVisits, verdictOf } from './verdict.ts';
import { isWhole, selectionOf, selectionTarget, selectorOf, type TableView } from './view.ts';
import { Wall } from './wall.tsx';

/** The state of the page. Everything shown is derived from it. */
export type PageState = {
  /** Undefined before the first response. */
  readonly fleet: FleetDocument | undefined;
  readonly connection: ConnectionState;
  readonly view: TableView;
  /** By the exporter's clock, in milliseconds since 1970. */
  readonly now: number;
  /** The owner's time zone, or the browser's if the browser does not know it. */
  readonly zone: TimeZone;
  /** Address of the metrics. */
  readonly metrics: string;
  /** The exporter's version if it is newer than this page; otherwise undefined. */
  readonly newer: string | undefined;
};

type AppProps = {
  readonly state: PageState;
  readonly actions: {
    readonly onView: (part: Partial<TableView>) => void;
    /** Requests the fleet at once. */
    readonly onRefresh: () => void;
  };
};

const NO_PHONES = indexPhones([]);

/**
 * Computes a part of the page when a key has changed. If that fails, only this part is missing, and it is named.
 *
 * @param failed the names of such parts, to which it adds its own
 */
function usePart<Value>(
  failed: string[],
  name: string,
  compute: () => Value,
  instead: Value,
  keys: readonly unknown[],
): Value {
  const { value, failure } = useMemo(() => {
    try {
      return { value: compute(), failure: [] };
    } catch (error) {
      console.error(error);
      return { value: instead, failure: [`${name} (${String(error)})`] };
    }
  }, keys);
  failed.push(...failure);
  return value;
}

/** Links that a feature adds at the top. */
declare module '../../../fleet/document.ts' {
  interface ExporterFields {
    readonly links?: readonly Readonly<{ href: string; title: string }>[] | undefined;
  }
}

/** The page, or a sentence if it cannot be drawn. */
export function Page(props: AppProps) {
  const [failure] = useErrorBoundary((error) => console.error(error));
  if (failure === undefined) return <App {...props} />;
  return (
    <p class="notice" data-tone="bad">
      {say('page-failed-text', { title: say('page-failed'), reason: String(failure) })}{' '}
      <a href="api/v1/fleet">JSON</a>.
    </p>
  );
}

const BROWSER_ZONE = createTimeZone();

/** Names the zone of all times if it differs from the browser's; '' if it is the same. */
function nameOfZone({ fleet, now, zone }: PageState): string {
  const isOwn = fleet === undefined || zone.name === fleet.exporter.timeZone;
  const isSame = zone.offsetAt(now) === BROWSER_ZONE.offsetAt(now);
  return isOwn && isSame ? '' : say('page-times-in', { zone: zone.name });
}

function App({ state, actions }: AppProps) {
  const { now, zone, metrics } = state;
  const time = timeTextAt(now, zone);
  const failed: string[] = [];
  /** Without keys, a part is computed each time. */
  const part = <Value,>(
    name: string,
    compute: () => Value,
    instead: Value,
    keys: readonly unknown[] = [{}],
  ) => usePart(failed, name, compute, instead, keys);
  const connection = connectionAt(state.connection, now);
  const lostAt = lostAtOf(connection, now);
  const late =
    part(say('page-part-age'), () => state.fleet && lateAccounts(state.fleet, lostAt ?? now), []) ?? [];
  const fleet = useMemo(
    () => state.fleet && withStale(state.fleet, late),
    [state.fleet, JSON.stringify(late)],
  );
  const unknown: Freshness = { tone: 'bad', word: say('page-unknown'), learnedAt: undefined, notices: [] };
  const freshness = part(say('page-part-age'), () => freshnessOf(fleet, connection, now, time), unknown);
  const before = useRef(NO_PHONES);
  const phones = part(
    say('page-part-phones'),
    () => indexPhones(fleet?.phones ?? [], before.current),
    NO_PHONES,
    [fleet],
  );
  before.current = phones;
  const bases = part<ReadonlyMap<string, AgeBasis>>(
    say('page-part-accounts'),
    () => basesOf(fleet, now, lostAt),
    new Map(),
  );
  const visits = part(
    say('page-part-attention'),
    () => (fleet ? urgentVisits(fleet, phones.entries) : []),
    [],
    [phones],
  );
  const drawn = part(
    say('page-part-sentence'),
    () => verdictOf({ fleet, visits, freshness, bases, now, time }),
    undefined,
  );
  const verdict =
    drawn === undefined || failed.length > 0
      ? {
          tone: 'bad' as const,
          title: say('page-failed'),
          note: say('page-failed-parts', { parts: [...new Set(failed)].join(', ') }),
          past: '',
          notices: freshness.notices,
        }
      : drawn;
  const lineOf = ({ name, line }: PageSection) => {
    const text = part(
      name,
      () => (fleet === undefined ? '' : (line?.(fleet, (at) => withoutSeconds(time(at))) ?? '')),
      '',
    );
    return text === '' ? [] : [{ href: `#${name}`, text }];
  };
  const links = [
    ...part(say('page-part-links'), () => fleet?.exporter.links ?? [], []),
    ...SECTIONS.flatMap(({ name, link }) => (link === undefined ? [] : { href: `#${name}`, title: link })),
  ];
  const notices: readonly Notice[] = [
    ...verdict.notices,
    ...(state.newer === undefined
      ? []
      : [{ tone: 'warn' as const, title: say('page-newer'), text: say('page-newer-text') }]),
  ];
  return (
    <>
      <a class="hidden" href="#phones">
        {say('page-skip')}
      </a>
      <Part name={say('page-top')} fleet={fleet}>
        <Top
          freshness={freshness}
          now={now}
          zone={part(say('page-part-zone'), () => nameOfZone(state), '')}
          links={links}
        />
      </Part>
      <main
        data-urgent={visits.length > 0 || undefined}
        data-state={[...bases.values()].every(({ state }) => state !== 'fresh') ? 'old' : 'fresh'}
      >
        <VerdictBar verdict={verdict} lines={SECTIONS.flatMap(lineOf)} />
        <Notices notices={notices} />
        {fleet !== undefined && (
          <Part name={say('page-fleet')} fleet={fleet}>
            <Fleet
              state={state}
              known={{ fleet, phones, bases, now, time, zone }}
              visits={visits}
              actions={actions}
            />
          </Part>
        )}
        <footer>
          <Guide />
          <p class="small">
            hoster-exporter {part(say('page-part-version'), () => fleet?.exporter.version, '')} ·{' '}
            <a href={metrics}>{say('page-metrics')}</a> · <a href="api/v1/fleet">JSON</a> ·{' '}
            <a href="-/healthy">{say('page-health')}</a>{' '}
            <Choice label={say('page-language')} options={CHOICES} value={language()} onChoose={choose} />
          </p>
        </footer>
      </main>
    </>
  );
}

type FleetProps = AppProps & {
  readonly known: Omit<Shown, 'onChange' | 'onDone'>;
  readonly visits: readonly Visit[];
};

function Fleet({ state, known, visits, actions: { onView, onRefresh } }: FleetProps) {
  const { view } = state;
  const { fleet, phones } = known;
  const [target, setTarget] = useState<PhoneTarget>();
  const [ended, setEnded] = useState({ view, sentence: '' });
  const selection = selectionOf(view);
  const selected = useMemo(() => {
    return isWhole(view) ? undefined : new Set(phones.entries.filter(selectorOf(view)));
  }, [phones, selection]);
  // A number that changes with a poll is not announced, but one that changes with a search is.
  const found = useMemo(() => selected && phonesText(selected.size), [selection]);
  const canChange = fleet.exporter.allowsChanges && SECTIONS.some(({ Change, Action }) => Change ?? Action);
  const entry = view.phone === undefined ? undefined : phones.entries.find(({ key }) => key === view.phone);
  const onDone = (sentence: string): void => {
    setEnded({ view, sentence });
    onRefresh();
  };
  const shown = { ...known, onChange: canChange ? setTarget : undefined, onDone };
  const own = { shown, view, onView, selected };
  return (
    <>
      <p class="hidden" role="status" id="announcement">
        {ended.view === view && ended.sentence !== '' ? ended.sentence : found}
      </p>
      <p class="small" role="status">
        {view.phone !== undefined && entry === undefined && phones.entries.length > 0
          ? say('page-not-found', { name: view.phone })
          : ''}
      </p>
      <Part name={say('page-needs-attention')} fleet={fleet}>
        <Places visits={visits} shown={shown} />
      </Part>
      <Part name={say('page-totals')} fleet={fleet}>
        <Totals shown={shown} />
      </Part>
      <Part name={say('page-phones')} fleet={fleet}>
        <Phones {...own} />
      </Part>
      <Sections place="after phones" shown={shown} view={view} />
      <Part name={say('page-activity')} fleet={fleet}>
        <Activity shown={shown} />
      </Part>
      <Part name={say('page-table')} fleet={fleet}>
        <Fold id="table-section" title={say('page-table')} isOpen={selected !== undefined}>
          <Table {...own} />
        </Fold>
      </Part>
      <Sections place="last" shown={shown} view={view} />
      {entry !== undefined && (
        <PhoneSheet entry={entry} shown={shown} onClose={() => onView({ phone: undefined })} />
      )}
      {target !== undefined && (
        <ChangeDialog
          target={target}
          shown={shown}
          onClose={() => setTarget(undefined)}
          onRefresh={onRefresh}
        />
      )}
    </>
  );
}

/** Shows the features' sections in one place. */
function Sections({ place, ...props }: SectionProps & { readonly place: PageSection['place'] }) {
  return SECTIONS.filter((each) => each.place === place).map((section) => (
    <Part key={section.name} name={section.title} fleet={props.shown.fleet}>
      <SectionFold section={section} {...props} />
    </Part>
  ));
}

function SectionFold({ section, ...props }: SectionProps & { readonly section: PageSection }) {
  const { name, title, count, isOpen, Section } = section;
  const isOpenAtFirst = useMemo(() => isOpen?.(), []);
  const shown = count?.(props.shown.fleet);
  if (shown === 0) return null;
  const text = shown === undefined ? undefined : numberText(shown);
  return (
    <Fold id={name} title={title} count={text} isOpen={isOpenAtFirst}>
      <Section {...props} />
    </Fold>
  );
}

/** The wall of all phones, with the search and the filters. */
function Phones({ shown, view, onView, selected }: SelectionProps) {
  const { phones, fleet } = shown;
  const { entries } = phones;
  const groups = useMemo(() => groupPhones(phones.ordered('phone', false)), [phones]);
  const last = useRef<{ readonly phones?: PhoneIndex; readonly cards: readonly WallCard[] }>({ cards: [] });
  // What has changed since the last poll is marked.
  const cards = useMemo(() => {
    const isSelected = (entry: PhoneEntry) => selected?.has(entry) !== false;
    return cardsOf(groups, isSelected, last.current.cards, last.current.phones !== phones);
  }, [phones, selected]);
  last.current = { phones, cards };
  const all = numberText(entries.length);
  const count = selected?.size ?? entries.length;
  return (
    <section aria-labelledby="phones-heading" id="phones" tabIndex={-1}>
      <div class="toolbar">
        <h2 id="phones-heading">
          {say('page-phones')}{' '}
          <span class="count" id="phones-count">
            {hasNumbers(fleet.accounts) &&
              (count === entries.length ? all : say('page-count-of', { count, all }))}
          </span>
        </h2>
        <span id="work">
          {selected !== undefined && count > 0 && count < entries.length && (
            <Actions shown={shown} target={() => selectionTarget(view, [...selected])} />
          )}
        </span>
        <Toolbar shown={shown} view={view} onView={onView} groups={groups} />
      </div>
      <Wall cards={cards} shown={shown} view={view} onView={onView} />
    </section>
  );
}
