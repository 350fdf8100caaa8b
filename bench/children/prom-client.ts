import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Gauge, Registry } from 'prom-client';
import type { Family } from '../../src/metrics/families.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import { createLocalExporter, FAMILIES } from '../exporter.ts';
import { ownCpu } from '../measure.ts';
import { handleRequests } from './handlers.ts';

/** The usual way: the same series in prom-client, printed and compressed at each scrape. Parameter: phones. */
const phones = Number(process.argv[2]);
const registry = new Registry();
const compress = promisify(gzip);

/** The labels that identify a subject, back from their text. */
function identityOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]),
  );
}

function fillerOf(family: Family): (snapshot: Snapshot) => void {
  const { name, help, labels, ownLabels } = family;
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  const metric = new Gauge(options);
  return ({ accounts }) => {
    metric.reset();
    for (const { identity, samples } of accounts.flatMap((account) => [...family.samples(account)])) {
      const subject = identityOf(identity);
      for (const [value, ...values] of samples) {
        const own = Object.fromEntries(ownLabels.map((label, index) => [label, values[index] ?? '']));
        metric.inc({ ...subject, ...own }, value);
      }
    }
  };
}

const fillers = FAMILIES.map(fillerOf);

/** Milliseconds of CPU that it takes to set all series once. The exporter that polled for it is forgotten. */
async function poll(): Promise<readonly number[]> {
  const exporter = createLocalExporter(phones, 1);
  await exporter.prepare();
  await exporter.poll();
  const snapshot = exporter.snapshot();
  const before = ownCpu();
  for (const fill of fillers) fill(snapshot);
  return [ownCpu() - before];
}

const server = createServer(async (_, response) => {
  const body = await compress(await registry.metrics());
  response.writeHead(200, {
    'content-type': registry.contentType,
    'content-encoding': 'gzip',
    'content-length': body.length,
  });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  handleRequests({
    port: () => [typeof address === 'object' ? (address?.port ?? 0) : 0],
    poll,
  });
});
