import { type ChatAnswer, type ChatPart, type ChatRequest, quote } from '../../fleet/chat.ts';
import { parseDocument } from '../../fleet/fields.ts';
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

async function answer({ exporter, words, now }: ChatRequest): Promise<ChatAnswer> {
  const name = words.join(' ');
  const { fleet, time } = await exporter.view(name !== '');
  const isGroup = fleet.phones.some(({ group }) => group === name);
  const query = new URLSearchParams(name === '' ? {} : { [isGroup ? 'group' : 'device']: name });
  const { status, content } = await exporter.request('GET', `${PATH}?${query}`);
  const document = parseDocument(INCIDENTS_DOCUMENT, content);
  if (document === undefined) {
    const reason = status === 200 ? WORDS.otherVersion : quote(content.slice(0, 200));
    return { text: `${WORDS.failed} ${reason}.` };
  }
  return { text: incidentsText(document.incidents, now(), time, quote) };
}
