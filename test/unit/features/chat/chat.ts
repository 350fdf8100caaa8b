import type { SendRequest } from '../../../../src/cli/own-exporter.ts';
import { createConversation } from '../../../../src/features/chat/conversation.ts';
import { createExporter } from '../../../../src/features/chat/exporter.ts';
import { maintenanceChat } from '../../../../src/features/maintenance/chat.ts';
import { FEATURES } from '../../../../src/features.ts';
import type { ChatPart } from '../../../../src/fleet/chat.ts';
import { type FleetDocument, fleetParser } from '../../../../src/fleet/document.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { fleet } from '../../fleet/fleet.ts';

/** A conversation with an exporter that has these phones, and what was asked of it. */
export function talk(
  own: Partial<FleetDocument> = {},
  answer?: { status: number; content: string } | 'lost',
  parts: readonly ChatPart[] = [maintenanceChat()],
) {
  const clock = createFakeClock();
  const changes: { method: string; path: string; body: unknown }[] = [];
  const send: SendRequest = async (method, path, body) => {
    if (method !== 'GET') changes.push({ method, path, body: body ?? null });
    const { pathname } = new URL(path, 'http://exporter');
    const date = new Date(clock.now()).toUTCString();
    if (answer === 'lost' && method !== 'GET') throw new Error('lost');
    if (answer !== undefined && answer !== 'lost' && pathname !== '/api/v1/fleet') return { ...answer, date };
    if (pathname === '/api/v1/month') return { status: 404, content: 'not found', date };
    if (method !== 'GET') return { status: 201, content: '{"id":"a1","text":"4 phones, until 16:00"}', date };
    return { status: 200, content: JSON.stringify(fleet(own)), date };
  };
  const exporter = createExporter(send, fleetParser(FEATURES), 'Europe/Kyiv', clock);
  let drawn = 0;
  const random = () => {
    drawn += 0.001;
    return drawn;
  };
  const conversation = createConversation(exporter, clock, random, parts);
  /** Returns what features have to say after a document. */
  const due = async (document: FleetDocument) =>
    (await Promise.all(parts.map((part) => part.due?.(exporter, document, clock.now()) ?? []))).flat();
  const ask = async (text: string) => {
    const { text: said, keys } = await conversation.answer(7, text, 'Anna');
    return { text: said.replaceAll(/[\uE000\uE001]/g, ''), keys };
  };
  return { clock, changes, conversation, due, ask };
}
