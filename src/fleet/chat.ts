import type { FleetDocument, FleetPhone } from './document.ts';
import type { PhoneEntry } from './phones.ts';
import type { PhoneTarget } from './targets.ts';
import type { FleetView } from './trust.ts';

/*
 * The answers of features in a chat. The chat is a feature itself, and may be deleted.
 */

/** The exporter does not respond. The message is a sentence for the owner. */
export class Unavailable extends Error {}

/** The running exporter, known by its JSON only. */
export type ChatExporter = {
  /** Requests the fleet, with or without its phones. Rejects with {@link Unavailable}. */
  readonly view: (phones: boolean) => Promise<FleetView>;
  /** Sends a request. Rejects with {@link Unavailable} without a response. */
  readonly request: (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly content: string }>;
};

/** Maximum number of buttons of an answer. */
export const MAX_BUTTONS = 8;

/** A file that is sent with a text. */
export type ChatFile = { readonly name: string; readonly content: string };

export type ChatAnswer = {
  readonly text: string;
  readonly buttons?: readonly ChatButton[];
  readonly file?: ChatFile;
};

export type ChatButton = {
  readonly label: string;
  /** The button confirms or cancels a change: it is valid once, for five minutes. */
  readonly decides?: true;
  /** @param who the name of the sender */
  readonly tap: (who: string) => Promise<ChatAnswer>;
};

/** A command: the words after it, its chat and the name of the sender. */
export type ChatRequest = {
  readonly exporter: ChatExporter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly who: string;
  readonly words: readonly string[];
  /** The chat of the command. */
  readonly place: number;
  /** Taps the only button, or offers several. */
  readonly choose: (found: readonly ChatButton[]) => Promise<ChatAnswer>;
  /** Says that a word matches nothing. */
  readonly absent: (view: FleetView, word: string) => string;
};

export type ChatCommand = {
  readonly command: string;
  readonly description: string;
  readonly answer: (asked: ChatRequest) => Promise<ChatAnswer>;
};

/** A line of `telegram --check`. */
export type ChatCheck = readonly [what: string, works: 'yes' | 'no' | 'off', details: string];

/** The part of a feature in the chat. */
export type ChatPart = {
  readonly commands?: readonly ChatCommand[];
  /** Returns the answer to replies to a message with this text; undefined for none. */
  readonly reply?: (quoted: string) => ChatCommand['answer'] | undefined;
  /** Returns the problem of a phone as a sentence, in place of the usual one; undefined to keep that. */
  readonly problem?: (view: FleetView, phone: FleetPhone) => string | undefined;
  /** Returns a line about a phone; `''` for none. */
  readonly phone?: (exporter: ChatExporter, phone: FleetPhone) => Promise<string>;
  /** Returns lines about the phones of a group. */
  readonly group?: (view: FleetView, entries: readonly PhoneEntry[]) => readonly string[];
  /** Returns buttons for places with offline phones. */
  readonly offers?: (
    asked: ChatRequest,
    fleet: FleetDocument,
    targets: readonly PhoneTarget[],
  ) => readonly ChatButton[];
  /** Returns a message that follows the morning message of a local date; undefined for none. */
  readonly morning?: (exporter: ChatExporter, date: string) => Promise<ChatAnswer | undefined>;
  /** Returns the messages that are due, each for a chat. Called every minute. */
  readonly due?: (
    exporter: ChatExporter,
    fleet: FleetDocument,
    now: number,
  ) => Promise<readonly { readonly place: number; readonly text: string }[]>;
  readonly check?: (exporter: ChatExporter, fleet: FleetDocument) => Promise<ChatCheck>;
};

/** Says why the exporter refused a change. */
export function refusalText(content: string): string {
  return `Nothing was changed: ${quote(content.replace(/^nothing was changed: /, '').slice(0, 300))}`;
}

/** Marks text by others, such as a label. A chat shows it literally. */
export function quote(text: string): string {
  return `\uE000${text.replace(/[\uE000\uE001\s]/g, ' ').trim() || 'unnamed'}\uE001`;
}
