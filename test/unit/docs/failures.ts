import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../../src/simulator/faults/switchboard.ts';
import type { Symptom } from '../../faults/symptoms/symptom.ts';
import { expectationOf, SYMPTOMS } from '../../faults/symptoms/symptoms.ts';

/** The failures that the design has to bear, as Markdown; each with the fault or the test that shows what is done. */
export const FAILURE_MODEL = readFileSync(join(import.meta.dirname, 'failure-model.md'), 'utf8');

/** docs/FAILURES.md. */
export function failuresDocument(): string {
  return `# When something goes wrong

This page is derived from the table of symptoms in \`test/faults/symptoms\` by \`npm run docs\`. The scenario tests play each
fault below at each place, at the start, in steady state and in the midst of a poll, and expect what stands here: so it
is what was seen, not what was meant.

Whatever the API does, this holds, and the same tests expect it in every scenario:

- The exporter stays alive, and every scrape is answered 200 with a whole page that Prometheus takes.
- A scrape never waits for the API. What is shown is never older than \`poll.stale_after\`; \`hoster_exporter_data_state\` says
  whether it is \`fresh\`, \`held\` or \`expired\`. What cannot be known has no series; it is never 0.
- A failed poll counts once, under one reason; \`hoster_exporter_poll_last_success_timestamp_seconds\` moves with a success only.
- No phone is lost and none invented by a fault. A collector that is well goes on beside one that is not.
- Requests stay within a bound, the log within ten lines a minute, and neither shows a key, a login or a password.

The faults have names, by which \`hoster-exporter simulate\` can switch those of answers on (\`PUT /-/faults/devices/hang\`).
**Counts as** is the \`reason\` of \`hoster_exporter_poll_failures_total\` and, where it is the requests that fail, of
\`hoster_exporter_api_request_failures_total\`; without one, polls succeed.

${SYMPTOMS.map(section).join('\n')}
## What is covered by which test

The failures that the design has to bear, what the exporter does about each, and what shows it: a fault of the pages above,
with all of its scenarios, or a test in \`test\`.

${FAILURE_MODEL}`;
}

function section(symptom: Symptom): string {
  const { title, effects, served, shown, alerts, action, recovery } = symptom;
  const rows = Object.keys(effects).map((name) => `| \`${name}\` | ${describe(name)} | ${countsAs(name)} |`);
  const fires = alerts.length === 0 ? 'None.' : `${alerts.map((alert) => `\`${alert}\``).join(', ')}.`;
  return `## ${title}

| fault | what goes wrong | counts as |
|---|---|---|
${rows.join('\n')}

- **Served meanwhile:** ${served}
- **Shown by:** ${shown}
- **Alerts, if it lasts:** ${fires}
- **What to do:** ${action}
- **All is well again:** ${recovery}
`;
}

function describe(name: string): string {
  return CATALOGUE.find((fault) => fault.name === name)?.description.replaceAll('|', '\\|') ?? '';
}

/** The reason, with the endpoints in brackets where it is not the same at all of them. */
function countsAs(name: string): string {
  const endpoints = CATALOGUE.find((fault) => fault.name === name)?.endpoints ?? [];
  const reasons = endpoints.map((endpoint) => {
    const { reason, poll } = expectationOf(name, endpoint);
    return { endpoint, reason: reason ?? poll };
  });
  const distinct = new Set(reasons.map(({ reason }) => reason));
  if (distinct.size === 1) return reasons[0]?.reason === undefined ? '' : `\`${reasons[0].reason}\``;
  return reasons
    .flatMap(({ endpoint, reason }) => (reason === undefined ? [] : `\`${reason}\` (${endpoint})`))
    .join(', ');
}
