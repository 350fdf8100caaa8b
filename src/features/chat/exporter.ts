import type { Clock } from '../../base/clock.ts';
import type { SendRequest } from '../../cli/own-exporter.ts';
import { FLEET_DOCUMENT } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { type TalkExporter, Unavailable } from '../../fleet/talk.ts';
import { timeIn } from '../../fleet/trust.ts';

/** The running exporter. */
export type Exporter = TalkExporter & {
  /**
   * Returns when the fleet could not be read first, in milliseconds since 1970, and why as a sentence for the owner.
   * Undefined after it was read.
   */
  readonly failing: () => { readonly since: number; readonly text: string } | undefined;
};

/** @param send rejects without a response */
export function createExporter(send: SendRequest, timeZone: string, clock: Pick<Clock, 'now'>): Exporter {
  /** Instant of the last response, or of the first failure before any. */
  let respondedAt: number | undefined;
  let failing: ReturnType<Exporter['failing']>;
  /** The clock of the exporter at its last response; ours where it sent no `Date`. */
  let now = 0;
  const ask: Exporter['ask'] = async (method, path, body) => {
    try {
      const { date = '', ...answer } = await send(method, path, body);
      respondedAt = clock.now();
      now = Date.parse(date) || respondedAt;
      return answer;
    } catch {
      respondedAt ??= clock.now();
      throw new Unavailable(
        `The exporter does not respond since ${timeIn(timeZone, clock.now())(respondedAt)}.`,
      );
    }
  };
  const view: Exporter['view'] = async (phones) => {
    try {
      const { status, content } = await ask('GET', `/api/v1/fleet${phones ? '' : '?phones=no'}`);
      if (status === 401) throw new Unavailable(content);
      const fleet = status === 200 ? parseDocument(FLEET_DOCUMENT, content) : undefined;
      if (fleet === undefined)
        throw new Unavailable(`The exporter answers with status ${status} and no fleet of version 1.`);
      failing = undefined;
      return { fleet, now, time: timeIn(timeZone, now) };
    } catch (error) {
      const text = error instanceof Error ? error.message : '';
      failing = { since: failing?.since ?? respondedAt ?? clock.now(), text };
      throw error;
    }
  };
  return { view, ask, failing: () => failing };
}
