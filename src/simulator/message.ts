import { STATUS_CODES } from 'node:http';
import type { Answer } from './answer.ts';

/** An answer as bytes. */
export type Message = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Turns an answer into bytes, with the `date` of the simulated moment (milliseconds since 1970). */
export function encode(answer: Answer, now: number): Message {
  const body = Buffer.from(JSON.stringify(answer.body));
  return { status: answer.status, headers: { ...answer.headers, date: new Date(now).toUTCString() }, body };
}

/** Another body in the same message, of another type if given. */
export function withBody(message: Message, body: string | Buffer, contentType?: string): Message {
  const headers =
    contentType === undefined ? message.headers : { ...message.headers, 'content-type': contentType };
  return { ...message, headers, body: Buffer.from(body) };
}

/**
 * The head of a message in HTTP/1.1 as it goes over the wire, for faults that write it themselves. The framing headers
 * are theirs to add: a correct head has `content-length`.
 */
export function headOf(message: Message, framing: readonly string[]): string {
  const headers = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${message.status} ${STATUS_CODES[message.status] ?? 'Unknown'}`;
  return `${[statusLine, ...headers, ...framing].join('\r\n')}\r\n\r\n`;
}

/** The head of a message that announces its body truthfully. */
export function honestHead(message: Message): string {
  return headOf(message, [`content-length: ${message.body.length}`]);
}
