import { type Child, startChild } from '../child.ts';
import { cpuOf, median } from '../measure.ts';
import { createServedDirectory, hasNginx, startNginx } from '../nginx.ts';
import type { Bar, Figure, Options, Scenario } from '../report.ts';

/** Above this size prom-client needs minutes or cannot build its text at all. */
const PROM_CLIENT_LIMIT = 100_000;

/** Milliseconds between two scrapes, so that none waits for what the one before left behind. */
const GAP = 10;

const NGINX_BARS: Readonly<Record<number, Bar>> = {
  1000: { atMost: 5 },
  10000: { atMost: 2 },
  100000: { atMost: 2 },
  1000000: { atMost: 2 },
};

const PROM_CLIENT_BARS: Readonly<Record<number, Bar>> = {
  1000: { atLeast: 30 },
  10000: { atLeast: 150 },
  100000: { atLeast: 500 },
};

/** A server under test: its port, its process, and what was measured of it. */
type Target = {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Scrapes in one round. */
  readonly scrapes: number;
  readonly times: number[];
  readonly cpu: number[];
};

export const scrape: Scenario = {
  name: 'scrape',
  title: 'Scrape with gzip over loopback: milliseconds to the last byte, and of CPU in the server; medians',
  async *run(options) {
    for (const phones of options.phones) yield* atSize(phones, options);
  },
};

async function* atSize(phones: number, { rounds }: Options): AsyncGenerator<Figure> {
  const directory = createServedDirectory();
  const exporter = await startChild('exporter', { parameters: [directory.body, '1', String(phones)] });
  const reader = await startChild('reader');
  // Twice, so that the page is a steady one.
  await exporter.ask('poll');
  await exporter.ask('poll');
  const [bodyBytes = 0, textBytes = 0] = await exporter.ask('body');
  const nginx = hasNginx() ? await startNginx(directory.path) : undefined;
  const nodeHttp = await startChild('node-http', { parameters: [directory.body] });
  const promClient = phones <= PROM_CLIENT_LIMIT ? await startPromClient(phones) : undefined;

  const ours = target('exporter', await portOf(exporter), exporter.pid, 5);
  const targets = [ours];
  if (nginx !== undefined) targets.push(target('nginx', nginx.port, nginx.pid, 5));
  targets.push(target('node:http', await portOf(nodeHttp), nodeHttp.pid, 5));
  if (promClient !== undefined)
    targets.push(target('prom-client', await portOf(promClient), promClient.pid, 1));

  for (const each of targets) await reader.ask('scrape', each.port, each.scrapes, GAP);
  for (let round = 0; round < rounds; round += 1) {
    for (const each of targets) {
      const isSlow = each.name === 'prom-client' && phones >= 100_000;
      if (isSlow && round >= 3) continue;
      await measureRound(reader, each);
    }
  }
  await Promise.all([exporter.stop(), reader.stop(), nginx?.stop(), nodeHttp.stop(), promClient?.stop()]);
  directory.remove();

  yield { name: 'body', phones, value: bodyBytes / 1e6, unit: 'MB gzip' };
  yield { name: 'text', phones, value: textBytes / 1e6, unit: 'MB' };
  for (const { name, times, cpu } of targets) {
    yield { name: `${name}, time`, phones, value: median(times), unit: 'ms' };
    yield { name: `${name}, CPU`, phones, value: median(cpu), unit: 'ms' };
  }
  yield* ratios(phones, targets);
}

async function measureRound(reader: Child, { port, pid, scrapes, times, cpu }: Target): Promise<void> {
  const before = cpuOf(pid);
  times.push(...(await reader.ask('scrape', port, scrapes, GAP)));
  cpu.push((cpuOf(pid) - before) / scrapes);
}

function* ratios(phones: number, targets: readonly Target[]): Generator<Figure> {
  const of = (name: string): Target | undefined => targets.find((each) => each.name === name);
  const [ours, nginx, promClient] = [of('exporter'), of('nginx'), of('prom-client')];
  if (ours === undefined) return;
  if (nginx !== undefined) {
    const bar = NGINX_BARS[phones];
    const time = median(ours.times) / median(nginx.times);
    yield { name: 'exporter / nginx, time', phones, value: time, unit: '×', ...(bar && { bar }) };
    const value = median(ours.cpu) / median(nginx.cpu);
    yield { name: 'exporter / nginx, CPU', phones, value, unit: '×' };
  }
  if (promClient !== undefined) {
    const bar = PROM_CLIENT_BARS[phones];
    const value = median(promClient.times) / median(ours.times);
    yield { name: 'prom-client / exporter, time', phones, value, unit: '×', ...(bar && { bar }) };
  }
}

async function startPromClient(phones: number): Promise<Child> {
  const child = await startChild('prom-client', {
    parameters: [String(phones)],
    nodeFlags: ['--max-old-space-size=8192'],
  });
  await child.ask('poll');
  return child;
}

async function portOf(child: Child): Promise<number> {
  const [port = 0] = await child.ask('port');
  return port;
}

function target(name: string, port: number, pid: number, scrapes: number): Target {
  return { name, port, pid, scrapes, times: [], cpu: [] };
}
