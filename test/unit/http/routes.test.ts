import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PAGE_PATHS } from '../../../src/http/fleet/assets.ts';
import { type Reply, textReply } from '../../../src/http/reply.ts';
import { createRoutes, pathsOf, type ReloadReport } from '../../../src/http/routes.ts';
import { routeSourcesOf } from '../../route-sources.ts';

const TEXT = 'hoster_up{account="main"} 1\n';

type Asked = {
  readonly ready?: boolean;
  readonly silences?: readonly string[];
  readonly acceptEncoding?: string;
  readonly report?: ReloadReport;
};

async function replyTo(
  path: string,
  { ready = true, silences = [], acceptEncoding = '', report = { problems: [], pending: [] } }: Asked = {},
): Promise<Reply> {
  const chunks = [gzipSync(TEXT)];
  const routes = createRoutes(
    routeSourcesOf({
      scrape: async () => ({ chunks, length: Buffer.concat(chunks).length, textLength: TEXT.length }),
      ready: () => ready,
      silences: () => silences,
      reload: async () => report,
    }),
  );
  const route = routes.get(path);
  if (route === undefined) throw new Error(`no route to ${path}`);
  return route.answer({ acceptEncoding, ifNoneMatch: undefined, query: new URLSearchParams() });
}

async function bodyOf(reply: Reply): Promise<Buffer> {
  const content = reply.content();
  const bytes = content instanceof Readable ? await buffer(content) : Buffer.concat(content);
  expect(bytes.length).toBe(reply.length);
  return bytes;
}

describe('the metrics', () => {
  it('come as plain text of the right type to those who ask for nothing', async () => {
    const reply = await replyTo('/metrics');
    expect((await bodyOf(reply)).toString()).toBe(TEXT);
    expect(reply.headers).toEqual({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      vary: 'Accept-Encoding',
    });
  });

  it('come as gzip to those who take it', async () => {
    const reply = await replyTo('/metrics', { acceptEncoding: 'gzip' });
    expect(gunzipSync(await bodyOf(reply)).toString()).toBe(TEXT);
    expect(reply.headers['content-encoding']).toBe('gzip');
  });
});

describe('health', () => {
  it.each([
    ['/-/healthy', true, 200, 'healthy\n'],
    ['/-/healthy', false, 200, 'healthy\n'],
    ['/-/ready', true, 200, 'ready\n'],
    ['/-/ready', false, 503, 'the first polls are under way\n'],
  ])('%s, with the first round ended: %s, is %d', async (path, ready, status, line) => {
    const reply = await replyTo(path, { ready });
    expect([reply.status, (await bodyOf(reply)).toString()]).toEqual([status, line]);
  });
});

describe('the dead man', () => {
  it('is told of in words, and leaves readiness alone', async () => {
    const silences = ['no poll of the devices of main began or ended for 106 s'];
    const healthy = await replyTo('/-/healthy', { silences });
    expect([healthy.status, (await bodyOf(healthy)).toString()]).toEqual([
      503,
      'the schedule has stopped: restart the exporter\nno poll of the devices of main began or ended for 106 s\n',
    ]);
    expect((await replyTo('/-/ready', { silences })).status).toBe(200);
  });
});

describe('a reload', () => {
  it.each([
    ['is in force', { problems: [], pending: [] }, 200, 'reloaded\n'],
    [
      'is in force as far as it can be',
      { problems: [], pending: ['log.format', 'state.file'] },
      200,
      'reloaded\nlog.format: needs a restart\nstate.file: needs a restart\n',
    ],
    [
      'is refused, with every reason',
      { problems: ['hoster.yml:3:1: one', 'hoster.yml:4:1: two'], pending: [] },
      500,
      'not reloaded; the configuration from before stays in force\nhoster.yml:3:1: one\nhoster.yml:4:1: two\n',
    ],
  ])('%s', async (_, report, status, lines) => {
    const reply = await replyTo('/-/reload', { report });
    expect([reply.status, (await bodyOf(reply)).toString()]).toEqual([status, lines]);
  });
});

it('answers all of its paths, and what the page loads on top of them', () => {
  const sources = routeSourcesOf();
  const page = new Map(PAGE_PATHS.map((path) => [path, () => textReply(200, 'a file')]));
  const routes = createRoutes({ ...sources, page });
  expect([...routes.keys()].toSorted()).toEqual(pathsOf('/metrics').toSorted());
});
