import type { Clock } from '../../base/clock.ts';
import { createTimeZone, type TimeZone } from '../../base/time-zone.ts';
import type { SendRequest } from '../../cli/own-exporter.ts';
import { type ChatExporter, Unavailable } from '../../fleet/chat.ts';
import type { FleetDocument, FleetExporter } from '../../fleet/document.ts';
import { timeIn } from '../../fleet/trust.ts';
import { say } from '../../text/say.ts';

/** The running exporter. */
export type Exporter = ChatExporter & {
  /**
   * Returns the start of an outage, in milliseconds since 1970, and its reason as a sentence for the owner; undefined after
   * a response.
   */
  readonly failing: () => { readonly since: number; readonly text: string } | undefined;
  /** The owner's time zone, as the exporter last reported it; UTC before that. */
  readonly timeZone: () => TimeZone;
  /** The owner's language, as the exporter last reported it. */
  readonly language: () => string | undefined;
};

/**
 * @param send rejects without a response
 * @param parse returns the fleet of a response; undefined for another document
 * @param ownZone the name of this chat's time zone; by default the exporter's
 */
export function createExporter(
  send: SendRequest,
  parse: (content: string) => FleetDocument | undefined,
  ownZone: string | undefined,
  clock: Pick<Clock, 'now'>,
): Exporter {
  /** The exporter as in its last response. */
  let theirs: FleetExporter | undefined;
  const timeZone = (): string => ownZone ?? theirs?.timeZone ?? 'UTC';
  /** Instant of the last response, or of the first failure if there was none. */
  let respondedAt: number | undefined;
  let failing: ReturnType<Exporter['failing']>;
  /** The exporter's clock at its last response; our clock if it sent no `Date`. */
  let now = 0;
  /** Requests sentences with times in the chat's zone. */
  const inZone = (path: string): string =>
    ownZone === undefined || ownZone === theirs?.timeZone
      ? path
      : `${path}${path.includes('?') ? '&' : '?'}time_zone=${encodeURIComponent(ownZone)}`;
  const request: Exporter['request'] = async (method, path, body) => {
    try {
      const { date = '', ...answer } = await send(method, method === 'GET' ? path : inZone(path), body);
      respondedAt = clock.now();
      now = Date.parse(date) || respondedAt;
      return answer;
    } catch {
      respondedAt ??= clock.now();
      const since = respondedAt;
      throw new Unavailable(() => say('chat-away-since', { time: timeIn(timeZone(), clock.now())(since) }));
    }
  };
  const view: Exporter['view'] = async (phones) => {
    try {
      const { status, content } = await request('GET', `/api/v1/fleet${phones ? '' : '?phones=no'}`);
      if (status === 401) throw new Unavailable(content);
      const fleet = status === 200 ? parse(content) : undefined;
      if (fleet === undefined) throw new Unavailable(() => say('chat-other-response', { status }));
      failing = undefined;
      theirs = fleet.exporter;
      const exporter = { ...theirs, timeZone: timeZone() };
      return { fleet: { ...fleet, exporter }, now, time: timeIn(timeZone(), now) };
    } catch (error) {
      failing = {
        since: failing?.since ?? respondedAt ?? clock.now(),
        get text() {
          if (error instanceof Unavailable) return error.write();
          return error instanceof Error ? error.message : '';
        },
      };
      throw error;
    }
  };
  return {
    view,
    request,
    failing: () => failing,
    timeZone: () => createTimeZone(timeZone()),
    language: () => theirs?.language,
  };
}
