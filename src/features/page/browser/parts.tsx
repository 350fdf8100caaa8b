import { Component, type ComponentChild, type Key, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { FleetDocument, FleetPhone } from '../../../fleet/document.ts';
import type { AgeBasis, TimeText } from '../../../fleet/freshness.ts';
import type { PhoneEntry, PhoneIndex } from '../../../fleet/phones.ts';
import type { PhoneTarget } from '../../../fleet/targets.ts';
import type { Tone } from '../../../fleet/words.ts';
import { fetchJson } from './exporter.ts';
import type { TableView } from './view.ts';
import { WORDS } from './words.ts';

/*
 * Types and components that several parts of the page share.
 */

/** The data of the page at an instant. The page is drawn from it and the view. */
export type Shown = {
  readonly fleet: FleetDocument;
  readonly phones: PhoneIndex;
  /** By the name of the account. */
  readonly bases: ReadonlyMap<string, AgeBasis>;
  /** By the clock of the exporter, in milliseconds since 1970. */
  readonly now: number;
  readonly time: TimeText;
  /** Opens the maintenance dialog; undefined if changes are not allowed. */
  readonly onMaintenance: ((target: PhoneTarget) => void) | undefined;
};

/** Properties of a component that shows a view and changes it. */
export type ViewProps = {
  readonly shown: Shown;
  readonly view: TableView;
  readonly onView: (part: Partial<TableView>) => void;
};

/** The phones that the view selects; undefined for all. */
export type Selection = ReadonlySet<PhoneEntry> | undefined;

export type SelectionProps = ViewProps & { readonly selected: Selection };

/** The properties of a section of a feature. */
export type SectionProps = {
  readonly shown: Shown;
  readonly view: TableView;
  /** Called with a sentence about a change. */
  readonly onDone: (sentence: string) => void;
};

/** The part of a feature on the page: a fold with its name as id. */
export type PageSection = {
  readonly name: string;
  readonly title: string;
  /** The text of a link to it at the top of the page. */
  readonly link?: string;
  readonly place: 'after phones' | 'last';
  /** The number beside the title. A section with none is hidden. */
  readonly count?: (fleet: FleetDocument) => number;
  /** Reports whether it is open at first. */
  readonly isOpen?: () => boolean;
  readonly Section: (props: SectionProps) => VNode;
  readonly Phone?: (props: { readonly phone: FleetPhone; readonly shown: Shown }) => VNode;
  /** Its part of the maintenance dialog. */
  readonly Dialog?: (props: DialogPartProps) => VNode | null;
  /** The maintenance dialog. */
  readonly MaintenanceDialog?: (props: MaintenanceProps) => VNode;
};

export type MaintenanceProps = {
  readonly target: PhoneTarget;
  readonly onClose: () => void;
  /** Called after the response to a request. */
  readonly onChange: () => void;
  /** The parts of other features. */
  readonly children?: ComponentChild;
};

export type DialogPartProps = {
  readonly target: PhoneTarget;
  readonly shown: Shown;
  /** Closes the dialog, with a sentence about what was done. */
  readonly onDone: (sentence: string) => void;
};

/** Returns the instant for which the ages of an account are shown. */
export function basisOf({ bases, now }: Shown, account: string): AgeBasis {
  return bases.get(account) ?? { state: 'expired', learnedAt: undefined, asOf: now };
}

/** Shows text by people. Its writing direction does not affect the text around it. */
export function Name({ children }: { readonly children: string }) {
  return <bdi>{children}</bdi>;
}

type LinkProps = { readonly href: string; readonly name?: string; readonly text: string };

/** A link with text by people. */
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

/** A button that opens the maintenance dialog. */
export function MaintenanceButton({
  shown: { onMaintenance },
  target,
}: {
  readonly shown: Pick<Shown, 'onMaintenance'>;
  readonly target: () => PhoneTarget;
}) {
  if (onMaintenance === undefined) return null;
  return (
    <button
      type="button"
      class="button"
      aria-label={`${WORDS.isOnIt}: ${target().title}`}
      onClick={() => onMaintenance(target())}
    >
      {WORDS.isOnIt}
    </button>
  );
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
 * Returns a JSON document of the exporter, or the reason why there is none; undefined before the first response.
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
      {WORDS.csv[separator]}
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
  // Before the page is shown: a section that an address opens at once would close again.
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

type MemoProps = {
  readonly of: readonly unknown[];
  readonly draw: () => VNode;
};

/** Draws again only if one of its values has changed. */
export class Memo extends Component<MemoProps> {
  override shouldComponentUpdate({ of }: MemoProps): boolean {
    return of.some((value, index) => value !== this.props.of[index]);
  }
  override render(): VNode {
    return this.props.draw();
  }
}

/** A cell of a table of figures; the tone marks what is worse than it should be. */
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

/** A day with its text, and the parts of its bar from the bottom: the colour of a cell, none for empty space, and a size. */
export type Day = {
  readonly date: string;
  readonly text: string;
  readonly parts: readonly { readonly cell?: string; readonly size: number }[];
};

/** A bar for every day. */
export function Days({ days }: { readonly days: readonly Day[] }) {
  return (
    <ol class="days">
      {days.map(({ date, text, parts }) => (
        <li key={date} title={text}>
          <span class="hidden">{text}</span>
          <span class="day" aria-hidden="true">
            {parts.map(({ cell, size }, index) => (
              <span key={index} data-cell={cell} style={{ flexGrow: size }} />
            ))}
          </span>
          <span class="small" aria-hidden="true">
            {date.slice(-2)}
          </span>
        </li>
      ))}
    </ol>
  );
}
