import { writeFileSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { createDisk } from '../../src/base/disk.ts';
import { textReply } from '../../src/http/reply.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { startServer } from '../../src/http/server.ts';
import { openWebAccess } from '../../src/http/web-config/access.ts';
import { EXPOSITION_TYPE } from '../../src/metrics/encode.ts';
import { silentLog } from '../../test/silent-log.ts';
import { TELEMETRY_PATH } from '../dependencies.ts';
import { createLocalExporter, createNetworkExporter } from '../exporter.ts';
import { type DelayWatch, ownCpu, watchDelay } from '../measure.ts';
import { handleRequests } from './handlers.ts';

/**
 * The exporter behind its server. Parameters: where to write the body of a scrape, the number of accounts, and then
 * either the phones of all accounts, or the address of an API; how many requests at once that is asked; and where a web
 * configuration file is.
 */
const [bodyFile = '', accounts = '1', phonesOrUrl = '0', concurrency = '8', webFile = ''] =
  process.argv.slice(2);

const exporter = phonesOrUrl.startsWith('http')
  ? createNetworkExporter(Number(accounts), phonesOrUrl, Number(concurrency))
  : createLocalExporter(Number(phonesOrUrl), Number(accounts));
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  routes: createRoutes({
    telemetryPath: TELEMETRY_PATH,
    expositionType: EXPOSITION_TYPE,
    scrape: exporter.scrape,
    fleet: () => textReply(404, 'not measured'),
    features: [],
    stalledCollectors: () => [],
    ready: () => true,
    isReader: () => false,
    reload: async () => ({ problems: [], warnings: [], pending: [] }),
  }),
  onAnswer: exporter.metrics.httpResponded,
  onRefusal: () => {},
  web:
    webFile === ''
      ? undefined
      : await openWebAccess({
          path: webFile,
          disk: createDisk(systemClock, 2),
          clock: systemClock,
          log: silentLog,
        }),
  clock: systemClock,
  log: silentLog,
});
let delay: DelayWatch | undefined;

handleRequests({
  port: () => [Number(new URL(server.url).port)],
  /** Milliseconds of CPU and of time that a poll takes, until the page shows it. */
  poll: async () => {
    await exporter.prepare();
    const [startedAt, before] = [performance.now(), ownCpu()];
    await exporter.poll();
    return [ownCpu() - before, performance.now() - startedAt];
  },
  /** Bytes of a body and of its text, which goes to the file. */
  body: async () => {
    const { chunks, length, textLength } = await exporter.scrape();
    writeFileSync(bodyFile, Buffer.concat(chunks));
    return [length, textLength];
  },
  /** The longest delay of the event loop since the last answer, in milliseconds; watching begins with the first. */
  delay: async () => {
    delay ??= watchDelay();
    return [await delay.longest()];
  },
});
