import type { FailureReason } from '../../../src/model/enums.ts';
import { CATALOGUE } from '../../faults/catalogue.ts';
import type { FaultGroup } from '../../faults/effects/fault-group.ts';
import { expectationOf, FAULT_GROUPS } from '../../faults/effects/fault-groups.ts';

/** docs/FAILURES.md. */
export function failuresDocument(): string {
  return `# When something goes wrong

Whatever the API and the network do: every scrape is answered at once with a whole page, an unknown value has no series,
a fault loses no phone and invents none, and other collectors and accounts continue. What fails keeps its last good
data, as \`stale\`; after \`poll.stale_after\` it is \`expired\`, and its series are withdrawn
(\`hoster_exporter_data_state\`).

If polls fail, \`hoster_up\` and \`hoster_exporter_poll_success\` are 0, and the *reason* says why: it is in the output of
\`check\`, in the log, and in \`hoster_exporter_api_request_failures_total\`. Find it here. Where no reason is named, polls
succeed.

| reason | what is wrong, and what else shows it | what to do | well again |
|---|---|---|---|
${FAULT_GROUPS.filter(({ alerts }) => alerts.length > 0)
  .map(row)
  .join('\n')}

Tests play ${CATALOGUE.length} faults of these kinds at each endpoint: at the start, in steady state and during a poll.
\`demo\` and \`simulate\` can switch on three: an API that is down or slow, and a refused key.
[TROUBLESHOOTING.md](TROUBLESHOOTING.md) begins with what a person sees.
`;
}

function row({ title, effects, served, shown, alerts, action, recovery }: FaultGroup): string {
  const reasons = new Set(Object.keys(effects).flatMap(reasonsOf));
  const named = alerts.map((alert) => `\`${alert}\``).join(', ');
  const words = [`**${title}.**`, shown, served, named && `Alerts, if it lasts: ${named}.`];
  const cells = [
    [...reasons].map((reason) => `\`${reason}\``).join(', '),
    words.filter((text) => text).join(' '),
    action,
    recovery,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The reasons with which a fault lets requests fail, at any endpoint. */
function reasonsOf(name: string): readonly FailureReason[] {
  const endpoints = CATALOGUE.find((fault) => fault.name === name)?.endpoints ?? [];
  return endpoints.flatMap((endpoint) => expectationOf(name, endpoint).reason ?? []);
}
