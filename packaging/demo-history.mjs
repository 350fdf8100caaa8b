// Writes the past of the demo for a Prometheus that is new: what it would have scraped until now, as OpenMetrics text.
//
//   node packaging/demo-history.mjs --phones=60 --history=1d --currency=EUR --instance=exporter:9823 > demo.om
//   promtool tsdb create-blocks-from openmetrics demo.om data
//
// The same flags give the same text, byte by byte. `--until` is where it ends, in seconds since 1970; now by default.

import { once } from 'node:events';
import { ConfigError } from '../dist/config/messages.js';
import { writeHistory } from '../dist/demo-history.js';

try {
  for await (const piece of writeHistory(process.argv.slice(2), Date.now())) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  for (const problem of error.problems) console.error(problem);
  process.exitCode = 2;
}
