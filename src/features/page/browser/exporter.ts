import type { FleetDocument } from '../../../fleet/document.ts';
import type { ConnectionState } from '../../../fleet/freshness.ts';

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
  let cancel = (): void => {};
  let requesting = false;

  const now = (): number => Date.now() + clockOffset;
  const accept = async (response: Response): Promise<void> => {
    if (response.status !== 304) {
      if (response.status !== 200) throw new UnexpectedResponse(`responded with status ${response.status}`);
      const body: unknown = await response.json();
      if (!isFleet(body)) throw new UnexpectedResponse('been upgraded (reload this page)');
      known = body;
      etag = response.headers.get('etag') ?? undefined;
    }
    clockOffset = clockOffsetOf(response) ?? clockOffset;
    state = { lastResponseAt: now(), failure: undefined, failingSince: undefined };
  };
  const request = async (): Promise<void> => {
    if (requesting) return;
    requesting = true;
    cancel();
    try {
      // The cache of the browser would hide a 304.
      const headers = etag === undefined ? {} : { 'If-None-Match': etag };
      await accept(await fetchInTime(url, { cache: 'no-store', headers }));
    } catch (error) {
      const failure = error instanceof UnexpectedResponse ? error.message : 'not responded';
      state = { ...state, failure, failingSince: state.failingSince ?? state.lastResponseAt ?? now() };
    }
    requesting = false;
    onResponse();
    if (!document.hidden) cancel = after(secondsToWait(known) * 1000, request);
  };
  document.addEventListener('visibilitychange', () => {
    cancel();
    if (!document.hidden) void request();
  });
  void request();
  return {
    /** The fleet is the same object if nothing has changed. */
    state: () => ({ fleet: known, connection: state }),
    /** Milliseconds since 1970 by the clock of the exporter, estimated from its `Date` header. */
    now,
    /** Requests the fleet at once. */
    refresh: () => void request(),
  };
}

/** A response that is not the fleet. The message is the end of "It has …". */
class UnexpectedResponse extends Error {}

/** Resolves to a JSON document of the exporter, or to the reason why there is none. */
export async function fetchJson<Document>(url: string): Promise<Document | string> {
  try {
    const response = await fetchInTime(url, {});
    if (response.ok) return await response.json();
    return (await response.text()).trim() || `status ${response.status}`;
  } catch {
    return 'the exporter is not responding. Try again.';
  }
}

/** Old browsers have no `AbortSignal.timeout`. */
function fetchInTime(url: string, options: RequestInit): Promise<Response> {
  const controller = new AbortController();
  after(TIMEOUT_MILLISECONDS, () => controller.abort());
  return fetch(url, { ...options, signal: controller.signal });
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

/** @returns a function that cancels the call */
function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** Calls back at each whole second while the page is visible. */
export function eachSecond(callback: () => void): void {
  const again = (): void => {
    after(1_000 - (Date.now() % 1_000), again);
    if (!document.hidden) callback();
  };
  again();
}
