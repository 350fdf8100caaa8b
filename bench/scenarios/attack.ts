import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { type Child, startChild } from '../child.ts';
import { median, memoryOf, sleep } from '../measure.ts';
import { startNodeExporter } from '../node-exporter.ts';
import type { Bar, Figure, Scenario } from '../report.ts';

const PHONES = 1_000;
const LOGIN = { name: 'bench', password: 'right' };

/** Scrapes of the honest reader, each over a new connection. */
const SCRAPES = 20;
const GAP_MILLISECONDS = 100;
const SETTLE_MILLISECONDS = 2_000;

/** Number of addresses that attack. The honest reader has another one. */
const ADDRESSES = 128;

type Attack = {
  readonly name: string;
  /** Function of children/attacker.ts, and its count: connections held, or new ones a second. */
  readonly kind: string;
  readonly count: number;
  readonly addresses?: number;
  /** With a password for the honest reader, none otherwise. */
  readonly isProtected?: boolean;
};

const ATTACKS: readonly Attack[] = [
  { name: 'pipelining, 20 connections', kind: 'pipelining', count: 20 },
  { name: 'pipelining, 400 connections', kind: 'pipelining', count: 400 },
  { name: '300 slow readers', kind: 'slowReaders', count: 300 },
  { name: '200 readers', kind: 'readers', count: 200 },
  { name: '200 readers of the own address', kind: 'readers', count: 200, addresses: 0 },
  { name: '1,000 wrong passwords/s', kind: 'wrongPasswords', count: 1_000, isProtected: true },
  { name: '2,000 idle connections', kind: 'idle', count: 2_000 },
  { name: '2,000 slow headers', kind: 'slowloris', count: 2_000 },
];

type Outcome = {
  readonly answered: number;
  readonly median: number;
  readonly longest: number;
  readonly grown: number;
};

export const attack: Scenario = {
  name: 'attack',
  title: `Under attack, with ${PHONES} phones: ${SCRAPES} honest scrapes, with node_exporter as the bar where it is installed`,
  async *run() {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-bench-'));
    const users = join(folder, 'users.yml');
    writeFileSync(users, `basic_auth_users:\n  ${LOGIN.name}: ${hashSync(LOGIN.password, 10)}\n`);
    for (const each of ATTACKS) {
      const webFile = each.isProtected ? users : '';
      const theirs = await measureTheirs(each, webFile);
      yield* figures(each.name, await measureOurs(each, webFile), theirs);
    }
    rmSync(folder, { recursive: true });
  },
};

/** The bars: as many answers as node_exporter gives, and as fast where it takes more than a blink. */
function* figures(name: string, ours: Outcome, theirs: Outcome | undefined): Generator<Figure> {
  const figure = (what: string, value: number, unit: string, bar?: Bar): Figure => ({
    name: `${name}: ${what}`,
    phones: PHONES,
    value,
    unit,
    ...(bar === undefined ? {} : { bar }),
  });
  const atMost = (value: number | undefined): Bar | undefined =>
    value === undefined || !Number.isFinite(value)
      ? undefined
      : { atMost: Math.max(value, BLINK_MILLISECONDS) };
  yield figure('answered', ours.answered, '', { atLeast: theirs?.answered ?? SCRAPES });
  yield figure('median', ours.median, 'ms', atMost(theirs?.median));
  yield figure('longest', ours.longest, 'ms', atMost(theirs?.longest));
  yield figure('growth of memory', ours.grown / 1e6, 'MB', { atMost: 64 });
}

const BLINK_MILLISECONDS = 100;

async function measureOurs(each: Attack, webFile: string): Promise<Outcome> {
  const exporter = await startChild('exporter', { parameters: ['', '1', String(PHONES), '8', webFile] });
  const [port = 0] = await exporter.ask('port');
  for (let poll = 0; poll < 3; poll += 1) await exporter.ask('poll');
  const outcome = await measure(each, port, exporter.pid);
  await exporter.stop();
  return outcome;
}

async function measureTheirs(each: Attack, webFile: string): Promise<Outcome | undefined> {
  const exporter = await startNodeExporter(webFile);
  if (exporter === undefined) return undefined;
  const outcome = await measure(each, exporter.port, exporter.pid);
  await exporter.stop();
  return outcome;
}

async function measure(each: Attack, port: number, pid: number): Promise<Outcome> {
  const login = each.isProtected ? `${LOGIN.name}:${LOGIN.password}` : '';
  const honest = await startChild('honest', { parameters: [String(port), login] });
  const attacker = await startChild('attacker', { parameters: [String(port)] });
  await honest.ask('scrape', 5, GAP_MILLISECONDS);
  const before = memoryOf(pid).now;
  const stopWatching = watchMemory(pid);
  const { kind, count, addresses = ADDRESSES } = each;
  await attacker.ask(kind, count, addresses === 0 ? 0 : 1, Math.max(1, addresses));
  await sleep(SETTLE_MILLISECONDS);
  const times = await honest.ask('scrape', SCRAPES, GAP_MILLISECONDS);
  const grown = (await stopWatching()) - before;
  await stop(honest, attacker);
  const answered = times.filter((time) => !Number.isNaN(time));
  return { answered: answered.length, median: median(answered), longest: Math.max(...answered), grown };
}

async function stop(...children: readonly Child[]): Promise<void> {
  await Promise.all(children.map((child) => child.stop()));
}

/** Samples the memory of a process until the returned function is called, which returns the most. */
function watchMemory(pid: number): () => Promise<number> {
  let going = true;
  const watched = (async () => {
    let most = 0;
    while (going) {
      most = Math.max(most, memoryOf(pid).now);
      await sleep(20);
    }
    return most;
  })();
  return () => {
    going = false;
    return watched;
  };
}
