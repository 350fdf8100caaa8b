import { defineCommand, type Io, prepare } from '../../cli/command.ts';
import { serve } from '../../cli/run.ts';
import { writePast } from './past.ts';
import { DEMO_KEY, demoConfig, FLEET_OPTIONS, simulateFleet } from './simulate.ts';
import { createSwitches } from './switches.ts';

/** About the revenue of a simulated phone. */
const PRICE = { group: undefined, model: undefined, centsPerDay: 190 };

export const demo = defineCommand({
  options: FLEET_OPTIONS,
  run: async (parsed, io) => {
    const { options } = parsed;
    const simulator = await simulateFleet(options, io.clock);
    const { flags, environment } = demoConfig(parsed.flags, io.environment, simulator.url);
    const quiet = {
      HOSTER_WEB_ENABLE_MAINTENANCE: 'true',
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
