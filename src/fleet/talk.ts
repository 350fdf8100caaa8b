import type { FleetDocument, FleetPhone } from './document.ts';
import type { PhoneEntry } from './phones.ts';
import type { Target } from './targets.ts';
import type { View } from './trust.ts';

/*
 * What features say in a chat. The chat is a feature itself, and may be deleted.
 */

/** The exporter cannot answer. The message is a sentence for the owner. */
export class Unavailable extends Error {}

/** The running exporter. Its JSON is all that is known of it. */
export type TalkExporter = {
  /** Reads the fleet, without the list of phones where none is needed. Rejects with {@link Unavailable}. */
  readonly view: (phones: boolean) => Promise<View>;
  /** Sends a request. Rejects with {@link Unavailable} without an answer. */
  readonly ask: (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly content: string }>;
};

/** Maximum number of buttons of an answer. */
export const MAX_BUTTONS = 8;

/** A file that goes with a text. */
export type TalkFile = { readonly name: string; readonly content: string };

export type TalkAnswer = {
  readonly text: string;
  readonly buttons?: readonly TalkButton[];
  readonly file?: TalkFile;
};

export type TalkButton = {
  readonly label: string;
  /** The button confirms or refuses a change: it is valid once, for five minutes. */
  readonly decides?: true;
  /** @param who the name of the sender */
  readonly tap: (who: string) => Promise<TalkAnswer>;
};

/** A command: the words after it, its chat and the name of the sender. */
export type Asked = {
  readonly exporter: TalkExporter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly who: string;
  readonly words: readonly string[];
  /** The chat in which it was asked. */
  readonly place: number;
  /** Answers with the only button, or offers several. */
  readonly choose: (found: readonly TalkButton[]) => Promise<TalkAnswer>;
  /** Says that a word fits nothing. */
  readonly absent: (view: View, word: string) => string;
};

export type TalkCommand = {
  readonly command: string;
  readonly description: string;
  readonly answer: (asked: Asked) => Promise<TalkAnswer>;
};

/** What works, for `telegram --check`. */
export type TalkCheck = readonly [what: string, works: 'yes' | 'no' | 'off', details: string];

/** What a feature says in the chat. */
export type TalkPart = {
  readonly commands?: readonly TalkCommand[];
  /** Returns what is wrong with a phone, in place of the usual sentence; undefined to leave that. */
  readonly problem?: (view: View, phone: FleetPhone) => string | undefined;
  /** Returns a line about a phone; `''` for none. */
  readonly phone?: (exporter: TalkExporter, phone: FleetPhone) => Promise<string>;
  /** Returns lines about the phones of a group. */
  readonly group?: (view: View, entries: readonly PhoneEntry[]) => readonly string[];
  /** Returns buttons below a list of places with offline phones. */
  readonly offers?: (asked: Asked, fleet: FleetDocument, targets: readonly Target[]) => readonly TalkButton[];
  /** Returns a message behind the morning line of a local date; undefined for none. */
  readonly morning?: (exporter: TalkExporter, date: string) => Promise<TalkAnswer | undefined>;
  /** Returns messages that are due, each for a chat; asked every minute. */
  readonly due?: (
    exporter: TalkExporter,
    fleet: FleetDocument,
    now: number,
  ) => Promise<readonly { readonly place: number; readonly text: string }[]>;
  readonly check?: (exporter: TalkExporter, fleet: FleetDocument) => Promise<TalkCheck>;
};

/** Marks a text that others wrote, such as a label. A chat shows it as it is. */
export function quote(text: string): string {
  return `\uE000${text.replace(/[\uE000\uE001\s]/g, ' ').trim() || 'without a name'}\uE001`;
}
