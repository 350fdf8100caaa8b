// Writes the past of the demo for a Prometheus that is new: what it would have scraped until now, as OpenMetrics text.
//
//   node packaging/demo-history.mjs --phones=60 --history=1d --currency=EUR --instance=exporter:9823 > demo.om
//   promtool tsdb create-blocks-from openmetrics demo.om data
//
// The same flags give the same text, byte by byte. `--until` is where it ends, in seconds since 1970; now by default.

import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { writeHistory } from '../dist/demo-history.js';

const { values } = parseArgs({
  options: {
    phones: { type: 'string', default: '250' },
    seed: { type: 'string', default: '1' },
    history: { type: 'string', default: '1h' },
    currency: { type: 'string', default: '' },
    instance: { type: 'string', default: 'exporter:9823' },
    until: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
  },
});

const UNITS = { h: 3_600_000, d: 86_400_000 };
const [, amount, unit] = /^(\d+)([hd])$/.exec(values.history) ?? [];
if (unit === undefined)
  throw new Error(`--history: got "${values.history}", expected a time such as 1d or 6h`);

const pieces = writeHistory({
  phones: Number(values.phones),
  seed: Number(values.seed),
  history: Number(amount) * UNITS[unit],
  currency: values.currency,
  until: Number(values.until) * 1000,
  instance: values.instance,
});
for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
