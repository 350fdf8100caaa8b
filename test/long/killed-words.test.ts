import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { EACH_SECOND, type Exporter, exporterTest } from '../integration/exporter.ts';
import { phonesOf, startStandInApi } from '../integration/stand-in-api.ts';

/*
 * The built program is killed at random moments while words are said and ended. What was answered holds after the start, and
 * nothing else does: of what was not answered, either may be.
 */

/** `KILLS=200` takes some ten minutes. */
const KILLS = Number(process.env['KILLS'] ?? 20);

const RACKS = ['rack-01', 'rack-02', 'rack-03', 'rack-04'];

/** A generator of numbers in [0, 1), the same for each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sends a request. Resolves to its answer; undefined if the connection ended before one came. */
function send(url: string, method: string, path: string, body?: object) {
  const content = body === undefined ? undefined : JSON.stringify(body);
  return new Promise<{ readonly status: number; readonly content: string } | undefined>((resolve) => {
    const headers = content && { 'content-type': 'application/json', 'content-length': content.length };
    const sent = request(new URL(path, url), { method, agent: false, ...(headers && { headers }) });
    sent.on('error', () => resolve(undefined));
    sent.on('response', (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, content: answer }),
        () => resolve(undefined),
      );
    });
    sent.end(content);
  });
}

exporterTest(
  'a word that was answered survives a kill at any moment, and one that was ended stays ended',
  async ({ run, onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const phones = RACKS.flatMap((rack, index) => phonesOf(4 * (index + 1), rack).slice(4 * index));
    const api = await startStandInApi({ phones });
    onTestFinished(api.close);
    const config = join(folder, 'config.yml');
    writeFileSync(
      config,
      'maintenance:\n  - { name: always, groups: [rack-04], schedule: "* * * * *", duration: 10m }\n',
    );
    const start = async (): Promise<Exporter> => {
      const exporter = await run({
        apiUrl: api.url,
        parameters: [
          ...EACH_SECOND,
          ...['--web.enable-changes', `--state.file=${join(folder, 'state.json')}`],
          ...[`--config.file=${config}`, '--log.level=error'],
        ],
      });
      await exporter.shows(/hoster_up\{account="default"\} 1/);
      return exporter;
    };
    const random = randomOf(53);
    /** Racks whose word holds, with its id; of a rack in doubt, a request was not answered. */
    let held = new Map<string, string>();
    let answered = 0;
    let lost = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const exporter = await start();
      const { body } = await exporter.get('/api/v1/fleet?phones=no');
      const shown: readonly { id: string; source: string; groups: readonly string[] }[] =
        JSON.parse(body).maintenance;
      expect(shown.filter(({ source }) => source === 'configured').map(({ id }) => id)).toEqual(['always']);
      const found = new Map(
        shown.flatMap(({ id, source, groups }) =>
          source === 'requested' ? [[groups[0] ?? '', id] as const] : [],
        ),
      );
      expect([kill, Object.fromEntries(found)]).toEqual([
        kill,
        {
          ...Object.fromEntries(held),
          ...Object.fromEntries([...found].filter(([rack]) => doubt.has(rack))),
        },
      ]);
      held = found;
      doubt = new Set();
      const said = RACKS.map(async (rack) => {
        for (let word = 0; word < 3; word += 1) {
          await setTimeout(random() * 400);
          const id = held.get(rack);
          doubt.add(rack);
          const answer =
            id === undefined
              ? await send(exporter.url, 'POST', '/api/v1/maintenance', { groups: [rack], for: '2h' })
              : await send(exporter.url, 'DELETE', `/api/v1/maintenance?id=${id}`);
          if (answer === undefined) {
            lost += 1;
            return;
          }
          expect([200, 201]).toContain(answer.status);
          answered += 1;
          doubt.delete(rack);
          if (id === undefined) held.set(rack, JSON.parse(answer.content).id);
          else held.delete(rack);
        }
      });
      await setTimeout(random() * 3_500);
      await exporter.end('SIGKILL');
      await Promise.all(said);
      // Of a rack in doubt nothing is expected.
      for (const rack of doubt) held.delete(rack);
    }
    process.stdout.write(`${KILLS} kills, ${answered} words answered, ${lost} not answered\n`);
    expect(answered).toBeGreaterThan(KILLS);
  },
  KILLS * 15_000,
);

/** Racks with an unanswered request. */
let doubt = new Set<string>();
