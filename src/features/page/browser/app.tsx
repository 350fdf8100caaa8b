import { useErrorBoundary, useMemo, useRef, useState } from 'preact/hooks';
import type { TimeZone } from '../../../base/time-zone.ts';
import type { FleetDocument } from '../../../fleet/document.ts';
import { ageBasisOf, type ConnectionState, freshnessOf, timeTextAt } from '../../../fleet/freshness.ts';
import { indexPhones, type PhoneEntry, type PhoneIndex } from '../../../fleet/phones.ts';
import type { PhoneTarget } from '../../../fleet/targets.ts';
import type { Visit } from '../../../fleet/visits.ts';
import { countText, numberText } from '../../../fleet/words.ts';
import { Activity } from './activity.tsx';
import { cardsOf, groupPhones, type PhoneGroup, type WallCard } from './cards.ts';
import {
  Fold,
  MaintenanceButton,
  type PageSection,
  type SectionProps,
  type Selection,
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
import { urgentVisits, verdictOf } from './verdict.ts';
import { isWhole, selectionOf, selectionTarget, selectorOf, type TableView } from './view.ts';
import { Wall } from './wall.tsx';
import { WORDS } from './words.ts';

/** The state of the page. Everything shown follows from it. */
export type PageState = {
  /** Undefined before the first response. */
  readonly fleet: FleetDocument | undefined;
  readonly connection: ConnectionState;
  readonly view: TableView;
  /** By the clock of the exporter, in milliseconds since 1970. */
  readonly now: number;
  /** The time zone of the browser. */
  readonly zone: TimeZone;
  /** Address of the metrics. */
  readonly metrics: string;
};

type AppProps = {
  readonly state: PageState;
  readonly actions: {
    readonly onView: (part: Partial<TableView>) => void;
    /** Requests the fleet at once. */
    readonly onRefresh: () => void;
  };
};

/** The page, or a sentence if it cannot be drawn. */
export function Page(props: AppProps) {
  const [failure] = useErrorBoundary((error) => console.error(error));
  if (failure === undefined) return <App {...props} />;
  return (
    <p class="notice" data-tone="bad">
      {WORDS.failed} <a href="api/v1/fleet">JSON</a>.
    </p>
  );
}

function App({ state, actions }: AppProps) {
  const { fleet, connection, now, zone, metrics } = state;
  const time = timeTextAt(now, zone);
  const freshness = freshnessOf(fleet, connection, now, time);
  const before = useRef<PhoneIndex | undefined>(undefined);
  const phones = useMemo(() => {
    before.current = indexPhones(fleet?.phones ?? [], before.current);
    return before.current;
  }, [fleet]);
  const lostAt = connection.failure === undefined ? undefined : (connection.lastResponseAt ?? now);
  const bases = new Map(
    fleet?.accounts.map(({ name, readings }) => [name, ageBasisOf(readings.devices, now, lostAt)]),
  );
  const visits = useMemo(() => (fleet === undefined ? [] : urgentVisits(fleet, phones.entries)), [phones]);
  const verdict = verdictOf({ fleet, visits, freshness, bases, time });
  const links = [...(fleet?.exporter.links ?? []), ...SECTIONS.flatMap(linkOf)];
  return (
    <>
      <a class="hidden" href="#phones">
        {WORDS.skip}
      </a>
      <Top freshness={freshness} now={now} zone={zone} links={links} />
      <main data-state={[...bases.values()].every(({ state }) => state !== 'fresh') ? 'old' : 'fresh'}>
        <VerdictBar verdict={verdict} />
        <Notices notices={verdict.notices} />
        {fleet !== undefined && (
          <Fleet
            state={state}
            known={{ fleet, phones, bases, now, time }}
            visits={visits}
            word={freshness.word}
            actions={actions}
          />
        )}
        <footer>
          <Guide />
          <p class="small">
            hoster-exporter {fleet?.exporter.version} · <a href={metrics}>Metrics</a> ·{' '}
            <a href="api/v1/fleet">JSON</a> · <a href="-/healthy">Health</a>
          </p>
        </footer>
      </main>
    </>
  );
}

type FleetProps = AppProps & {
  readonly known: Omit<Shown, 'onMaintenance'>;
  readonly visits: readonly Visit[];
  readonly word: string;
};

/** The maintenance dialog, if there is the feature. */
const MaintenanceDialog = SECTIONS.find((section) => section.MaintenanceDialog)?.MaintenanceDialog;

function Fleet({ state, known, visits, word, actions: { onView, onRefresh } }: FleetProps) {
  const { view } = state;
  const { fleet, phones } = known;
  const [target, setTarget] = useState<PhoneTarget>();
  const [ended, setEnded] = useState({ view, sentence: '' });
  const selection = selectionOf(view);
  const selected = useMemo(() => {
    return isWhole(view) ? undefined : new Set(phones.entries.filter(selectorOf(view)));
  }, [phones, selection]);
  const onMaintenance = MaintenanceDialog && fleet.exporter.allowsMaintenance ? setTarget : undefined;
  const shown = { ...known, onMaintenance };
  const own = { shown, view, onView, selected };
  const entry = view.phone === undefined ? undefined : phones.entries.find(({ key }) => key === view.phone);
  const onDone = (sentence: string): void => {
    setEnded({ view, sentence });
    onRefresh();
  };
  const section = { shown, view, onDone };
  return (
    <>
      <p class="hidden" role="status" id="announcement">
        {ended.view === view && ended.sentence !== ''
          ? ended.sentence
          : selected === undefined
            ? word
            : countText(selected.size, 'phone', 'phones')}
      </p>
      <p class="small" role="status">
        {view.phone !== undefined && entry === undefined && phones.entries.length > 0
          ? WORDS.notFound(view.phone)
          : ''}
      </p>
      <Places visits={visits} shown={shown} />
      <Totals shown={shown} />
      <Phones {...own} />
      <Sections place="after phones" {...section} />
      <Activity shown={shown} />
      <Fold id="table-section" title={WORDS.table} isOpen={selected !== undefined}>
        <Table {...own} />
      </Fold>
      <Sections place="last" {...section} />
      {entry !== undefined && (
        <PhoneSheet entry={entry} shown={shown} onClose={() => onView({ phone: undefined })} />
      )}
      {target !== undefined && MaintenanceDialog && (
        <MaintenanceDialog target={target} onClose={() => setTarget(undefined)} onChange={onRefresh}>
          {SECTIONS.map(
            ({ name, Dialog }) =>
              Dialog && (
                <Dialog
                  key={name}
                  target={target}
                  shown={shown}
                  onDone={(sentence) => {
                    setTarget(undefined);
                    onDone(sentence);
                  }}
                />
              ),
          )}
        </MaintenanceDialog>
      )}
    </>
  );
}

const linkOf = ({ name, link: title }: PageSection) =>
  title === undefined ? [] : { href: `#${name}`, title };

/** Shows the sections of features in one place. */
function Sections({ place, ...props }: SectionProps & { readonly place: PageSection['place'] }) {
  return SECTIONS.filter((each) => each.place === place).map((section) => (
    <SectionFold key={section.name} section={section} {...props} />
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
  const { phones } = shown;
  const { entries } = phones;
  const groups = useMemo(() => groupPhones(phones.ordered('phone', false)), [phones]);
  const cards = useCards(phones, groups, selected);
  const all = numberText(entries.length);
  const count = selected?.size ?? entries.length;
  return (
    <section aria-labelledby="phones-heading" id="phones" tabIndex={-1}>
      <div class="toolbar">
        <h2 id="phones-heading">
          Phones{' '}
          <span class="count" id="phones-count">
            {count === entries.length ? all : `${numberText(count)} of ${all}`}
          </span>
        </h2>
        <span id="work">
          {selected !== undefined && count > 0 && count < entries.length && (
            <MaintenanceButton shown={shown} target={() => selectionTarget(view, [...selected])} />
          )}
        </span>
        <Toolbar shown={shown} view={view} onView={onView} groups={groups} />
      </div>
      <Wall cards={cards} shown={shown} view={view} onView={onView} />
    </section>
  );
}

/** Returns the cards of the wall, with the changes of the last poll marked. */
function useCards(
  phones: PhoneIndex,
  groups: readonly PhoneGroup[],
  selected: Selection,
): readonly WallCard[] {
  const last = useRef<{ readonly phones?: PhoneIndex; readonly cards: readonly WallCard[] }>({ cards: [] });
  return useMemo(() => {
    const isSelected = (entry: PhoneEntry) => selected?.has(entry) !== false;
    const isNew = last.current.phones !== phones;
    const cards = cardsOf(groups, isSelected, last.current.cards, isNew);
    last.current = { phones, cards };
    return cards;
  }, [phones, selected]);
}
