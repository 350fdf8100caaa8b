import { defineCommand, type Io, prepare } from './command.ts';
import { serve } from './run.ts';
import { DEMO_KEY, demoConfig, FLEET_OPTIONS, simulateFleet } from './simulate.ts';

export const demo = defineCommand({
  options: FLEET_OPTIONS,
  run: async (parsed, io) => {
    const { options } = parsed;
    const { simulator } = await simulateFleet(options, io.clock, {
      port: 0,
      key: DEMO_KEY,
      latencyMilliseconds: 0,
    });
    const { flags, environment } = demoConfig(parsed.flags, io.environment, simulator.url);
    const quiet = { ...environment, HOSTER_LOG_LEVEL: environment['HOSTER_LOG_LEVEL'] || 'warn' };
    const { config, dependencies } = await prepare(flags, { ...io, environment: quiet });
    const code = await serve(config, dependencies, io, async ({ url, firstRound }) => {
      await firstRound;
      await io.print(welcome(io, options.phones, url, config.web.telemetry_path, simulator.url));
    });
    await simulator.close();
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

  One look       curl -s ${url}${telemetryPath} | grep ^hoster_devices
  API down       curl -X PUT ${marketplace}/-/faults/down
  Power cut      curl -X PUT ${marketplace}/-/faults/group/rack-03
  All well       curl -X DELETE ${marketplace}/-/faults

Ctrl-C ends both.
`;
}
