import { Component, type ComponentChild, type VNode } from 'preact';
import type { FleetDocument } from '../fleet/document.ts';
import { type AgeBasis, type InstantFormat, parseTime } from '../fleet/freshness.ts';
import type { MaintenanceTarget } from '../fleet/maintenance.ts';
import type { PhoneIndex } from '../fleet/phones.ts';

/*
 * What several components of the page have in common.
 */

/** What the page knows at an instant. Everything shown follows from it and from the view. */
export type Shown = {
  readonly fleet: FleetDocument;
  readonly phones: PhoneIndex;
  /** By the name of the account. */
  readonly bases: ReadonlyMap<string, AgeBasis>;
  /** By the clock of the exporter, in milliseconds since 1970. */
  readonly now: number;
  readonly format: InstantFormat;
  /** Opens the dialog that begins maintenance; undefined where no change is allowed. */
  readonly onWork: ((target: MaintenanceTarget) => void) | undefined;
};

/** Returns the instant for which the ages of an account are shown. */
export function basisOf({ bases, now }: Shown, account: string): AgeBasis {
  return bases.get(account) ?? { state: 'expired', learnedAt: undefined, asOf: now };
}

/** Shows text that people chose, so that its writing direction does not affect the text around it. */
export function Name({ children }: { readonly children: string }) {
  return <bdi>{children}</bdi>;
}

export function Instant({ at, shown }: { readonly at: string | undefined; readonly shown: Shown }) {
  const instant = parseTime(at);
  return <time dateTime={at}>{instant === undefined ? '–' : shown.format.brief(instant, shown.now)}</time>;
}

/** A button that puts phones into maintenance. */
export function WorkButton({
  shown: { onWork },
  target,
}: {
  readonly shown: Pick<Shown, 'onWork'>;
  readonly target: () => MaintenanceTarget;
}) {
  if (onWork === undefined) return null;
  return (
    <button
      type="button"
      class="button"
      aria-label={`I am on it: ${target().title}`}
      onClick={() => onWork(target())}
    >
      I am on it
    </button>
  );
}

/** A section that is closed until somebody opens it. */
export function Fold(props: {
  readonly id: string;
  readonly title: string;
  readonly count?: string;
  readonly open?: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ComponentChild;
}) {
  const { id, title, count, open, onToggle, children } = props;
  return (
    <details
      id={id}
      class="fold"
      open={open}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary>
        {title} {count !== undefined && <span class="count">{count}</span>}
      </summary>
      {children}
    </details>
  );
}

/** Opens a section of the page and moves the keyboard to it. Returns false if there is none. */
export function goTo(id: string): boolean {
  const section = document.getElementById(id);
  if (section instanceof HTMLDetailsElement) section.open = true;
  section?.scrollIntoView();
  (section?.querySelector('summary') ?? section)?.focus({ preventScroll: true });
  return section !== null;
}

/** Makes a component that is drawn again only if one of its properties is another value. */
export function memo<Props extends object>(draw: (props: Props) => VNode): (props: Props) => VNode {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = new Map(Object.entries(this.props));
      return Object.entries(next).some(([name, value]) => value !== before.get(name));
    }
    override render(props: Props): VNode {
      return draw(props);
    }
  }
  return (props) => <Memo {...props} />;
}
