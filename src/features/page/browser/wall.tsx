import { useMemo, useRef, useState } from 'preact/hooks';
import { numberText } from '../../../fleet/words.ts';
import { say } from '../../../text/say.ts';
import {
  CELL_STATES,
  CELLS,
  type CellState,
  cardText,
  cellText,
  cellTitle,
  keyOf,
  type WallCard,
  type WallCell,
} from './cards.ts';
import { Link, moveFocus, type ViewProps } from './parts.tsx';
import { linkTo } from './view.ts';

/** Number of phones above which a card without problems becomes a bar. */
const MANY = 2_000;

/** Numbers of phones above which a card is wider, or as wide as the page. */
const WIDE = 40;
const WIDEST = 400;

/** Milliseconds after which a touch describes a cell instead of opening it. */
const LONG_PRESS = 500;

/** The text next to the cell under the pointer or the keyboard. */
type Tip = { readonly text: string; readonly left: string; readonly bottom: string };

export function Wall({ cards, shown, view, onView }: ViewProps & { readonly cards: readonly WallCard[] }) {
  const [tip, setTip] = useState<Tip>();
  const pressedAt = useRef(0);
  const { fleet, phones, bases } = shown;
  const isMany = phones.entries.length > MANY;
  const counts = useMemo(() => {
    const sums = new Map<CellState, number>();
    for (const card of cards)
      for (const [state, count] of card.counts) sums.set(state, (sums.get(state) ?? 0) + count);
    return sums;
  }, [cards]);
  const show = ({ target }: Event) => setTip(tipOf(target));
  const hide = () => setTip(undefined);
  return (
    <div>
      <ul class="legend" aria-label={say('page-legend')}>
        {CELL_STATES.filter((state) => counts.has(state) || view.cell === state).map((state) => (
          <li key={state}>
            <button
              type="button"
              aria-pressed={view.cell === state}
              onClick={() => onView({ cell: view.cell === state ? undefined : state })}
            >
              <span class="cell" data-cell={state} data-mark={CELLS[state] || undefined} aria-hidden="true" />{' '}
              {`${cellTitle(state)} ${numberText(counts.get(state) ?? 0)}`}
            </button>
          </li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for its cells, which are buttons */}
      <div
        id="wall"
        class="wall"
        data-many={isMany || undefined}
        onPointerOver={show}
        onPointerLeave={hide}
        onPointerDown={({ timeStamp }) => {
          pressedAt.current = timeStamp;
        }}
        onFocusIn={show}
        onFocusOut={hide}
        onKeyDown={(event) => {
          if (event.key === 'Escape') return hide();
          const cells = Array.from(cellOf(event.target)?.parentElement?.querySelectorAll('button') ?? []);
          moveFocus(event, cells, cells.filter(({ offsetTop }) => offsetTop === cells[0]?.offsetTop).length);
        }}
        onClick={({ target, timeStamp, detail }) => {
          // The keyboard clicks too, but with `detail` 0.
          const isLong = detail > 0 && timeStamp - pressedAt.current > LONG_PRESS;
          const key = cellOf(target)?.dataset['key'];
          if (key !== undefined && !isLong) location.hash = linkTo({ phone: key });
        }}
      >
        {cards.map((card) => {
          const account = fleet.accounts.length > 1 ? card.account : '';
          const isAlone = cards.length === fleet.accounts.length;
          const isOld = bases.get(card.account)?.state !== 'fresh';
          return <StableCard key={keyOf(card)} {...{ card, account, isAlone, isMany, isOld }} />;
        })}
      </div>
      {tip !== undefined && (
        <span class="tip" role="tooltip" style={{ left: tip.left, bottom: tip.bottom }}>
          {tip.text}
        </span>
      )}
    </div>
  );
}

function cellOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof HTMLElement && target.dataset['key'] !== undefined ? target : undefined;
}

/** Returns the text of a cell and its position on the screen. */
function tipOf(target: EventTarget | null): Tip | undefined {
  const cell = cellOf(target);
  if (cell === undefined) return undefined;
  const { left, top } = cell.getBoundingClientRect();
  const most = Math.max(8, document.documentElement.clientWidth - 240);
  return {
    text: cell.getAttribute('aria-label') ?? '',
    left: `${Math.min(left, most)}px`,
    bottom: `${document.documentElement.clientHeight - top + 4}px`,
  };
}

type CardProps = {
  readonly card: WallCard;
  /** The account if there are several; otherwise empty. */
  readonly account: string;
  /** It is the only card of its account. */
  readonly isAlone: boolean;
  readonly isMany: boolean;
  /** Its data is stale or has expired. */
  readonly isOld: boolean;
};

/** Draws a card again only if a property has changed. */
function StableCard(props: CardProps) {
  return useMemo(() => <Card {...props} />, Object.values(props));
}

function Card({ card, account, isAlone, isMany, isOld }: CardProps) {
  const { group, cells, counts, needAttention, selected } = card;
  const [isOpen, setOpen] = useState(false);
  const name = group || (isAlone ? say('page-all') : say('page-no-group'));
  const href = linkTo({ account: account || undefined, group: group || undefined });
  const isBar = isMany && needAttention === 0;
  const rest = cardText(card);
  return (
    <section
      class="rack"
      data-bad={needAttention > 0 || undefined}
      data-wide={cells.length > WIDEST ? 'all' : cells.length > WIDE || undefined}
      data-dim={selected === 0 || undefined}
      data-old={isOld || undefined}
    >
      <h3>
        {group === '' ? <span class="group">{name}</span> : <Link href={href} text={group} />}{' '}
        <bdi class="small">{account}</bdi>
        <span class="visits">
          {needAttention > 0 && (
            <strong>{say('page-card-attention', { count: needAttention, all: cells.length })}</strong>
          )}
          {needAttention > 0 && rest !== '' && ', '}
          {rest}
        </span>
      </h3>
      {isBar && (
        <button
          type="button"
          class="bar"
          aria-expanded={isOpen}
          aria-label={say('page-bar', { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {Array.from(counts, ([state, count]) => (
            <span key={state} data-cell={state} style={{ flexGrow: count }} />
          ))}
        </button>
      )}
      {(!isBar || isOpen) && (
        <div class="cells">{cells.map((cell, index) => cellButton(cell, index, isMany))}</div>
      )}
    </section>
  );
}

function cellButton(cell: WallCell, index: number, isMany: boolean) {
  const { key, slot, state, behind = state, isChanged, isDim } = cell;
  return (
    <button
      key={key}
      type="button"
      class="cell"
      data-key={key}
      data-cell={state}
      data-mark={CELLS[behind] || undefined}
      data-changed={isChanged || undefined}
      data-dim={isDim || undefined}
      aria-label={cellText(cell)}
      data-slot={isMany ? undefined : slot}
      tabIndex={index === 0 ? 0 : -1}
    />
  );
}
