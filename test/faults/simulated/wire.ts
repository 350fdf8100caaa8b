import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type EncodedResponse, errorResponse } from '../../../src/features/demo/response.ts';
import { ENDPOINTS } from '../../../src/model/enums.ts';
import { type Fault, type FaultConnection, faultsOf } from './fault.ts';

/** Replaces the body, and the content type if given. */
function withBody(response: EncodedResponse, body: string | Buffer, contentType?: string): EncodedResponse {
  const headers =
    contentType === undefined ? response.headers : { ...response.headers, 'content-type': contentType };
  return { ...response, headers, body: Buffer.from(body) };
}

/** Returns the head of a response in HTTP/1.1, with these framing headers; a correct one has `content-length`. */
function headOf(response: EncodedResponse, framing: readonly string[]): string {
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? 'Unknown'}`;
  return `${[statusLine, ...headers, ...framing].join('\r\n')}\r\n\r\n`;
}

/** Returns a head with the right length of the body. */
function correctHead(response: EncodedResponse): string {
  return headOf(response, [`content-length: ${response.body.length}`]);
}

/** A head that says that its connection ends, so that no other request is on its way when it does. */
function lastHead(response: EncodedResponse): string {
  return headOf(response, ['connection: close', `content-length: ${response.body.length}`]);
}

const MEBIBYTE = 2 ** 20;
const HUGE_BODY_MEBIBYTES = 500;
const BOMB_MEBIBYTES = 256;
const NESTING = 4_000_000;

const withText = (body: string, contentType?: string) => (response: EncodedResponse) =>
  withBody(response, body, contentType);

/** Lists in lists, four million deep: valid JSON of 8 MB. */
function deeplyNested(response: EncodedResponse): EncodedResponse {
  return withBody(response, `{"success":true,"data":${'['.repeat(NESTING)}${']'.repeat(NESTING)}}`);
}

/** White space that unpacks to 256 MiB: one gzip member, repeated. */
function gzipBomb(response: EncodedResponse): EncodedResponse {
  const member = gzipSync(Buffer.alloc(MEBIBYTE, ' '));
  const body = Buffer.concat(Array.from({ length: BOMB_MEBIBYTES }, () => member));
  return { ...withBody(response, body), headers: { ...response.headers, 'content-encoding': 'gzip' } };
}

/** JSON with a byte that is invalid in UTF-8. */
function latin1(response: EncodedResponse): EncodedResponse {
  const start = Buffer.from('{"note":"caf\xE9",', 'latin1');
  return withBody(response, Buffer.concat([start, response.body.subarray(1)]));
}

/** Announces and sends 500 MiB. */
function sendHugeBody({ socket }: FaultConnection, response: EncodedResponse): void {
  socket.write(headOf(response, [`content-length: ${HUGE_BODY_MEBIBYTES * MEBIBYTE}`]));
  pump(socket, Buffer.alloc(MEBIBYTE, ' '), HUGE_BODY_MEBIBYTES);
}

function pump(socket: Socket, chunk: Buffer, times: number): void {
  if (socket.destroyed) return;
  if (times === 0) socket.end();
  else socket.write(chunk, () => pump(socket, chunk, times - 1));
}

/** 200 with a wrong body in a correct frame. */
const BODY_FAULTS: readonly Fault[] = faultsOf('body', ENDPOINTS, [
  { name: 'empty-body', description: '200 with no body at all', onEncoded: withText('') },
  { name: 'null-body', description: '200 with null', onEncoded: withText('null') },
  {
    name: 'success-false',
    description: '200 with the envelope of an error',
    onEncoded: withText('{"success":false,"error":{"code":"INTERNAL_ERROR","message":"Internal error."}}'),
  },
  {
    name: 'success-without-data',
    description: '200 with success and no data',
    onEncoded: withText('{"success":true}'),
  },
  {
    name: 'truncated-json',
    description: 'the first half of the JSON text, with the right Content-Length',
    onEncoded: (response) => withBody(response, response.body.subarray(0, response.body.length >> 1)),
  },
  {
    name: 'byte-order-mark',
    description: 'a byte order mark before the JSON text',
    onEncoded: (response) => withBody(response, Buffer.concat([Buffer.from('\uFEFF'), response.body])),
  },
  { name: 'latin-1', description: 'a Latin-1 byte, which is not UTF-8, in a text', onEncoded: latin1 },
  {
    name: 'gzip-declared-not-sent',
    description: 'Content-Encoding: gzip over plain JSON',
    onEncoded: (response) => ({ ...response, headers: { ...response.headers, 'content-encoding': 'gzip' } }),
  },
  { name: 'gzip-bomb', description: 'a gzip body of 260 kB that unpacks to 256 MiB', onEncoded: gzipBomb },
  { name: 'huge-body', description: 'a body of 500 MiB', onSocket: sendHugeBody },
  {
    name: 'deep-nesting',
    description: 'lists in lists, four million deep, in 8 MB',
    onEncoded: deeplyNested,
  },
]);

/** Writes the parts and ends the connection, which is unusable after a wrong frame. */
function writeAndEnd({ socket }: FaultConnection, ...parts: readonly (string | Buffer)[]): void {
  socket.cork();
  for (const part of parts) socket.write(part);
  socket.uncork();
  socket.end();
}

/** Declares a length that differs from the body's. */
const lengthOff = (bytes: number) => (connection: FaultConnection, response: EncodedResponse) =>
  writeAndEnd(
    connection,
    headOf(response, [`content-length: ${response.body.length + bytes}`]),
    response.body,
  );

const halfOf = (body: Buffer) => body.subarray(0, Math.ceil(body.length / 2));

const BIG_HEADER_BYTES = 64 * 1024;
const MANY_HEADERS = 2_000;
const MANY_INTERIM_RESPONSES = 1_000;

/** Correct JSON in a wrong or extreme HTTP frame. */
const FRAMING_FAULTS: readonly Fault[] = faultsOf('framing', ENDPOINTS, [
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
    onSocket: (connection, response) => {
      const { length } = response.body;
      writeAndEnd(
        connection,
        headOf(response, [`content-length: ${length}`, `content-length: ${length + 1}`]),
        response.body,
      );
    },
  },
  {
    name: 'chunked-cut',
    description: 'a chunked body that ends without its last chunk',
    onSocket: (connection, response) => {
      const chunk = halfOf(response.body);
      writeAndEnd(
        connection,
        headOf(response, ['transfer-encoding: chunked']),
        `${chunk.length.toString(16)}\r\n`,
        chunk,
        '\r\n',
      );
    },
  },
  {
    name: 'huge-header',
    description: 'one header of 64 KiB',
    onSocket: (connection, response) => {
      const header = `x-padding: ${'p'.repeat(BIG_HEADER_BYTES)}`;
      writeAndEnd(
        connection,
        headOf(response, [header, `content-length: ${response.body.length}`]),
        response.body,
      );
    },
  },
  {
    name: 'many-headers',
    description: '2,000 headers',
    onSocket: (connection, response) => {
      const headers = Array.from({ length: MANY_HEADERS }, (_, index) => `x-${index}: ${index}`);
      writeAndEnd(
        connection,
        headOf(response, [...headers, `content-length: ${response.body.length}`]),
        response.body,
      );
    },
  },
  {
    name: 'status-zero',
    description: 'a status line with the status 000',
    onSocket: (connection, response) =>
      writeAndEnd(
        connection,
        correctHead(response).replace(/^HTTP\/1\.1 \d+/, 'HTTP/1.1 000'),
        response.body,
      ),
  },
  {
    name: 'unasked-continue',
    description: 'an unexpected 100 Continue before the real response',
    onSocket: (connection, response) =>
      writeAndEnd(connection, 'HTTP/1.1 100 Continue\r\n\r\n', correctHead(response), response.body),
  },
  {
    name: 'interim-responses',
    description: '1,000 responses 103 Early Hints before the real one',
    onSocket: (connection, response) =>
      writeAndEnd(
        connection,
        'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(MANY_INTERIM_RESPONSES),
        lastHead(response),
        response.body,
      ),
  },
]);

/** Time in which a key may be replaced before its refusal arrives. */
const REFUSAL_MILLISECONDS = 2_000;

/** Milliseconds between bytes and a reset: to a client on libuv, both together look like an orderly end. */
const FLUSH_MILLISECONDS = 20;

const wholeResponse = (response: EncodedResponse) =>
  Buffer.concat([Buffer.from(correctHead(response)), response.body]);

/** The head and the first half of the body. */
const firstHalf = (response: EncodedResponse) => {
  const head = Buffer.from(correctHead(response));
  return Buffer.concat([head, response.body.subarray(0, response.body.length >> 1)]);
};

function resetAfter({ socket, after }: FaultConnection, bytes: Buffer): void {
  socket.write(bytes, () => after(FLUSH_MILLISECONDS, () => socket.resetAndDestroy()));
}

/** Writes pieces of `size` bytes with a delay after each, and ends the connection. */
function drip(
  { socket, after }: FaultConnection,
  bytes: Buffer,
  size: number,
  delayMilliseconds: number,
): void {
  const writeFrom = (offset: number) => {
    if (socket.destroyed) return;
    if (offset >= bytes.length) {
      socket.end();
      return;
    }
    socket.write(bytes.subarray(offset, offset + size));
    after(delayMilliseconds, () => writeFrom(offset + size));
  };
  writeFrom(0);
}

/** Writes each byte as a packet of its own. */
function writeByteByByte({ socket }: FaultConnection, bytes: Buffer): void {
  socket.setNoDelay(true);
  const writeFrom = (offset: number) => {
    if (socket.destroyed) return;
    if (offset >= bytes.length) socket.end();
    else socket.write(bytes.subarray(offset, offset + 1), () => writeFrom(offset + 1));
  };
  writeFrom(0);
}

/** Connections that hang, are slow or break. */
const SOCKET_FAULTS: readonly Fault[] = faultsOf('socket', ENDPOINTS, [
  {
    name: 'late-refusal',
    description: '403 INVALID_API_KEY after two seconds',
    onSocket: (connection, response) => {
      const { status, body } = errorResponse(403, 'INVALID_API_KEY', 'The API key is not valid.');
      const refusal = withBody({ ...response, status }, JSON.stringify(body));
      connection.after(REFUSAL_MILLISECONDS, () =>
        writeAndEnd(connection, correctHead(refusal), refusal.body),
      );
    },
  },
  {
    name: 'trickle',
    description: 'the body comes at one byte per 200 ms',
    onSocket: (connection, response) => {
      connection.socket.write(correctHead(response));
      drip(connection, response.body, 1, 200);
    },
  },
  {
    name: 'slow-body',
    description: 'the whole response comes at 1 kB/s',
    onSocket: (connection, response) => drip(connection, wholeResponse(response), 100, 100),
  },
  {
    name: 'one-byte-packets',
    description: 'the whole response comes at full speed, byte by byte',
    onSocket: (connection, response) => writeByteByByte(connection, wholeResponse(response)),
  },
  {
    name: 'reset-before-headers',
    description: 'a TCP reset in place of a response',
    onSocket: ({ socket }) => {
      socket.resetAndDestroy();
    },
  },
  {
    name: 'reset-after-headers',
    description: 'a TCP reset after the headers',
    onSocket: (connection, response) => resetAfter(connection, Buffer.from(correctHead(response))),
  },
  {
    name: 'reset-mid-body',
    description: 'a TCP reset after half of the body',
    onSocket: (connection, response) => resetAfter(connection, firstHalf(response)),
  },
  {
    name: 'close-mid-body',
    description: 'the connection is closed in an orderly way after half of the body',
    onSocket: ({ socket }, response) => {
      socket.end(firstHalf(response));
    },
  },
  {
    name: 'close-after-response',
    description: 'a good response that promises keep-alive, on a connection that is closed at once',
    onSocket: ({ socket }, response) => {
      const head = headOf(response, ['connection: keep-alive', `content-length: ${response.body.length}`]);
      socket.end(Buffer.concat([Buffer.from(head), response.body]));
    },
  },
]);

/** Faults in the bytes of a response and on its connection. */
export const WIRE_FAULTS: readonly Fault[] = [...FRAMING_FAULTS, ...BODY_FAULTS, ...SOCKET_FAULTS];
