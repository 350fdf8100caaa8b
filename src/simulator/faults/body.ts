import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ENDPOINTS } from '../../model/endpoint.ts';
import { headOf, type Message, withBody } from '../message.ts';
import { type Fault, faultsOf, type Wire } from './fault.ts';

const MEBIBYTE = 2 ** 20;
const HUGE_BODY_MEBIBYTES = 500;
const BOMB_MEBIBYTES = 256;
const NESTING = 4_000_000;

const LOGIN_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Log in to the Wi-Fi</title></head><body></body></html>\n';

const say = (body: string, contentType?: string) => (message: Message) =>
  withBody(message, body, contentType);

/** A list in a list, four million deep: valid JSON of 8 MB. */
function nest(message: Message): Message {
  return withBody(message, `{"success":true,"data":${'['.repeat(NESTING)}${']'.repeat(NESTING)}}`);
}

/** White space that unpacks to 256 MiB: gzip members may follow one another, so one is packed and then repeated. */
function bomb(message: Message): Message {
  const member = gzipSync(Buffer.alloc(MEBIBYTE, ' '));
  const body = Buffer.concat(Array.from({ length: BOMB_MEBIBYTES }, () => member));
  return { ...withBody(message, body), headers: { ...message.headers, 'content-encoding': 'gzip' } };
}

/** A JSON text with a byte in it that no UTF-8 text has. */
function latin1(message: Message): Message {
  const start = Buffer.from('{"note":"caf\xE9",', 'latin1');
  return withBody(message, Buffer.concat([start, message.body.subarray(1)]));
}

/** Announces 500 MiB and sends them as fast as they are read. */
function sendHugeBody({ socket }: Wire, message: Message): void {
  socket.write(headOf(message, [`content-length: ${HUGE_BODY_MEBIBYTES * MEBIBYTE}`]));
  pump(socket, Buffer.alloc(MEBIBYTE, ' '), HUGE_BODY_MEBIBYTES);
}

function pump(socket: Socket, chunk: Buffer, times: number): void {
  if (socket.destroyed) return;
  if (times === 0) socket.end();
  else socket.write(chunk, () => pump(socket, chunk, times - 1));
}

/** 200 with a body that is not what the API promises; the frame around it is right. */
export const BODY_FAULTS: readonly Fault[] = faultsOf('body', ENDPOINTS, [
  {
    name: 'html',
    description: '200 with an HTML page, as from a captive portal',
    onMessage: say(LOGIN_PAGE, 'text/html'),
  },
  { name: 'empty-body', description: '200 with no body at all', onMessage: say('') },
  { name: 'null-body', description: '200 with null', onMessage: say('null') },
  {
    name: 'success-false',
    description: '200 with the envelope of an error',
    onMessage: say('{"success":false,"error":{"code":"INTERNAL_ERROR","message":"Internal error."}}'),
  },
  {
    name: 'success-without-data',
    description: '200 with success and no data',
    onMessage: say('{"success":true}'),
  },
  {
    name: 'truncated-json',
    description: 'the first half of the JSON text, with the right Content-Length',
    onMessage: (message) => withBody(message, message.body.subarray(0, message.body.length >> 1)),
  },
  {
    name: 'byte-order-mark',
    description: 'a byte order mark before the JSON text',
    onMessage: (message) => withBody(message, Buffer.concat([Buffer.from('\uFEFF'), message.body])),
  },
  { name: 'latin-1', description: 'a Latin-1 byte, which is not UTF-8, in a text', onMessage: latin1 },
  {
    name: 'gzip-declared-not-sent',
    description: 'Content-Encoding: gzip over plain JSON',
    onMessage: (message) => ({ ...message, headers: { ...message.headers, 'content-encoding': 'gzip' } }),
  },
  { name: 'gzip-bomb', description: 'a gzip body of 260 kB that unpacks to 256 MiB', onMessage: bomb },
  { name: 'huge-body', description: 'a body of 500 MiB', onSocket: sendHugeBody },
  { name: 'deep-nesting', description: 'lists in lists, four million deep, in 8 MB', onMessage: nest },
]);
