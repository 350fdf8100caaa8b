import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../faults/catalogue.ts';
import type { FaultGroup } from '../../faults/effects/fault-group.ts';
import { expectationOf, FAULT_GROUPS } from '../../faults/effects/fault-groups.ts';
import { wrap } from './wrap.ts';

/** The failure model as Markdown: each failure with the fault or the test that shows what the exporter does. */
export const FAILURE_MODEL = readFileSync(join(import.meta.dirname, 'failure-model.md'), 'utf8');

/** docs/FAILURES.md. */
export function failuresDocument(): string {
  return `# When something goes wrong

This page says what the exporter does for each fault of the API and the network. It is derived from
\`test/faults/effects\` by \`npm run docs\`. Tests play each fault at each endpoint: at the start, in steady state and
during a poll.

In every one of these scenarios the tests also check:

- The exporter stays alive. Every scrape is answered with 200 and a whole page that Prometheus accepts.
- A scrape never waits for the API. Data is never older than \`poll.stale_after\`, and \`hoster_exporter_data_state\`
  says if it is \`fresh\`, \`held\` or \`expired\`. An unknown value has no series; it is never 0.
- A failed poll counts once, under one reason. \`hoster_exporter_poll_last_success_timestamp_seconds\` changes with a
  success only.
- A fault loses no phone and invents none. Other collectors continue.
- Requests are limited, the log has at most ten lines a minute, and neither shows a key, a login or a password.

\`hoster-exporter simulate\` can switch on the faults of responses by their names (\`PUT /-/faults/devices/hang\`).
**Counts as** is the \`reason\` in \`hoster_exporter_api_request_failures_total\`. Without a reason, polls succeed.

${FAULT_GROUPS.map(section).join('\n')}
## What is covered by which test

The failures that the design covers, what the exporter does, and what shows it: a fault of the sections above with all
of its scenarios, or a test in \`test\`.

${FAILURE_MODEL}`;
}

function section(group: FaultGroup): string {
  const { title, effects, served, shown, alerts, action, recovery } = group;
  const rows = Object.keys(effects).map((name) => `| \`${name}\` | ${describe(name)} | ${countsAs(name)} |`);
  const fires = alerts.length === 0 ? 'None.' : `${alerts.map((alert) => `\`${alert}\``).join(', ')}.`;
  return `## ${title}

| fault | what goes wrong | counts as |
|---|---|---|
${rows.join('\n')}

${bullets({
  'Served meanwhile': served,
  'Shown by': shown,
  'Alerts, if it lasts': fires,
  'What to do': action,
  'It recovers': recovery,
})}
`;
}

function bullets(entries: Readonly<Record<string, string>>): string {
  return Object.entries(entries)
    .map(([name, text]) => wrap(`- **${name}:** ${text}`, '  '))
    .join('\n');
}

function describe(name: string): string {
  return CATALOGUE.find((fault) => fault.name === name)?.description.replaceAll('|', '\\|') ?? '';
}

/** The reason, with the endpoints in brackets where it is not the same at all of them. */
function countsAs(name: string): string {
  const endpoints = CATALOGUE.find((fault) => fault.name === name)?.endpoints ?? [];
  const reasons = endpoints.map((endpoint) => ({ endpoint, reason: expectationOf(name, endpoint).reason }));
  const distinct = new Set(reasons.map(({ reason }) => reason));
  if (distinct.size === 1) return reasons[0]?.reason === undefined ? '' : `\`${reasons[0].reason}\``;
  return reasons
    .flatMap(({ endpoint, reason }) => (reason === undefined ? [] : `\`${reason}\` (${endpoint})`))
    .join(', ');
}
