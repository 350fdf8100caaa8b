import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { type Child, startChild } from '../child.ts';
import { median, memoryOf, sleep } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';
import { connectionsAt, descriptorsOf } from '../sockets.ts';

const PHONES = 10_000;
const LOGIN = { name: 'bench', password: 'right' };

/** Connections held; GARBAGE and WRONG_PASSWORDS are new connections a second. */
const SLOWLORIS = 1_000;
const SLOW_READERS = 1_000;
const GARBAGE = 2_000;
const WRONG_PASSWORDS = 50;

/** Number of addresses of each kind of attack from other addresses. */
const ADDRESSES = 32;

const GAP_MILLISECONDS = 20;
const SETTLE_MILLISECONDS = 3_000;
const LET_GO_MILLISECONDS = 12_000;
const LOOK_MILLISECONDS = 100;
const POLL_MILLISECONDS = 15_000;

export const attack: Scenario = {
  name: 'attack',
  title: `Under attack, with ${PHONES} phones: ${SLOWLORIS} slow headers, ${SLOW_READERS} slow readers, ${GARBAGE}/s garbage, ${WRONG_PASSWORDS}/s wrong passwords`,
  async *run({ rounds }) {
    yield* measure('others', rounds * 100);
    yield* measure('same', rounds * 100);
  },
};

/** @param from the addresses of the attackers: others than that of the honest reader, or the same */
async function* measure(from: 'others' | 'same', scrapes: number): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-bench-'));
  const webFile = join(folder, 'web.yml');
  writeFileSync(webFile, `basic_auth_users:\n  ${LOGIN.name}: ${hashSync(LOGIN.password, 10)}\n`);
  const exporter = await startChild('exporter', { parameters: ['', '1', String(PHONES), '8', webFile] });
  const [port = 0] = await exporter.ask('port');
  const login = `${LOGIN.name}:${LOGIN.password}`;
  const honest = await startChild('honest', { parameters: [String(port), login] });
  const attacker = await startChild('attacker', { parameters: [String(port)] });
  for (let poll = 0; poll < 3; poll += 1) await exporter.ask('poll');
  const alone = await honest.ask('scrape', Math.ceil(scrapes / 4), GAP_MILLISECONDS);

  const before = memoryOf(exporter.pid).now;
  const watch = watchProcess(exporter);
  await begin(attacker, from === 'others');
  await sleep(SETTLE_MILLISECONDS);
  const [startedAt, [dialledBefore = 0]] = [performance.now(), await attacker.ask('connections')];
  const times = await honest.ask('scrape', scrapes, GAP_MILLISECONDS);
  const [dialled = 0] = await attacker.ask('connections');
  const seconds = (performance.now() - startedAt) / 1000;
  const { mostBytes, mostConnections } = await watch();
  await attacker.ask('cease');
  await sleep(LET_GO_MILLISECONDS);
  const left = connectionsAt(port);
  await Promise.all([exporter, honest, attacker].map((child) => child.stop()));
  rmSync(folder, { recursive: true });

  const answered = times.filter((time) => !Number.isNaN(time));
  const unanswered = ((times.length - answered.length) / times.length) * 10_000;
  const isOthers = from === 'others';
  const figure = (name: string, value: number, unit: string, atMost?: number): Figure => ({
    name: `${isOthers ? 'from other addresses' : 'from the same address'}, ${name}`,
    phones: PHONES,
    value,
    unit,
    // Attackers on the address of the honest reader can't be distinguished: no promise, figures only.
    ...(atMost !== undefined && (isOthers || name.startsWith('sockets')) ? { bar: { atMost } } : {}),
  });
  yield figure('connections dialled', (dialled - dialledBefore) / seconds, '1/s');
  yield figure('connections held at most', mostConnections, '');
  yield figure('honest scrapes', times.length, '');
  yield figure('unanswered of 10,000', unanswered, '', 1);
  yield figure('scrape alone, median', median(alone), 'ms');
  yield figure('scrape alone, 99 %', percentileOf(alone, 0.99), 'ms');
  yield figure('scrape, median', median(answered), 'ms');
  yield figure('scrape, 99 %', percentileOf(answered, 0.99), 'ms', 100);
  yield figure('growth of resident memory', (mostBytes - before) / 1e6, 'MB', 64);
  yield figure('sockets left after 12 s', left, '', 0);
}

function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}

async function begin(attacker: Child, others: boolean): Promise<void> {
  const network = (number: number) => (others ? number : 0);
  await attacker.ask('slowloris', SLOWLORIS, network(1), ADDRESSES);
  await attacker.ask('slowReaders', SLOW_READERS, network(2), ADDRESSES);
  await attacker.ask('garbage', GARBAGE, network(3), ADDRESSES);
  await attacker.ask('wrongPasswords', WRONG_PASSWORDS, network(4), ADDRESSES);
}

type Most = { readonly mostBytes: number; readonly mostConnections: number };

/** Samples the exporter and lets it poll every 15 s, until the function returned is called. */
function watchProcess(exporter: Child): () => Promise<Most> {
  let going = true;
  const look = async (): Promise<Most> => {
    const without = descriptorsOf(exporter.pid);
    let [mostBytes, mostConnections, polledAt] = [0, 0, performance.now()];
    while (going) {
      mostBytes = Math.max(mostBytes, memoryOf(exporter.pid).now);
      mostConnections = Math.max(mostConnections, descriptorsOf(exporter.pid) - without);
      if (performance.now() - polledAt > POLL_MILLISECONDS) {
        polledAt = performance.now();
        await exporter.ask('poll');
      }
      await sleep(LOOK_MILLISECONDS);
    }
    return { mostBytes, mostConnections };
  };
  const looked = look();
  return () => {
    going = false;
    return looked;
  };
}
