import { ENDPOINTS } from '../../model/endpoint.ts';
import { headOf, honestHead, type Message } from '../message.ts';
import { type Fault, faultsOf, type Wire } from './fault.ts';

/** Writes the parts and then ends the connection, since after a wrong frame nothing on it makes sense any more. */
function send({ socket }: Wire, ...parts: readonly (string | Buffer)[]): void {
  socket.cork();
  for (const part of parts) socket.write(part);
  socket.uncork();
  socket.end();
}

/** Declares a length that differs from the body by so many bytes. */
const lengthOff = (bytes: number) => (wire: Wire, message: Message) =>
  send(wire, headOf(message, [`content-length: ${message.body.length + bytes}`]), message.body);

const half = (body: Buffer) => body.subarray(0, Math.ceil(body.length / 2));

const BIG_HEADER_BYTES = 64 * 1024;
const MANY_HEADERS = 10_000;
const MANY_INTERIM_ANSWERS = 1_000;

/** HTTP messages whose frame is wrong or extreme; the JSON inside is right. */
export const FRAMING_FAULTS: readonly Fault[] = faultsOf('framing', ENDPOINTS, [
  {
    name: 'content-length-short',
    description: 'Content-Length is ten bytes less than the body',
    onSocket: lengthOff(-10),
  },
  {
    name: 'content-length-long',
    description: 'Content-Length is ten bytes more than the body, then the connection ends',
    onSocket: lengthOff(10),
  },
  {
    name: 'content-length-twice',
    description: 'two different Content-Length headers',
    onSocket: (wire, message) => {
      const { length } = message.body;
      send(
        wire,
        headOf(message, [`content-length: ${length}`, `content-length: ${length + 1}`]),
        message.body,
      );
    },
  },
  {
    name: 'chunked-cut',
    description: 'a chunked body that ends without its last chunk',
    onSocket: (wire, message) => {
      const chunk = half(message.body);
      send(
        wire,
        headOf(message, ['transfer-encoding: chunked']),
        `${chunk.length.toString(16)}\r\n`,
        chunk,
        '\r\n',
      );
    },
  },
  {
    name: 'huge-header',
    description: 'one header of 64 KiB',
    onSocket: (wire, message) => {
      const header = `x-padding: ${'p'.repeat(BIG_HEADER_BYTES)}`;
      send(wire, headOf(message, [header, `content-length: ${message.body.length}`]), message.body);
    },
  },
  {
    name: 'many-headers',
    description: '10,000 headers',
    onSocket: (wire, message) => {
      const headers = Array.from({ length: MANY_HEADERS }, (_, index) => `x-${index}: ${index}`);
      send(wire, headOf(message, [...headers, `content-length: ${message.body.length}`]), message.body);
    },
  },
  {
    name: 'interim-answers',
    description: '1,000 answers 103 Early Hints before the real one',
    onSocket: (wire, message) =>
      send(
        wire,
        'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(MANY_INTERIM_ANSWERS),
        honestHead(message),
        message.body,
      ),
  },
]);
