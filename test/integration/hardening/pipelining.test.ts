import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, MAIN, start } from '../../process.ts';
import { requestTo } from './test-server.ts';

/** More than the 64 kB that Node reads at once. */
const PIPELINE = requestTo('/metrics').repeat(1_700);
const CONNECTIONS = 200;

it('a daemon with a heap of 128 MB answers while 200 connections send 1,700 requests at once', async () => {
  const port = await freePort();
  const flags = ['demo', '--phones=5', `--web.listen-address=127.0.0.1:${port}`];
  const daemon = start(process.execPath, ['--max-old-space-size=128', MAIN, ...flags]);
  onTestFinished(async () => void (await daemon.stop()));
  await daemon.waitForOutput(/Metrics\s+\S+\/metrics/);
  const attack = Array.from({ length: CONNECTIONS }, (_, index) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (index % 100)}` });
    socket.on('error', () => {}).resume();
    socket.write(PIPELINE);
    return new Promise((resolve) => socket.once('close', resolve));
  });
  const healthy = async () => (await fetch(`http://127.0.0.1:${port}/-/healthy`)).status;
  const during = await healthy();
  await Promise.all(attack);
  expect([during, await healthy()]).toEqual([200, 200]);
});
