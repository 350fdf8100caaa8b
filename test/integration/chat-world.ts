import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RunningCommand, startCommand } from '../run-command.ts';
import { EACH_SECOND, exporterTest, type InProcess, serveExporter } from './exporter.ts';
import { phonesOf, startStandInApi } from './stand-in-api.ts';
import { type StandInTelegram, startStandInTelegram, TOKEN } from './stand-in-telegram.ts';

/*
 * A chat over real sockets: a stand-in of the Bot API, the chat, the daemon, and a marketplace.
 */

export const HOUR = 3_600_000;

type Chat = RunningCommand & {
  readonly telegram: StandInTelegram;
  readonly ask: (text: string) => Promise<string>;
};

type StartChat = (
  url: string,
  options?: { readonly telegram?: StandInTelegram; readonly parameters?: readonly string[] },
) => Promise<Chat>;

const OFFLINE_TOGETHER = /^hoster_incident_since_timestamp_seconds\{.*common_cause/m;

export type Farm = InProcess & { readonly close: () => Promise<void> };

/** Two racks. The first has been offline for an hour. */
export async function startFarm(): Promise<Farm> {
  const offlineSince = Date.now() - HOUR - 10_000;
  const api = await startStandInApi({
    phones: [...phonesOf(4), ...phonesOf(8, 'rack-02').slice(4)],
    heartbeatAt: (id) => (id < 'phone-05' ? offlineSince : Date.now()),
  });
  const parameters = [...EACH_SECOND, '--time-zone=Europe/Kyiv', '--web.enable-changes'];
  const exporter = await serveExporter({ apiUrl: api.url, parameters });
  await exporter.shows(OFFLINE_TOGETHER);
  const close = async () => {
    await exporter.stop();
    api.close();
  };
  return { ...exporter, close };
}

export const chatTest = exporterTest.extend<{ readonly ownFarm: Farm; readonly chat: StartChat }>({
  ownFarm: async ({ onTestFinished }, use) => {
    const own = await startFarm();
    onTestFinished(own.close);
    await use(own);
  },
  chat: async ({ onTestFinished }, use) => {
    await use(async (url, { telegram: given, parameters = [] } = {}) => {
      const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-chat-'));
      writeFileSync(join(folder, 'token'), `${TOKEN}\n`);
      const telegram = given ?? (await startStandInTelegram());
      const chats = parameters.some((each) => each.startsWith('--chats=')) ? [] : ['--chats=7'];
      const running = startCommand([
        ...['telegram', `--token-file=${join(folder, 'token')}`, ...chats, `--url=${url}`],
        ...[`--bot-api-url=${telegram.url}`, ...parameters],
      ]);
      onTestFinished(async () => {
        telegram.close();
        await running.stop();
        // It may still be writing its state.
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        // Nothing secret in what it said.
        expect(running.output()).not.toMatch(/canary/);
        expect(JSON.stringify(telegram.sent)).not.toMatch(/canary/);
      });
      const ask = async (text: string): Promise<string> => {
        telegram.write(text);
        return (await telegram.next()).text;
      };
      return { ...running, telegram, ask };
    });
  },
});
