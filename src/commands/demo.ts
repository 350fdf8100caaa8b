import { command } from './command.ts';
import type { Io } from './io.ts';
import { prepare } from './prepare.ts';
import { serve } from './serve.ts';
import { DEMO_KEY, FLEET_OPTIONS, leadToDemo, setStage } from './stage.ts';

export const demo = command({
  name: 'demo',
  summary: 'A simulated marketplace and the exporter polling it over real HTTP; needs no key.',
  options: FLEET_OPTIONS,
  run: async ({ flags: given, options: own }, io) => {
    const simulator = await setStage({ ...own, port: 0, key: DEMO_KEY, latencyMilliseconds: 0 }, io.clock);
    const { flags, environment } = leadToDemo(given, io.environment, simulator.url);
    const quiet = { ...environment, HOSTER_LOG_LEVEL: environment['HOSTER_LOG_LEVEL'] || 'warn' };
    const { config, surroundings } = prepare(flags, { ...io, environment: quiet });
    const code = await serve(config, surroundings, io, async ({ url, firstRound }) => {
      await firstRound;
      await io.print(invitation(io, own.phones, url, config.web.telemetryPath, simulator.url));
    });
    await simulator.close();
    return code;
  },
});

function invitation(io: Io, phones: number, url: string, telemetryPath: string, marketplace: string): string {
  const bold = (text: string) => (io.colour ? `\u001b[1m${text}\u001b[0m` : text);
  const link = (text: string) => (io.colour ? `\u001b[36m${text}\u001b[0m` : text);
  return `
${bold('hoster-exporter demo')}: a simulated marketplace with ${phones} phones, polled over real HTTP.

  Open           ${link(`${url}/`)}
  Metrics        ${link(`${url}${telemetryPath}`)}
  Marketplace    ${link(marketplace)} (simulated; its key is "${DEMO_KEY}")

  One look       curl -s ${url}${telemetryPath} | grep ^hoster_devices
  Go wrong       curl -X PUT ${marketplace}/-/faults/all/internal-error

Ctrl-C ends both.
`;
}
