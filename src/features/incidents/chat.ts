import { type ChatAnswer, type ChatPart, type ChatRequest, quote } from '../../fleet/chat.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { findGroups, findPhones } from '../../fleet/find.ts';
import { INCIDENTS_DOCUMENT } from './document.ts';
import { incidentsText, WORDS, weekText } from './words.ts';

/** The incidents of 31 days in a chat: of all phones, or of a group or a phone. On Monday, the week is summed up. */
export const incidentsChat: ChatPart = {
  commands: [{ command: 'log', description: WORDS.command, answer }],
  morning: async (exporter, date) => {
    if (new Date(date).getUTCDay() !== MONDAY) return undefined;
    const { now } = await exporter.view(false);
    const { content } = await exporter.request('GET', `${PATH}?days=14`);
    const document = parseDocument(INCIDENTS_DOCUMENT, content);
    return document && { text: weekText(document.incidents, now, quote) };
  },
};

const PATH = '/api/v1/incidents';
const MONDAY = 1;

async function answer({ exporter, words, now, choose, absent }: ChatRequest): Promise<ChatAnswer> {
  const name = words.join(' ');
  const sources = { exporter, now };
  if (name === '') return { text: (await textOf({}, sources)) ?? '' };
  const view = await exporter.view(true);
  const groups = findGroups(view.fleet, name).map(
    ({ title, item: { account, group } }) => [title, { account, group }] as const,
  );
  const phones = findPhones(view.fleet, name).map(
    ({ title, item: { account, id } }) => [title, { account, device: id }] as const,
  );
  const found = groups.length > 0 ? groups : phones;
  if (found.length > 0)
    return await choose(
      found.map(([label, query]) => ({
        label,
        tap: async () => ({ text: (await textOf(query, sources)) ?? '' }),
      })),
    );
  // The name of a phone that left, or that has another name now.
  return { text: (await textOf({ device: name }, sources, true)) ?? absent(view, name) };
}

/** Returns the incidents that parameters select as a text; undefined for none, if there need not be any. */
async function textOf(
  selection: Readonly<Record<string, string>>,
  { exporter, now }: Pick<ChatRequest, 'exporter' | 'now'>,
  isOptional = false,
): Promise<string | undefined> {
  const { status, content } = await exporter.request('GET', `${PATH}?${new URLSearchParams(selection)}`);
  const document = parseDocument(INCIDENTS_DOCUMENT, content);
  if (document === undefined)
    return `${WORDS.failed} ${status === 200 ? WORDS.otherVersion : quote(content.slice(0, 200))}.`;
  if (isOptional && document.incidents.length === 0) return undefined;
  const { time } = await exporter.view(false);
  return incidentsText(document.incidents, now(), time, quote);
}
