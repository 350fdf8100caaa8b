import type { Clock } from '../../base/clock.ts';
import { FLEET_DOCUMENT } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { type TalkExporter, Unavailable } from '../../fleet/talk.ts';
import { timeIn, type View } from '../../fleet/trust.ts';

export type ExporterAnswer = { readonly status: number; readonly content: string };

type Method = 'GET' | 'POST' | 'DELETE';

/** Sends a request to the exporter; rejects without a response. */
export type SendRequest = (
  method: Method,
  path: string,
  body?: object,
) => Promise<ExporterAnswer & { readonly date: string | undefined }>;

/** The running exporter. */
export type Exporter = TalkExporter & {
  /** Undefined after a fleet was read. */
  readonly failing: () => ExporterFailure | undefined;
};

/** First failure, in milliseconds since 1970, and its reason as a sentence for the owner. */
type ExporterFailure = { readonly since: number; readonly text: string };

export type ExporterOptions = {
  readonly timeZone: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly send: SendRequest;
};

export function createExporter({ timeZone, clock, send }: ExporterOptions): Exporter {
  let respondedAt: number | undefined;
  let awaySince: number | undefined;
  let failing: ExporterFailure | undefined;
  /** The clock of the exporter at its last answer; ours where it sent no `Date`. */
  let now = 0;
  const ask: Exporter['ask'] = async (method, path, body) => {
    try {
      const { date = '', ...answer } = await send(method, path, body);
      now = Date.parse(date) || clock.now();
      respondedAt = clock.now();
      awaySince = undefined;
      return answer;
    } catch {
      awaySince ??= respondedAt ?? clock.now();
      throw new Unavailable(
        `The exporter does not respond since ${timeIn(timeZone, clock.now())(awaySince)}.`,
      );
    }
  };
  const read = async (phones: boolean): Promise<View> => {
    const { status, content } = await ask('GET', `/api/v1/fleet${phones ? '' : '?phones=no'}`);
    if (status === 401) throw new Unavailable(content);
    const fleet = status === 200 ? parseDocument(FLEET_DOCUMENT, content) : undefined;
    if (fleet === undefined)
      throw new Unavailable(`The exporter answers with status ${status} and no fleet of version 1.`);
    return { fleet, now, time: timeIn(timeZone, now) };
  };
  const view: Exporter['view'] = async (phones) => {
    try {
      const fleet = await read(phones);
      failing = undefined;
      return fleet;
    } catch (error) {
      const text = error instanceof Error ? error.message : '';
      failing = { since: failing?.since ?? awaySince ?? clock.now(), text };
      throw error;
    }
  };
  return { view, ask, failing: () => failing };
}
