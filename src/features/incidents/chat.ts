import {
  type ChatAnswer,
  type ChatButton,
  type ChatExporter,
  type ChatPart,
  type ChatRequest,
  quote,
  refusalText,
} from '../../fleet/chat.ts';
import type { FleetDocument, FleetIncident } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { findGroups, findPhones } from '../../fleet/find.ts';
import { incidentTarget } from '../../fleet/targets.ts';
import { incidentTitle } from '../../fleet/words.ts';
import { splitNames } from '../../model/text.ts';
import {
  INCIDENT_CHANGE,
  INCIDENTS_DOCUMENT,
  type IncidentsDocument,
  STATISTICS_DOCUMENT,
} from './document.ts';
import { comparisonText, incidentSubject, incidentsText, WORDS, weekText } from './words.ts';

/*
 * The logbook in a chat: the incidents of 31 days, the week on Monday, who is on an incident, and notes. Alerts end with
 * commands such as /ack_1764288123, which name an incident by its start in seconds since 1970.
 */

export const incidentsChat: ChatPart = {
  commands: [
    { command: 'log', description: WORDS.command, answer: log },
    { command: 'ack', description: WORDS.acknowledgeCommand, answer: acknowledge },
    { command: 'note', description: WORDS.noteCommand, answer: noteOnPhone },
  ],
  reply: (quoted) => {
    const code = /\/ack_(\d+)/.exec(quoted)?.[1];
    return code === undefined ? undefined : (request) => noteOnIncident(request, code);
  },
  morning: async (exporter, date) => {
    if (new Date(date).getUTCDay() !== MONDAY) return undefined;
    const { now, fleet } = await exporter.view(false);
    const { content } = await exporter.request('GET', `${PATH}?days=14`);
    const document = parseDocument(INCIDENTS_DOCUMENT, content);
    return document && { text: weekText(document.incidents, now, quote, fleet) };
  },
};

const PATH = '/api/v1/incidents';
const MONDAY = 1;

async function log(request: ChatRequest): Promise<ChatAnswer> {
  const { exporter, words, choose, absent } = request;
  const name = words.join(' ');
  if (name === '') return await answerAbout({}, request);
  const view = await exporter.view(true);
  const groups = findGroups(view.fleet, name).map(
    ({ title, item: { account, group } }) => [title, { account, group }] as const,
  );
  const phones = findPhones(view.fleet, name).map(
    ({ title, item: { account, id } }) => [title, { account, device: id }] as const,
  );
  const found = groups.length > 0 ? groups : phones;
  if (found.length > 0)
    return await choose(found.map(([label, query]) => ({ label, tap: () => answerAbout(query, request) })));
  // The name of a phone that left, or that has another name now.
  return await answerAbout({ device: name }, request, absent(view, name));
}

/** Requests incidents. Resolves to the reason, as a sentence, if the exporter does not send them. */
async function incidentsOf(exporter: ChatExporter, query: string): Promise<IncidentsDocument | string> {
  const { status, content } = await exporter.request('GET', `${PATH}${query}`);
  const reason = status === 200 ? WORDS.otherVersion : quote(content.slice(0, 200));
  return parseDocument(INCIDENTS_DOCUMENT, content) ?? `${WORDS.failed} ${reason}.`;
}

/** Writes the incidents that parameters select, beside those before. */
async function answerAbout(
  selection: Readonly<Record<string, string>>,
  { exporter, now }: ChatRequest,
  none?: string,
): Promise<ChatAnswer> {
  const document = await incidentsOf(exporter, `?${new URLSearchParams(selection)}`);
  if (typeof document === 'string') return { text: document };
  if (none !== undefined && document.incidents.length === 0) return { text: none };
  const { time, fleet } = await exporter.view(false);
  const numbers = await exporter.request(
    'GET',
    `${PATH}?${new URLSearchParams({ ...selection, by: 'group' })}`,
  );
  const rows = parseDocument(STATISTICS_DOCUMENT, numbers.content)?.rows ?? [];
  const compared = comparisonText(rows, fleet, quote);
  return { text: [incidentsText(document.incidents, now(), time, quote), ...compared].join('\n') };
}

/** Returns the open incidents that a code names; without a code, those that nobody has acknowledged. */
function openIncidents({ incidents }: FleetDocument, code: string | undefined): readonly FleetIncident[] {
  const open = incidents.filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info');
  if (code === undefined) return open.filter(({ acknowledgedAt }) => acknowledgedAt === undefined);
  return open.filter((incident) => beganAt(incident, code));
}

/** Alerts round half a second to the even one: both seconds beside it name the incident. */
const beganAt = ({ since = '' }: FleetIncident, code: string): boolean =>
  Math.abs(Date.parse(since) / 1000 - Number(code)) <= 0.5;

const titleOf = (incident: FleetIncident): string =>
  `${incidentSubject(incident)}: ${incidentTitle(incident)}`;

/** The ends of maintenance that alerts and buttons offer. */
const ENDS: Readonly<Record<string, object>> = { '2h': { for: '2h' }, back: { until_back: true } };

/** `/ack_1764288123`, or with `_2h` or `_back` to mute its phones too. */
async function acknowledge({ words: [code, end = ''], exporter, choose }: ChatRequest): Promise<ChatAnswer> {
  const { fleet } = await exporter.view(true);
  const found = openIncidents(fleet, code);
  if (found.length === 0) return { text: code === undefined ? WORDS.allAcknowledged : WORDS.notOpen };
  return await choose(
    found.map((incident) => ({
      label: titleOf(incident),
      tap: (who) => acknowledgeOne(incident, ENDS[end], { exporter, fleet }, who),
    })),
  );
}

type OfOne = { readonly exporter: ChatExporter; readonly fleet: FleetDocument };

async function acknowledgeOne(
  incident: FleetIncident,
  end: object | undefined,
  { exporter, fleet }: OfOne,
  by: string,
): Promise<ChatAnswer> {
  const { account, id } = incident;
  const { text, isDone } = await change(exporter, PATH, { account, incident: id, acknowledge: true, by });
  const about = `${quote(titleOf(incident))}: ${text}`;
  const scope = fleet.exporter.allowsMaintenance ? incidentTarget(incident, fleet)?.scope : undefined;
  if (!isDone || scope === undefined) return { text: about };
  if (end !== undefined) return { text: `${about}\n${await mute(exporter, { ...scope, ...end, by })}` };
  const buttons = (['2h', 'back'] as const).map(
    (length): ChatButton => ({
      label: WORDS.mute[length],
      tap: async (who) => ({ text: await mute(exporter, { ...scope, ...ENDS[length], by: who }) }),
    }),
  );
  return { text: about, buttons };
}

async function mute(exporter: ChatExporter, body: object): Promise<string> {
  return `${WORDS.maintenance} ${(await change(exporter, '/api/v1/maintenance', body)).text}`;
}

/** Adds the text of a reply to an alert to its incident, which may be resolved. */
async function noteOnIncident({ exporter, words, choose }: ChatRequest, code: string): Promise<ChatAnswer> {
  const document = await incidentsOf(exporter, '');
  if (typeof document === 'string') return { text: document };
  const found = document.incidents.filter((incident) => beganAt(incident, code));
  if (found.length === 0) return { text: WORDS.noSuchIncident };
  return await choose(
    found.map((incident) => ({
      label: titleOf(incident),
      tap: async (by) => {
        const { account, id } = incident;
        const { text } = await change(exporter, PATH, { account, incident: id, note: words.join(' '), by });
        return { text: `${quote(titleOf(incident))}: ${text}` };
      },
    })),
  );
}

/** `/note rack-03/slot-04 battery swollen`, or `/note "Kyiv 1" …`. */
async function noteOnPhone({ exporter, words, choose, absent }: ChatRequest): Promise<ChatAnswer> {
  const [, quoted, plain, note = ''] = /^(?:"([^"]+)"|(\S+))\s*(.*)$/s.exec(words.join(' ')) ?? [];
  const [name = ''] = splitNames(quoted ?? plain ?? '');
  const view = await exporter.view(true);
  const found = findPhones(view.fleet, name);
  if (found.length === 0) return { text: absent(view, name) };
  if (note === '') return { text: WORDS.whichNote };
  return await choose(
    found.map(({ title, item: { account, id } }) => ({
      label: title,
      tap: async (by) => {
        const { text } = await change(exporter, PATH, { account, device: id, note, by });
        return { text: `${quote(title)}: ${text}` };
      },
    })),
  );
}

/** Requests a change. The text is the sentence of the exporter, or why nothing was changed. */
async function change(
  exporter: ChatExporter,
  path: string,
  body: object,
): Promise<{ readonly text: string; readonly isDone: boolean }> {
  const { status, content } = await exporter.request('POST', path, body);
  if (status >= 300) return { text: refusalText(content), isDone: false };
  return { text: parseDocument(INCIDENT_CHANGE, content)?.text ?? WORDS.otherVersion, isDone: true };
}
