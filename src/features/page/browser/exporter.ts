import type { FleetDocument } from '../../../fleet/document.ts';
import { type ConnectionState, REQUEST_FAILURES, type RequestFailure } from '../../../fleet/freshness.ts';
import { WORDS } from './words.ts';

/** Bounds of the interval between two requests, whatever the poll interval, so that a stopped exporter is noticed. */
const MAX_SECONDS = 60;
const MIN_SECONDS = 5;

/** Interval before the first poll has ended. */
const FIRST_POLL_SECONDS = 2;

const TIMEOUT_MILLISECONDS = 30_000;

/** The supported version of the document. */
const VERSION: FleetDocument['version'] = 1;

/**
 * Requests the fleet now and at intervals while the page is visible.
 *
 * @param onResponse called after each request
 */
export function connectToExporter(url: string, onResponse: () => void) {
  let known: FleetDocument | undefined;
  let etag: string | undefined;
  let clockOffset = 0;
  let state: ConnectionState = { lastResponseAt: undefined, failure: undefined, failingSince: undefined };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requesting = false;

  const now = (): number => Date.now() + clockOffset;
  const accept = async (response: Response): Promise<void> => {
    if (response.status !== 304) {
      if (response.status !== 200) throw new UnexpectedResponse(REQUEST_FAILURES.status(response.status));
      const body: unknown = await response.json();
      if (!isFleet(body)) throw new UnexpectedResponse(REQUEST_FAILURES.upgraded);
      known = body;
      etag = response.headers.get('etag') ?? undefined;
    }
    clockOffset = clockOffsetOf(response) ?? clockOffset;
    state = { lastResponseAt: now(), failure: undefined, failingSince: undefined };
  };
  const refresh = async (): Promise<void> => {
    if (requesting) return;
    requesting = true;
    clearTimeout(timer);
    try {
      // The cache of the browser would hide a 304.
      const headers = etag === undefined ? {} : { 'If-None-Match': etag };
      await accept(await request(url, { cache: 'no-store', headers }));
    } catch (error) {
      const failure = failureOf(error);
      state = { ...state, failure, failingSince: state.failingSince ?? state.lastResponseAt ?? now() };
    }
    requesting = false;
    onResponse();
    if (!document.hidden) timer = setTimeout(refresh, secondsToWait(known) * 1000);
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (!document.hidden) void refresh();
  });
  void refresh();
  return {
    /** The fleet is the same object if nothing has changed. */
    state: () => ({ fleet: known, connection: state }),
    /** Milliseconds since 1970 by the clock of the exporter, estimated from its `Date` header. */
    now,
    /** Requests the fleet at once. */
    refresh: () => void refresh(),
  };
}

/** A response that is not what was requested. */
class UnexpectedResponse extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.what);
    this.failure = failure;
  }
}

function failureOf(error: unknown): RequestFailure {
  return error instanceof UnexpectedResponse ? error.failure : REQUEST_FAILURES.noResponse;
}

/** Returns why a request failed, for a message about what could not be done. */
export function failureText(error: unknown): string {
  const failure = failureOf(error);
  const next = failure === REQUEST_FAILURES.noResponse ? 'Try again.' : failure.next;
  return `the exporter cannot be reached. ${failure.what}. ${next}`;
}

/** Resolves to a JSON document of the exporter, or to the reason why there is none. */
export async function fetchJson<Document>(url: string): Promise<Document | string> {
  try {
    const response = await request(url);
    if (response.ok) return await response.json();
    return (await response.text()).trim() || `status ${response.status}`;
  } catch (error) {
    return failureText(error);
  }
}

/** The result of a change as a sentence. */
export type Sent = { readonly text: string; readonly isDone: boolean };

/** Sends a change to the exporter, whose response has the sentence as `text`. */
export async function sendChange(method: 'POST' | 'DELETE', url: string, body?: unknown): Promise<Sent> {
  try {
    const response = await request(url, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) return { text: `${WORDS.notSaved} ${text.trim()}`, isDone: false };
    return { text: String(JSON.parse(text).text), isDone: true };
  } catch (error) {
    return { text: `${WORDS.notSaved} ${failureText(error)}`, isDone: false };
  }
}

/**
 * Sends a request to the exporter.
 *
 * @throws if there is no response in time, or if a login page of a proxy responds: the exporter never redirects, and
 *   requests of this page get no HTML
 */
export async function request(url: string, options: RequestInit = {}): Promise<Response> {
  // Old browsers have no `AbortSignal.timeout`.
  const controller = new AbortController();
  setTimeout(() => controller.abort(), TIMEOUT_MILLISECONDS);
  const response = await fetch(url, { ...options, redirect: 'manual', signal: controller.signal });
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 401) throw new UnexpectedResponse(REQUEST_FAILURES.loginRequired);
  if (response.type === 'opaqueredirect' || type.startsWith('text/html'))
    throw new UnexpectedResponse(REQUEST_FAILURES.foreign);
  return response;
}

function secondsToWait(fleet: FleetDocument | undefined): number {
  const isEmpty = fleet?.accounts.some(({ readings }) => readings.devices.lastAttemptAt === undefined);
  if (isEmpty === true) return FIRST_POLL_SECONDS;
  const interval = fleet?.exporter.pollSeconds.devices ?? MIN_SECONDS;
  return Math.max(MIN_SECONDS, Math.min(interval, MAX_SECONDS));
}

/** Milliseconds by which the exporter's clock is ahead of the browser's; `Date` is half a second late on average. */
function clockOffsetOf(response: Response): number | undefined {
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date + 500 - Date.now();
}

function isFleet(body: unknown): body is FleetDocument {
  return typeof body === 'object' && body !== null && 'version' in body && body.version === VERSION;
}

/** Calls back at each whole second while the page is visible. */
export function eachSecond(callback: () => void): void {
  const again = (): void => {
    setTimeout(again, 1_000 - (Date.now() % 1_000));
    if (!document.hidden) callback();
  };
  again();
}
