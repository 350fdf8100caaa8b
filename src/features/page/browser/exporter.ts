import type { FleetDocument } from '../../../fleet/document.ts';
import { type ConnectionState, REQUEST_FAILURES, type RequestFailure } from '../../../fleet/freshness.ts';
import { language, say } from '../../../text/say.ts';

/** Bounds on the interval between two requests, whatever the poll interval, so that a stopped exporter is noticed. */
const MAX_SECONDS = 60;
const MIN_SECONDS = 5;

/** Interval until the first poll has ended. */
const FIRST_POLL_SECONDS = 2;

/** Interval while the page is hidden: its title and icon are at most a minute old. */
const HIDDEN_SECONDS = 60;

/** If a request is older than this when the page is shown again, the page sends another one. In milliseconds. */
const SLOW_MILLISECONDS = 3_000;

const TIMEOUT_MILLISECONDS = 30_000;

/** The supported version of the document. */
const VERSION: FleetDocument['version'] = 1;

/**
 * Requests the fleet now and at intervals. While the page is hidden, it requests a summary without the phones, less often.
 *
 * @param onResponse called after each request
 */
export function connectToExporter(url: string, onResponse: () => void) {
  let known: FleetDocument | undefined;
  /** The newest document, which may be a summary. */
  let latest: FleetDocument | undefined;
  /** Keyed by whether the document is a summary. */
  const etags = new Map<boolean, string>();
  let clockOffset = 0;
  let state: ConnectionState = { lastResponseAt: undefined, failure: undefined, failingSince: undefined };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: { readonly at: number; readonly isSummary: boolean } | undefined;

  const now = (): number => Date.now() + clockOffset;
  const read = async (response: Response, isSummary: boolean): Promise<() => void> => {
    const offset = clockOffsetOf(response) ?? clockOffset;
    if (response.status !== 200 && response.status !== 304)
      throw new UnexpectedResponse(REQUEST_FAILURES.status(response.status));
    const body: unknown = response.status === 304 ? undefined : await response.json();
    if (body !== undefined && !isFleet(body)) throw new UnexpectedResponse(REQUEST_FAILURES.upgraded);
    return () => {
      if (body !== undefined) {
        etags.set(isSummary, response.headers.get('etag') ?? '');
        latest = body;
        if (!isSummary) known = body;
      }
      clockOffset = offset;
      state = { lastResponseAt: now(), failure: undefined, failingSince: undefined };
    };
  };
  const refresh = async (): Promise<void> => {
    if (current !== undefined) return;
    const own = { at: Date.now(), isSummary: document.hidden && known !== undefined };
    current = own;
    clearTimeout(timer);
    let change: () => void;
    try {
      const etag = etags.get(own.isSummary);
      // The browser's cache would hide a 304.
      const headers = etag ? { 'If-None-Match': etag } : {};
      const address = own.isSummary ? `${url}?phones=no` : url;
      change = await read(await request(address, { cache: 'no-store', headers }), own.isSummary);
    } catch (error) {
      const failure = failureOf(error);
      change = () => {
        state = { ...state, failure, failingSince: state.failingSince ?? state.lastResponseAt ?? now() };
      };
    }
    // A later request has taken its place.
    if (current !== own) return;
    current = undefined;
    change();
    onResponse();
    timer = setTimeout(refresh, (document.hidden ? HIDDEN_SECONDS : secondsToWait(known)) * 1000);
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(refresh, HIDDEN_SECONDS * 1000);
      return;
    }
    // A request from before the machine slept may hang, and a summary has no phones.
    const isUseless = current?.isSummary === true || Date.now() - (current?.at ?? 0) > SLOW_MILLISECONDS;
    if (isUseless) current = undefined;
    void refresh();
  });
  void refresh();
  return {
    /** The fleet is the same object if nothing has changed. The latest document may be newer, but without phones. */
    state: () => ({ fleet: known, latest, connection: state }),
    /** Milliseconds since 1970 by the exporter's clock, estimated from its `Date` header. */
    now,
    /** Requests the fleet at once. */
    refresh: () => void refresh(),
  };
}

/** A response that is not what was requested. */
class UnexpectedResponse extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.what());
    this.failure = failure;
  }
}

function failureOf(error: unknown): RequestFailure {
  return error instanceof UnexpectedResponse ? error.failure : REQUEST_FAILURES.noResponse;
}

/** Returns why a request failed, for a message about what could not be done. */
export function failureText(error: unknown): string {
  const failure = failureOf(error);
  const next = failure === REQUEST_FAILURES.noResponse ? say('page-try-again') : failure.next();
  return say('page-request-failed', { what: failure.what(), next });
}

/** Resolves to a JSON document from the exporter, or to the reason why there is none. */
export async function fetchJson<Document>(url: string): Promise<Document | string> {
  try {
    const response = await request(url);
    if (response.ok) return await response.json();
    return (await response.text()).trim() || say('page-status', { status: response.status });
  } catch (error) {
    return failureText(error);
  }
}

/** The result of a change as a sentence, and the time that identifies a note for the exporter. */
export type Sent = { readonly text: string; readonly isDone: boolean; readonly at?: string };

/** Sends a change to the exporter, whose response contains the sentence as `text`. */
export async function sendChange(method: 'POST' | 'DELETE', url: string, body?: unknown): Promise<Sent> {
  try {
    const response = await request(url, {
      method,
      headers: {
        'accept-language': language(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) return { text: `${say('page-not-saved')} ${text.trim()}`, isDone: false };
    const done = JSON.parse(text);
    return { text: String(done.text), isDone: true, at: String(done.at) };
  } catch (error) {
    return { text: `${say('page-not-saved')} ${failureText(error)}`, isDone: false };
  }
}

/**
 * Sends a request to the exporter.
 *
 * @throws if there is no response in time, or if a proxy's login page responds: the exporter never redirects, and this
 *   page's requests never get HTML
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
  const isEmpty = fleet?.accounts?.some(({ readings }) => readings.devices.lastAttemptAt === undefined);
  if (isEmpty === true) return FIRST_POLL_SECONDS;
  const interval = fleet?.exporter?.pollSeconds.devices ?? MIN_SECONDS;
  return Math.max(MIN_SECONDS, Math.min(interval, MAX_SECONDS));
}

/** Milliseconds by which the exporter's clock is ahead of the browser's. On average, `Date` is half a second late. */
function clockOffsetOf(response: Response): number | undefined {
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date + 500 - Date.now();
}

function isFleet(body: unknown): body is FleetDocument {
  return typeof body === 'object' && body !== null && 'version' in body && body.version === VERSION;
}

/** Calls back on every whole second. Browsers do so less often while the page is hidden. */
export function eachSecond(callback: () => void): void {
  const again = (): void => {
    setTimeout(again, 1_000 - (Date.now() % 1_000));
    callback();
  };
  again();
}
