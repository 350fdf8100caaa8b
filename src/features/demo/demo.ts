import { defineCommand, type Io, prepare } from '../../cli/command.ts';
import { serve } from '../../cli/run.ts';
import type { DaemonFeature } from '../../daemon/feature.ts';
import { phonesText } from '../../fleet/words.ts';
import { bufferReply, escapeHtml } from '../../http/reply.ts';
import { DEFAULT_GROUPS, groupOf } from '../../model/group.ts';
import type { Faults } from './faults.ts';
import type { Marketplace } from './marketplace.ts';
import { writePast } from './past.ts';
import { DEMO_KEY, demoConfig, FLEET_OPTIONS, simulateFleet } from './simulate.ts';

/** Roughly what a simulated phone earns. */
const PRICE = { group: undefined, model: undefined, centsPerDay: 190 };

export const demo = defineCommand({
  options: FLEET_OPTIONS,
  run: async (parsed, io) => {
    const { options } = parsed;
    const simulator = await simulateFleet(options, io.clock);
    const { flags, environment } = demoConfig(parsed.flags, io.environment, simulator.url);
    const quiet = {
      HOSTER_WEB_ENABLE_CHANGES: 'true',
      HOSTER_CURRENCY: 'EUR',
      ...environment,
      HOSTER_LOG_LEVEL: environment['HOSTER_LOG_LEVEL'] || 'warn',
    };
    const { config: own, dependencies } = await prepare(flags, { ...io, environment: quiet });
    const config = own.prices.length === 0 ? { ...own, prices: [PRICE] } : own;
    // Without a writable folder, as in a container, the demo has no history.
    const past =
      config.state.file === undefined
        ? await writePast(simulator.marketplace, config, io, options.history).catch(() => undefined)
        : undefined;
    const switches = createSwitches(simulator.marketplace, simulator.faults);
    const daemon = { ...dependencies, features: [...dependencies.features, switches] };
    const code = await serve(past?.config ?? config, daemon, io, async ({ url, firstRound }) => {
      await firstRound;
      await io.print(welcome(io, options.phones, url, config.web.telemetry_path, simulator.url));
    });
    simulator.close();
    await past?.remove();
    return code;
  },
});

function welcome(io: Io, phones: number, url: string, telemetryPath: string, marketplace: string): string {
  const bold = (text: string) => (io.colour ? `\u001b[1m${text}\u001b[0m` : text);
  const link = (text: string) => (io.colour ? `\u001b[36m${text}\u001b[0m` : text);
  return `
${bold('hoster-exporter demo')}: a simulated marketplace with ${phones} phones, polled over real HTTP.

  Open           ${link(`${url}/`)}
  Metrics        ${link(`${url}${telemetryPath}`)}
  Marketplace    ${link(marketplace)} (simulated; its key is "${DEMO_KEY}")
  Try a fault    ${link(`${url}/demo`)}
                 Cut a rack, or take the API down. The fleet page links to it.

  Metrics only   curl -s ${url}${telemetryPath} | grep ^hoster_devices
  Power cut      curl -X PUT ${marketplace}/-/faults/group/rack-01
  End faults     curl -X DELETE ${marketplace}/-/faults

A power cut shows within four minutes. Press Ctrl-C to quit.
`;
}

/** Number of groups that get a button. */
const SHOWN_GROUPS = 12;

/** The page has a form and an inline style, but no script. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'";

/**
 * Switches for the faults, so that nobody needs curl. They are a page of the exporter, since a container publishes no other port.
 * A POST starts the fault named by `fault` in the query, or ends all faults.
 */
function createSwitches(marketplace: Marketplace, faults: Faults): DaemonFeature {
  const answer = ({ method, query }: { readonly method: string; readonly query: URLSearchParams }) => {
    const path = ['/-/faults', ...query.getAll('fault')].join('/');
    if (method === 'POST') faults.control({ method: query.has('fault') ? 'PUT' : 'DELETE', path });
    // Without a referrer, a form would be sent with the origin `null`, as another site's page might send it.
    const headers = { 'content-security-policy': POLICY, 'referrer-policy': 'same-origin' };
    return bufferReply(200, 'text/html; charset=utf-8', pageOf(marketplace, faults), headers);
  };
  return {
    name: 'switches',
    create: () => ({
      exporter: () => ({ links: [{ href: 'demo', title: 'Try a fault' }] }),
      routes: () => [['/demo', { methods: ['GET', 'POST'], answer }]],
    }),
  };
}

function pageOf(marketplace: Marketplace, faults: Faults): string {
  const labels = marketplace.phones().map(({ label }) => label);
  const groups = [...new Set(labels.map((label) => groupOf(label, DEFAULT_GROUPS)))].filter((group) =>
    /^[\w-]+$/.test(group),
  );
  const button = (query: string, text: string): string => `<button formaction="?${query}">${text}</button>\n`;
  const cuts = groups.sort().slice(0, SHOWN_GROUPS);
  const active = faults
    .active()
    .map(({ name, phones }) => (phones === 0 ? name : `${name} (${phonesText(phones)})`));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Simulated marketplace</title>
<style>body { font: 16px system-ui; margin: 2rem } button { font: inherit; padding: .5rem 1rem; margin: .25rem }</style>
<h1>Simulated marketplace</h1>
<p>Start a fault, and watch the <a href="./">fleet page</a>. A power cut shows within four minutes.</p>
<form method="post">
<p>${button('fault=down', 'API down')}${button('fault=slow', 'API slow')}${button('fault=refused-key', 'Key refused')}</p>
<p>${cuts.map((group) => button(`fault=group/${group}`, `Cut ${group}`)).join('')}</p>
<p>${button('', 'All well')}</p>
</form>
<p>Active: <b>${escapeHtml(active.join(', ')) || 'none'}</b></p>
`;
}
