import type { ChildRequest, Reply } from '../child.ts';

/** Handlers of the requests of the parent, by name. */
export type Handlers = Readonly<
  Record<string, (...parameters: readonly number[]) => Promise<readonly number[]> | readonly number[]>
>;

/** Tells the parent that this process is ready, and handles its requests until it disconnects; then the process ends. */
export function handleRequests(handlers: Handlers): void {
  process.on('message', async (message: unknown) => {
    if (!isRequest(message)) return;
    const handler = handlers[message.request];
    if (handler === undefined) throw new Error(`no handler for ${message.request}`);
    send({ id: message.id, numbers: await handler(...message.parameters) });
  });
  process.on('disconnect', () => process.exit(0));
  send({ id: 0, numbers: [] });
}

function send(reply: Reply): void {
  process.send?.(reply);
}

function isRequest(message: unknown): message is ChildRequest {
  return typeof message === 'object' && message !== null && 'request' in message && 'parameters' in message;
}
