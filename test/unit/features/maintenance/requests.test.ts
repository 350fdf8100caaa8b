import { expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../../src/daemon/memory.ts';
import { MAINTENANCE } from '../../../../src/features/maintenance/cover.ts';
import { NOTHING_KNOWN } from '../../../../src/model/account.ts';
import { bareDevice, NOON } from '../../../builders.ts';
import { dependenciesOf } from '../../../dependencies.ts';
import { requestOf, routeOf } from '../../../route-sources.ts';
import { load } from '../../config/sources.ts';

const FILE = `
accounts: [{ name: main, api_url: "https://api.example.com", api_key_env: KEY }]
web: { enable_maintenance: true }
`;

/** Returns what a state file would have of the requests. */
const requestsIn = (memory: Memory) =>
  memory.saved().accounts.flatMap(({ account }) => MAINTENANCE.of(account).requests);

it('a request that the disk did not take in time is taken off the disk by another save', async () => {
  const { config } = load({ file: FILE, environment: { KEY: 'secret' } });
  const saves: number[] = [];
  let memory: Memory | undefined;
  const save = async (): Promise<string | undefined> => {
    // The first write goes on behind its refusal, with the request.
    saves.push(memory === undefined ? 0 : requestsIn(memory).length);
    return saves.length === 1 ? 'the disk is not responding' : undefined;
  };
  memory = createMemory(config, dependenciesOf(), {
    ...{ earlier: NOTHING_KNOWN, save },
    ...{ onChange: () => {}, onEvents: () => {}, settled: async () => {} },
  });
  await memory.judge.observe({
    name: 'main',
    poll: undefined,
    observation: {
      kind: 'list',
      times: { elapsed: undefined, dueIn: 30_000, slack: 30_000 },
      devices: new Map([['p1', { device: bareDevice({ id: 'p1' }), listedAt: NOON }]]),
      ...{ reported: 1, apiTime: NOON },
      listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false },
    },
  });
  const { status, content } = await routeOf(
    memory,
    '/api/v1/maintenance',
  )(
    requestOf({
      ...{ method: 'POST', contentType: 'application/json' },
      body: async () => JSON.stringify({ all: true, for: '2h' }),
    }),
  );
  expect([status, Buffer.concat(content).toString()]).toEqual([
    507,
    'nothing was changed: the disk is not responding\n',
  ]);
  expect(saves).toEqual([1, 0]);
});
