import { describe, expect, it } from 'vitest';
import { incidentsChat } from '../../../../src/features/incidents/chat.ts';
import type { ChatExporter } from '../../../../src/fleet/chat.ts';
import { incident, view } from '../chat/fleet.ts';

/** An exporter with one incident, and the paths that were requested. */
function createExporter(status = 200) {
  const paths: string[] = [];
  const document = { version: 1, from: '2026-02-01T00:00:00.000Z', incidents: [incident()] };
  const exporter: ChatExporter = {
    view: async () => view(),
    request: async (_, path) => {
      paths.push(path);
      return { status, content: status === 200 ? JSON.stringify(document) : 'not now' };
    },
  };
  return { exporter, paths };
}

const [log] = incidentsChat.commands ?? [];

async function ask(words: readonly string[], status = 200) {
  const { exporter, paths } = createExporter(status);
  const asked = { exporter, words, now: () => 0, who: 'Anna', place: 1 };
  const answer = await log?.answer({
    ...asked,
    choose: async ([first]) => (await first?.tap('Anna')) ?? { text: '' },
    absent: (_, name) => `nothing is called ${name}`,
  });
  return { text: answer?.text, paths };
}

describe('/log', () => {
  it.each([
    [[], '/api/v1/incidents?'],
    [['rack-01'], '/api/v1/incidents?account=main&group=rack-01'],
    [['rack-01/slot-01'], '/api/v1/incidents?account=main&device=p1'],
    [['attic', '7'], '/api/v1/incidents?device=attic+7'],
  ])('of %j requests %s', async (words, path) => {
    const { text, paths } = await ask(words);
    expect(paths).toEqual([path]);
    expect(text).toContain('Last 31 days: 1 incident, 1 open');
  });

  it('says why there is no answer', async () => {
    expect((await ask([], 503)).text).toContain('not now');
  });
});

it.each([
  ['2026-03-02', 'Last 7 days: 1 incident'],
  ['2026-03-03', undefined],
])('the morning of %s sums up the week only on Monday', async (date, text) => {
  const answer = await incidentsChat.morning?.(createExporter().exporter, date);
  expect(answer?.text.slice(0, 23)).toBe(text);
});
