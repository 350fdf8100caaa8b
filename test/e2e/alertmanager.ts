import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type Running, start } from '../process.ts';
import type { Inbox } from '../rules/inbox.ts';
import { ALERTMANAGER_FILE, ROOT, shippedText } from '../rules/shipped.ts';
import { readShortened, shortenDurations } from '../rules/shorten.ts';

/** Where a real Alertmanager sends what it has to say. */
export type Inboxes = { readonly http: Inbox; readonly mail: Inbox };

export type Alertmanager = Pick<Running, 'stop'> & { readonly url: string };

/**
 * Starts Alertmanager with the configuration as shipped, with addresses and secrets of this test.
 *
 * @param folder of the configuration, its secrets and what Alertmanager keeps
 * @param adapt changes the configuration; by default its durations become shorter
 */
export async function startAlertmanager(
  folder: string,
  inboxes: Inboxes,
  adapt = (text: string): string => shortenDurations(text, readShortened()),
): Promise<Alertmanager> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'alertmanager.yml');
  writeFileSync(file, adapt(configuration(folder, inboxes)));
  const port = await freePort();
  const running = start('prometheus-alertmanager', [
    `--config.file=${file}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ]);
  await running.waitForOutput(/Listening on/);
  return { url: `http://127.0.0.1:${port}`, stop: running.stop };
}

/** The shipped configuration with addresses and secrets of this test, and a digest that is sent at night too. */
function configuration(folder: string, { http, mail }: Inboxes): string {
  const secrets = { 'smtp-password': 'secret', 'slack-webhook-url': `http://127.0.0.1:${http.port}/slack` };
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder, name), secret);
  return shippedText(ALERTMANAGER_FILE)
    .replaceAll(/^( *)mute_time_intervals: \[night\]/gm, '$1mute_time_intervals: []')
    .replaceAll('/etc/alertmanager/secrets/', `${folder}/`)
    .replace('templates/*.tmpl', join(ROOT, 'config/alertmanager/templates/*.tmpl'))
    .replace("'mail.example.com:587'", `'127.0.0.1:${mail.port}'\n  smtp_require_tls: false`)
    .replace('chat_id: 1', `chat_id: 1\n        api_url: 'http://127.0.0.1:${http.port}'`)
    .replace('http://127.0.0.1:9824/alerts', `http://127.0.0.1:${http.port}/webhook`);
}
