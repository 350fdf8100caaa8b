import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestTo, type Stage, setStage } from './stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

/** What is answered to these bytes until the connection is closed. */
async function answerTo(bytes: string): Promise<string> {
  const client = stage.dial();
  client.socket.write(bytes);
  return client.closed;
}

const CLOSED = 'Connection: close\r\nContent-Length: 0\r\n\r\n';

describe('a request that is none', () => {
  it.each<[string, string, number, string]>([
    ['garbage', '\u0001\u0002canary\r\n\r\n', 400, 'Bad Request'],
    ['another protocol', '\u0016\u0003\u0001\u0000\u00a5\u0001canary', 400, 'Bad Request'],
    ['a method that is none', 'CANARY / HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
    ['a version that is none', 'GET / HTTP/canary\r\n\r\n', 400, 'Bad Request'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'Bad Request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'Bad Request',
    ],
    [
      'a header of 9 kB',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Canary: ${'canary'.repeat(1_500)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
    [
      'an address of 9 kB',
      `GET /${'canary'.repeat(1_500)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
  ])('is refused without a word of its own: %s', async (_, bytes, status, words) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} ${words}\r\n`));
    expect(answer).not.toMatch(/canary/i);
    expect(answer.toLowerCase()).toContain('connection: close\r\n');
  });

  it('is answered in one piece, and counted', async () => {
    expect(await answerTo('\u0001\u0002\r\n\r\n')).toBe(`HTTP/1.1 400 Bad Request\r\n${CLOSED}`);
    expect(stage.refusals).toEqual(['malformed']);
  });

  it('is not answered in the midst of an answer to an earlier one', async () => {
    const client = stage.dial();
    client.socket.write(`${requestTo('/never')}\u0001\u0002\r\n\r\n`);
    expect(await client.closed).toBe('');
    expect(stage.refusals).toEqual(['malformed']);
  });
});

describe('a request', () => {
  it('for an address that is too long is refused', async () => {
    const answer = await answerTo(requestTo(`/short?${'canary'.repeat(400)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 414 URI Too Long\r\n/);
    expect(answer).toMatch(/the address is longer than 2048 characters\n$/);
    expect(stage.refusals).toEqual(['url_length']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'to %s is told what is taken, and ends its connection',
    async (method) => {
      const answer = await answerTo(`${method} /short HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
      expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/i);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    },
  );

  it('to make a tunnel is not answered', async () => {
    expect(await answerTo('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')).toBe('');
  });

  it('with a body is answered, and its body is not waited for', async () => {
    const answer = await answerTo('GET /short HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nxxx');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/short$/);
  });

  it('that fails by a fault of ours shows nothing of it', async () => {
    const answer = await answerTo(requestTo('/broken'));
    expect(answer).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
    expect(answer).toMatch(/\r\n\r\ninternal error\n$/);
    expect(answer).not.toMatch(/canary|\bat |\.ts|\.js/);
  });

  it('whose sender can only listen from then on is answered', async () => {
    const client = stage.dial();
    client.socket.end(requestTo('/short'));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*short$/);
  });

  it('that comes in one go with others is answered in turn', async () => {
    const client = stage.dial();
    client.socket.write(requestTo('/short').repeat(16));
    await client.hears(/(?:HTTP\/1\.1 200 OK[\s\S]*?short){16}/);
    expect([client.isOpen(), stage.refusals]).toEqual([true, []]);
  });

  it('that comes in one go with too many others ends the connection', async () => {
    const client = stage.dial();
    client.socket.write(requestTo('/never').repeat(17));
    await client.closed;
    expect(stage.refusals).toContain('busy');
  });
});
