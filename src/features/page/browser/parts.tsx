import type { ComponentChild, Key, VNode } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TimeZone } from '../../../base/time-zone.ts';
import type { FleetDocument, FleetPhone } from '../../../fleet/document.ts';
import type { AgeBasis, TimeText } from '../../../fleet/freshness.ts';
import type { PhoneEntry, PhoneIndex } from '../../../fleet/phones.ts';
import type { PhoneTarget } from '../../../fleet/targets.ts';
import type { Tone } from '../../../fleet/words.ts';
import { say } from '../../../text/say.ts';
import { fetchJson } from './exporter.ts';
import type { TableView } from './view.ts';

/* Types and components that several parts of the page share. */

/** The data of the page at an instant. The page is drawn from this and the view. */
export type Shown = {
  readonly fleet: FleetDocument;
  readonly phones: PhoneIndex;
  /** By account name. */
  readonly bases: ReadonlyMap<string, AgeBasis>;
  /** By the exporter's clock, in milliseconds since 1970. */
  readonly now: number;
  readonly time: TimeText;
  /** The time zone for all times and days. */
  readonly zone: TimeZone;
  /** Opens the dialog that changes phones; undefined if changes are not allowed. */
  readonly onChange: ((target: PhoneTarget) => void) | undefined;
  /** Called with a sentence about a change that was made. */
  readonly onDone: (sentence: string) => void;
};

/** Properties of a component that shows and changes a view. */
export type ViewProps = {
  readonly shown: Shown;
  readonly view: TableView;
  readonly onView: (part: Partial<TableView>) => void;
};

/** The phones that the view selects; undefined for all. */
export type Selection = ReadonlySet<PhoneEntry> | undefined;

export type SelectionProps = ViewProps & { readonly selected: Selection };

/** The properties of a feature's section. */
export type SectionProps = {
  readonly shown: Shown;
  readonly view: TableView;
};

/** A feature's part of the page: a fold whose id is its name. */
export type PageSection = {
  readonly name: string;
  readonly title: string;
  /** The text of a link to it at the top of the page. */
  readonly link?: string;
  readonly place: 'after phones' | 'last';
  /** The number next to the title. A section with 0 is hidden. */
  readonly count?: (fleet: FleetDocument) => number;
  /** Reports whether it is open at first. */
  readonly isOpen?: () => boolean;
  readonly Section: (props: SectionProps) => VNode;
  /** Its part of the dialog of a phone. */
  readonly Phone?: (props: PhoneProps) => VNode;
  /** Its line below the headline; '' for none. */
  readonly line?: (fleet: FleetDocument, time: TimeText) => string;
  /** Its buttons next to phones that can be changed. */
  readonly Action?: (props: ActionProps) => VNode | null;
  /** Its part of the dialog that changes phones. */
  readonly Change?: (props: ChangeProps) => VNode | null;
};

export type PhoneProps = { readonly phone: FleetPhone; readonly shown: Shown };

export type ActionProps = { readonly target: PhoneTarget; readonly shown: Shown };

export type ChangeProps = ActionProps & {
  /** Something was changed, and the dialog shows a sentence about it. */
  readonly isDone: boolean;
  readonly onDone: (sentence: string) => void;
};

/** Returns the instant for which the ages of an account are shown. */
export function basisOf({ bases, now }: Shown, account: string): AgeBasis {
  return bases.get(account) ?? { state: 'expired', learnedAt: undefined, asOf: now };
}

/** Shows text that people wrote. Its writing direction does not affect the text around it. */
export function Name({ children }: { readonly children: string }) {
  return <bdi>{children}</bdi>;
}

type LinkProps = { readonly href: string; readonly name?: string; readonly text: string };

export function Link({ href, name, text }: LinkProps) {
  return (
    <a href={href} class={name}>
      <bdi>{text}</bdi>
    </a>
  );
}

export function Instant({ at, shown }: { readonly at: string | undefined; readonly shown: Shown }) {
  return <time dateTime={at}>{at === undefined ? '–' : shown.time(at)}</time>;
}

type ChoiceProps = {
  readonly label: string;
  readonly id?: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
};

export function Choice({ label, id, options, value, onChoose }: ChoiceProps) {
  return (
    <select
      id={id}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([each, title]) => (
        <option key={each} value={each}>
          {title}
        </option>
      ))}
    </select>
  );
}

/**
 * Returns a JSON document from the exporter, or the reason why there is none; undefined before the first response.
 *
 * @param url undefined before it is known
 * @param version the document is fetched again when it changes
 */
export function useFetched<Document>(
  url: string | undefined,
  version: number | string = 0,
): Document | string | undefined {
  const [document, setDocument] = useState<Document | string>();
  useEffect(() => {
    if (url === undefined) return;
    let isCurrent = true;
    void fetchJson<Document>(url).then((received) => isCurrent && setDocument(() => received));
    return () => {
      isCurrent = false;
    };
  }, [url, version]);
  return document;
}

/** Links that download a table as CSV. */
export function Downloads({ href }: { readonly href: string }) {
  return (['semicolon', 'comma'] as const).map((separator) => (
    <a key={separator} href={`${href}&format=csv&separator=${separator}`} download>
      {say(`page-csv-${separator}`)}
    </a>
  ));
}

/** A section that can be opened. Its content is drawn only while it is open. */
export function Fold(props: {
  readonly id: string;
  readonly title: string;
  readonly count?: string | undefined;
  /** It is open at first. It opens and closes when this changes. */
  readonly isOpen?: boolean | undefined;
  readonly children: ComponentChild;
}) {
  const { id, title, count, isOpen = false, children } = props;
  const [isShown, setShown] = useState(isOpen);
  // Runs before the page is shown: otherwise, a section that an address opens at once would close again.
  useLayoutEffect(() => setShown(isOpen), [isOpen]);
  return (
    <details
      id={id}
      class="fold"
      open={isShown}
      onToggle={({ currentTarget }) => setShown(currentTarget.open)}
    >
      <summary>
        {title} {count !== undefined && <span class="count">{count}</span>}
      </summary>
      {isShown && children}
    </details>
  );
}

type DialogProps = {
  readonly name: string;
  readonly titleId: string;
  readonly onClose: () => void;
  readonly children: ComponentChild;
};

/** A dialog that is open while it is on the page. Browsers without dialogs show it as a box above the page. */
export function Dialog({ name, titleId, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    const hasDialogs = 'HTMLDialogElement' in window;
    if (hasDialogs) dialog?.showModal();
    else dialog?.setAttribute('open', '');
    // Closing it before it is removed restores the keyboard focus.
    return () => {
      if (hasDialogs) dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape
    <dialog
      ref={ref}
      class={name}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}

/** Opens a section of the page and moves the keyboard to it. Returns false if there is none. */
export function goTo(id: string): boolean {
  const section = document.getElementById(id);
  if (section instanceof HTMLDetailsElement && !section.open) {
    section.open = true;
    // Its content is drawn by then.
    section.addEventListener('toggle', () => section.scrollIntoView(), { once: true });
  }
  section?.scrollIntoView();
  (section?.querySelector('summary') ?? section)?.focus({ preventScroll: true });
  return section !== null;
}

/** A cell in a table of figures. The tone marks what is worse than it should be. */
export type Figure = { readonly text: string; readonly tone?: Tone | undefined };

type FiguresProps = {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly {
    readonly key: Key;
    readonly name: ComponentChild;
    readonly cells: readonly Figure[];
  }[];
};

/** A table of figures, which scrolls if it is wider than the page. */
export function Figures({ title, headings, rows }: FiguresProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
    <section class="figures" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            {headings.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, cells }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map(({ text, tone }, index) => (
                <td key={headings[index]} data-tone={tone}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A day with its text, and the parts of its bar from the bottom up: a cell's colour, none for a gap, and a size. */
export type Day = {
  readonly date: string;
  readonly text: string;
  readonly parts: readonly { readonly cell?: string; readonly size: number }[];
};

/** A bar for every day. A tap, the pointer or the arrow keys show its text below. */
export function Days({ days }: { readonly days: readonly Day[] }) {
  const [text, setText] = useState<string>(() => say('page-tap-day'));
  const show = (target: EventTarget | null): void => {
    const shown = target instanceof Element ? target.closest('button')?.firstChild?.textContent : undefined;
    if (shown !== undefined && shown !== null) setText(shown);
  };
  return (
    <div>
      <ol
        class="days"
        onFocusIn={({ target }) => show(target)}
        onClick={({ target }) => show(target)}
        // A finger that slides over the bars stays on the first one.
        onPointerMove={({ clientX, clientY }) => show(document.elementFromPoint(clientX, clientY))}
        onKeyDown={(event) => moveFocus(event, [...event.currentTarget.querySelectorAll('button')])}
      >
        {days.map(({ date, text, parts }, index) => (
          <li key={date}>
            <button type="button" tabIndex={index === days.length - 1 ? 0 : -1}>
              <span class="hidden">{text}</span>
              <span class="day" aria-hidden="true">
                {parts.map(({ cell, size }, place) => (
                  <span key={place} data-cell={cell} style={{ flexGrow: size }} />
                ))}
              </span>
              <span class="small" aria-hidden="true">
                {date.slice(-2)}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p class="small day-text" aria-hidden="true">
        {text}
      </p>
    </div>
  );
}

/**
 * Moves the keyboard to another button: left and right, to both ends, and up and down if the buttons are in columns, where a
 * single row has its ends up and down. Only one of them is in the order of the tab key.
 */
export function moveFocus(event: KeyboardEvent, buttons: readonly HTMLElement[], columns = 0): void {
  const { target, key } = event;
  const at = target instanceof HTMLElement ? buttons.indexOf(target) : -1;
  const end = buttons.length - 1;
  const rows = columns === buttons.length ? { up: 0, down: end } : { up: at - columns, down: at + columns };
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: end,
    ...(columns > 0 && { ArrowUp: rows.up, ArrowDown: rows.down }),
  };
  const place = places[key];
  if (at === -1 || place === undefined) return;
  event.preventDefault();
  const [last, next] = [buttons[at], buttons[place]];
  if (last === undefined || next === undefined) return;
  last.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

type PartProps = {
  readonly name: string;
  /** The part is redrawn when this changes. */
  readonly fleet: FleetDocument | undefined;
  readonly children: ComponentChild;
};

/** A part of the page. If it cannot be drawn, only this part is missing; it is tried again with the next document. */
export function Part({ name, fleet, children }: PartProps) {
  const [failure, retry] = useErrorBoundary((error) => console.error(error));
  useEffect(retry, [fleet]);
  if (failure === undefined) return children;
  return (
    <p class="notice" data-tone="bad">
      {say('page-part-failed', { name, reason: String(failure) })}
    </p>
  );
}
