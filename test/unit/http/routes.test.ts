import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/http/reply.ts';
import { createRoutes, type ReloadReport } from '../../../src/http/routes.ts';
import { requestOf, routeSourcesOf } from '../../route-sources.ts';

const NO_PROBLEMS: ReloadReport = { problems: [], warnings: [], pending: [] };
const TEXT = 'hoster_up{account="main"} 1\n';

type Asked = {
  readonly ready?: boolean;
  readonly stalled?: readonly string[];
  readonly acceptEncoding?: string;
  readonly report?: ReloadReport;
};

async function replyTo(
  path: string,
  { ready = true, stalled = [], acceptEncoding = '', report = NO_PROBLEMS }: Asked = {},
): Promise<Reply> {
  const chunks = [gzipSync(TEXT)];
  const routes = createRoutes(
    routeSourcesOf({
      scrape: async () => ({ chunks, length: Buffer.concat(chunks).length, textLength: TEXT.length }),
      ready: () => ready,
      stalledCollectors: () => stalled,
      reload: async () => report,
    }),
  );
  const route = routes.get(path);
  if (route === undefined) throw new Error(`no route to ${path}`);
  return route.answer(requestOf({ acceptEncoding }));
}

async function bodyOf(reply: Reply): Promise<Buffer> {
  const bytes = Buffer.concat(reply.content);
  expect(bytes.length).toBe(reply.length);
  return bytes;
}

it("the routes have the paths that clients know, and the features' paths", () => {
  const paths = [...createRoutes(routeSourcesOf()).keys()];
  expect(paths.toSorted()).toEqual(['/', '/-/healthy', '/-/ready', '/-/reload', '/api/v1/fleet', '/metrics']);
});

describe('GET /metrics', () => {
  it('scrapes and inflates once for concurrent requests for plain text', async () => {
    let scrapes = 0;
    const bytes = gzipSync(TEXT);
    const scrape = async () => {
      scrapes += 1;
      return { chunks: [bytes], length: bytes.length, textLength: TEXT.length };
    };
    const route = createRoutes(routeSourcesOf({ scrape })).get('/metrics');
    const request = requestOf();
    const replies = await Promise.all([route?.answer(request), route?.answer(request)]);
    expect([scrapes, ...replies.map((reply) => String(reply?.content))]).toEqual([1, TEXT, TEXT]);
  });
});

it.each([
  ['/-/healthy', true, 200, 'healthy\n'],
  ['/-/healthy', false, 200, 'healthy\n'],
  ['/-/ready', true, 200, 'ready\n'],
  ['/-/ready', false, 503, 'not ready: the first polls are in progress\n'],
])('%s, with the first round of polls ended: %s, is answered with %d', async (path, ready, status, line) => {
  const reply = await replyTo(path, { ready });
  expect([reply.status, (await bodyOf(reply)).toString()]).toEqual([status, line]);
});

it('stalled collectors make /-/healthy fail with their names and do not affect /-/ready', async () => {
  const stalled = ['no poll of the devices of main has ended for 106 s'];
  const healthy = await replyTo('/-/healthy', { stalled });
  expect([healthy.status, (await bodyOf(healthy)).toString()]).toEqual([
    503,
    'polling has stalled: restart the exporter\nno poll of the devices of main has ended for 106 s\n',
  ]);
  expect((await replyTo('/-/ready', { stalled })).status).toBe(200);
});

describe('POST /-/reload', () => {
  it('is not found while web.enable_lifecycle is off', async () => {
    const route = createRoutes(routeSourcesOf({ reload: undefined })).get('/-/reload');
    const reply = await route?.answer(requestOf());
    expect([reply?.status, String(reply?.content)]).toEqual([
      404,
      'disabled: enable it with web.enable_lifecycle (--web.enable-lifecycle), or send SIGHUP\n',
    ]);
  });

  it('is refused to a login that may only read', async () => {
    const route = createRoutes(routeSourcesOf()).get('/-/reload');
    const statusFor = async (login: string) =>
      (await route?.answer(requestOf({ method: 'POST', sender: { login, isLocal: false } })))?.status;
    expect([await statusFor('viewer'), await statusFor('anna')]).toEqual([403, 200]);
  });

  it.each([
    ['that succeeded', {}, 200, 'reloaded\n'],
    [
      'with settings that need a restart',
      { pending: ['log.format', 'state.file'] },
      200,
      'reloaded\nlog.format: needs a restart\nstate.file: needs a restart\n',
    ],
    ['with a name that matches nothing', { warnings: ['no such group'] }, 200, 'reloaded\nno such group\n'],
    [
      'that failed, with every reason',
      { problems: ['hoster.yml:3:1: one', 'hoster.yml:4:1: two'] },
      500,
      'not reloaded: the previous configuration stays active\nhoster.yml:3:1: one\nhoster.yml:4:1: two\n',
    ],
  ])('reports a reload %s', async (_, report, status, lines) => {
    const reply = await replyTo('/-/reload', { report: { ...NO_PROBLEMS, ...report } });
    expect([reply.status, (await bodyOf(reply)).toString()]).toEqual([status, lines]);
  });
});
