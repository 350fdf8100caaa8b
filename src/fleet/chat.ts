import { say } from '../text/say.ts';
import { describeIncident, descriptionText } from './describe.ts';
import type { FleetDocument, FleetIncident, FleetPhone } from './document.ts';
import type { PhoneEntry } from './phones.ts';
import type { PhoneTarget } from './targets.ts';
import type { FleetView } from './trust.ts';
import type { Visit } from './visits.ts';

/* The answers of features in a chat. The chat is a feature itself, and may be deleted. */

/** The exporter does not respond. The message is a sentence for the owner. */
export class Unavailable extends Error {
  /** Writes the sentence in the language in force: each chat has its own. */
  readonly write: () => string;

  constructor(sentence: string | (() => string)) {
    const write = typeof sentence === 'string' ? () => sentence : sentence;
    super(write());
    this.write = write;
  }
}

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

export const MAX_BUTTONS = 8;

export type ChatFile = { readonly name: string; readonly content: string };

export type ChatAnswer = {
  readonly text: string;
  readonly buttons?: readonly ChatButton[];
  readonly file?: ChatFile;
  /** Corrects what the message has saved, when somebody edits it. */
  readonly correct?: (text: string, who: string) => Promise<ChatAnswer>;
};

export type ChatButton = {
  readonly label: string;
  /** The button confirms or cancels a change: it is valid once, for five minutes. */
  readonly decides?: true;
  /** @param who the name of the sender */
  readonly tap: (who: string) => Promise<ChatAnswer>;
};

/** Times for which alerts of phones are muted with one tap. */
export const MUTE_FOR = ['2h', 'back'] as const;

export type MuteFor = (typeof MUTE_FOR)[number];

/** A command: the words after it, its chat and the name of the sender. */
export type ChatRequest = {
  readonly exporter: ChatExporter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly who: string;
  readonly words: readonly string[];
  /** The chat of the command, and its topic; 1 is General, or no topic. */
  readonly place: { readonly chat: number; readonly topic: number };
  /** Mutes the alerts of phones, if a feature can do that. Resolves to a sentence about it. */
  readonly mute: ((target: PhoneTarget, length: MuteFor, who: string) => Promise<string>) | undefined;
  /**
   * The text of the message of a bot that the command replies to: then it is about that message. Text by others is marked as
   * {@link quote} does.
   */
  readonly quoted?: string | undefined;
  /** Taps the only button, or offers several. With a question, it offers a single one, too. */
  readonly choose: (found: readonly ChatButton[], question?: string) => Promise<ChatAnswer>;
  /** Says that a word matches nothing. */
  readonly absent: (view: FleetView, word: string) => string;
};

export type ChatCommand = {
  readonly command: string;
  /** Describes it in the language in force. */
  readonly describe: () => string;
  readonly answer: (asked: ChatRequest) => Promise<ChatAnswer>;
};

/** A line of `telegram --check`. */
export type ChatCheck = readonly [what: string, works: 'yes' | 'no' | 'off', details: string];

export type ChatPart = {
  readonly commands?: readonly ChatCommand[];
  /** Answers plain text that replies to a message of a bot. */
  readonly reply?: ChatCommand['answer'];
  /** Returns the problem of a phone as a sentence, instead of the usual one; undefined to keep that. */
  readonly problem?: (view: FleetView, phone: FleetPhone) => string | undefined;
  /** Returns a line about a phone; `''` for none. */
  readonly phone?: (exporter: ChatExporter, phone: FleetPhone) => Promise<string>;
  /** Returns lines about the phones of a group. */
  readonly group?: (view: FleetView, entries: readonly PhoneEntry[]) => readonly string[];
  /** Mutes the alerts of phones, and returns a sentence about it. */
  readonly mute?: (
    request: Pick<ChatRequest, 'exporter' | 'now' | 'place'>,
    target: PhoneTarget,
    length: MuteFor,
    who: string,
  ) => Promise<string>;
  /** Returns buttons below places that need attention. */
  readonly offers?: (asked: ChatRequest, view: FleetView, visits: readonly Visit[]) => readonly ChatButton[];
  /** Returns a message that follows the morning message of a local date; undefined for none. */
  readonly morning?: (exporter: ChatExporter, date: string) => Promise<ChatAnswer | undefined>;
  /** Returns the messages that are due, each for a chat. Called every minute. */
  readonly due?: (
    exporter: ChatExporter,
    fleet: FleetDocument,
    now: number,
  ) => Promise<readonly (Pick<ChatRequest, 'place'> & { readonly text: string })[]>;
  readonly check?: (exporter: ChatExporter, fleet: FleetDocument) => Promise<ChatCheck>;
};

/** Says why the exporter refused a change. */
export function refusalText(content: string): string {
  const reason = quote(content.replace(/^nothing was changed: /, '').slice(0, 300));
  return say('not-changed', { reason });
}

/** Marks text by others, such as a label. A chat shows it literally. */
export function quote(text: string): string {
  return `\uE000${text.replace(/[\uE000\uE001\s]/g, ' ').trim() || say('unnamed')}\uE001`;
}

/** Writes an incident on one line of a message. */
export function incidentText({ fleet, now, time }: FleetView, incident: FleetIncident): string {
  return descriptionText(describeIncident(incident, fleet, now, time), time, quote);
}

/** Reports whether a message has a text that was marked, or, in a message without marks, contains it as a whole word. */
export function hasName(message: string, name: string): boolean {
  const shown = quote(name);
  if (message.includes('\uE000')) return message.includes(shown);
  const index = message.indexOf(shown.slice(1, -1));
  const around =
    index === -1 ? '//' : `${message[index - 1] ?? ' '}${message[index + shown.length - 2] ?? ' '}`;
  return !/[\p{L}\p{N}/_-]/u.test(around);
}
