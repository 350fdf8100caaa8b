import type { Clock } from '../../base/clock.ts';
import type { SendRequest } from '../../cli/own-exporter.ts';
import { type ChatExporter, Unavailable } from '../../fleet/chat.ts';
import { FLEET_DOCUMENT } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { timeIn } from '../../fleet/trust.ts';
import { WORDS } from './words.ts';

/** The running exporter. */
export type Exporter = ChatExporter & {
  /**
   * Returns the start of an outage, in milliseconds since 1970, and its reason as a sentence for the owner; undefined after
   * a response.
   */
  readonly failing: () => { readonly since: number; readonly text: string } | undefined;
};

/** @param send rejects without a response */
export function createExporter(send: SendRequest, timeZone: string, clock: Pick<Clock, 'now'>): Exporter {
  /** Instant of the last response, or of the first failure before any. */
  let respondedAt: number | undefined;
  let failing: ReturnType<Exporter['failing']>;
  /** The clock of the exporter at its last response; our clock if it sent no `Date`. */
  let now = 0;
  const request: Exporter['request'] = async (method, path, body) => {
    try {
      const { date = '', ...answer } = await send(method, path, body);
      respondedAt = clock.now();
      now = Date.parse(date) || respondedAt;
      return answer;
    } catch {
      respondedAt ??= clock.now();
      throw new Unavailable(WORDS.awaySince(timeIn(timeZone, clock.now())(respondedAt)));
    }
  };
  const view: Exporter['view'] = async (phones) => {
    try {
      const { status, content } = await request('GET', `/api/v1/fleet${phones ? '' : '?phones=no'}`);
      if (status === 401) throw new Unavailable(content);
      const fleet = status === 200 ? parseDocument(FLEET_DOCUMENT, content) : undefined;
      if (fleet === undefined) throw new Unavailable(WORDS.otherResponse(status));
      failing = undefined;
      return { fleet, now, time: timeIn(timeZone, now) };
    } catch (error) {
      const text = error instanceof Error ? error.message : '';
      failing = { since: failing?.since ?? respondedAt ?? clock.now(), text };
      throw error;
    }
  };
  return { view, request, failing: () => failing };
}
