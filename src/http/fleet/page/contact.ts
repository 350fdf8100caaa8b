import type { FleetDocument } from '../document.ts';
import { after, localNow } from './clock.ts';
import type { Contact } from './freshness.ts';

/** Seconds between two questions, whatever the interval of the polls: an exporter that ended should be noticed. */
const MOST_SECONDS = 60;
const LEAST_SECONDS = 5;

/** Seconds until the next question while there is nothing to show yet. */
const EAGER_SECONDS = 2;

/** Milliseconds after which no answer will come any more. */
const TIMEOUT_MILLISECONDS = 20_000;

/** The shape of document that this page understands. */
const VERSION: FleetDocument['version'] = 1;

export type ContactOptions = {
  readonly url: string;
  /** Told after each question; the document is the same object where nothing has changed. */
  readonly onAnswer: (document: FleetDocument | undefined) => void;
};

/** The line to the exporter. */
export type Line = {
  readonly contact: () => Contact;
  /** Milliseconds since 1970 by the clock of the exporter, as far as it can be told. */
  readonly now: () => number;
};

/** Asks for the fleet now and again and again while somebody looks. */
export function keepContact({ url, onAnswer }: ContactOptions): Line {
  let known: FleetDocument | undefined;
  let tag: string | undefined;
  let ahead = 0;
  let contact: Contact = { heardAt: undefined, trouble: undefined, troubleSince: undefined };
  let cancel = (): void => {};
  let asking = false;

  const now = (): number => localNow() + ahead;
  const take = async (response: Response): Promise<void> => {
    if (response.status !== 304) {
      if (response.status !== 200) throw new Refusal(`answers with status ${response.status}`);
      const body: unknown = await response.json();
      if (!isFleet(body)) throw new Refusal('has become another version (reload this page)');
      known = body;
      tag = response.headers.get('etag') ?? undefined;
    }
    ahead = aheadOf(response) ?? ahead;
    contact = { heardAt: now(), trouble: undefined, troubleSince: undefined };
  };
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    cancel();
    try {
      await take(await question(url, tag));
    } catch (error) {
      const trouble = error instanceof Refusal ? error.message : 'has not answered';
      contact = { ...contact, trouble, troubleSince: contact.troubleSince ?? now() };
    }
    asking = false;
    onAnswer(known);
    if (!document.hidden) cancel = after(secondsToWait(known) * 1000, ask);
  };
  document.addEventListener('visibilitychange', () => {
    cancel();
    if (!document.hidden) void ask();
  });
  void ask();
  return { contact: () => contact, now };
}

/** The exporter answered, and not with the fleet. The message is the end of "It …". */
class Refusal extends Error {}

/** The tag is compared here and not in the browser's cache, which would hide that nothing has changed. */
function question(url: string, tag: string | undefined): Promise<Response> {
  return fetch(url, {
    cache: 'no-store',
    headers: tag === undefined ? {} : { 'If-None-Match': tag },
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
}

function secondsToWait(fleet: FleetDocument | undefined): number {
  const isEmpty = fleet?.accounts.some(({ readings }) => readings.devices.lastAttemptAt === undefined);
  if (isEmpty === true) return EAGER_SECONDS;
  const interval = fleet?.exporter.pollIntervalSeconds ?? LEAST_SECONDS;
  return Math.max(LEAST_SECONDS, Math.min(interval, MOST_SECONDS));
}

/** By how many milliseconds the exporter's clock is ahead of ours; its `Date` leaves out half a second on average. */
function aheadOf(response: Response): number | undefined {
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date + 500 - localNow();
}

function isFleet(body: unknown): body is FleetDocument {
  return typeof body === 'object' && body !== null && 'version' in body && body.version === VERSION;
}
