import type { Clock } from '../../base/clock.ts';
import { type OutboundResponse, THIS_MACHINE } from '../../base/outbound.ts';
import { MINUTE } from '../../model/time.ts';
import type { ChannelName } from './channels.ts';
import { becomesTrue } from './daemon.ts';
import { send } from './network.ts';

/*
 * A test alert through Alertmanager, the way each alert goes.
 */

/** How many times Alertmanager is asked if the message left. After a failure it tries again for a while. */
const TRIES = 60;
const TRIES_AFTER_FAILURE = 7;

type Counts = { readonly accepted: number; readonly failed: number };

/**
 * Sends a test alert that ends in two minutes.
 *
 * @returns true when the channel has accepted a message, false if it did not
 * @throws an Error with a sentence if Alertmanager does not respond
 */
export async function sendTestMessage(
  alertmanager: URL,
  channel: ChannelName,
  hint: string,
  clock: Clock,
): Promise<boolean> {
  const base = alertmanager.href.replace(/\/$/, '');
  const call = async (method: 'GET' | 'POST', path: string, json?: unknown): Promise<OutboundResponse> => {
    const response = await send(new URL(`${base}${path}`), method, THIS_MACHINE, json);
    if (response.status === 200) return response;
    throw new Error(`Alertmanager at ${base} responds with status ${response.status}.`);
  };
  const count = async (): Promise<Counts> => countRequests((await call('GET', '/metrics')).content, channel);
  const before = await count();
  await call('POST', '/api/v2/alerts', [testAlert(hint, clock.now())]);
  let isSent = false;
  let failures = 0;
  await becomesTrue(TRIES, clock, async () => {
    const { accepted, failed } = await count();
    isSent = accepted > before.accepted;
    if (failed > before.failed) failures += 1;
    return isSent || failures > TRIES_AFTER_FAILURE;
  });
  return isSent;
}

function testAlert(hint: string, now: number) {
  return {
    labels: {
      alertname: 'HosterSoldPhoneOffline',
      severity: 'critical',
      scope: 'device',
      account: 'default',
      device_id: `test-${now}`,
      label: 'test',
    },
    annotations: {
      summary: 'A test: no phone is offline',
      description: `If you read this, messages reach you. Its end follows in some two minutes.${hint}`,
      over: 'the test is over',
    },
    startsAt: new Date(now - 10 * MINUTE).toISOString(),
    endsAt: new Date(now + 2 * MINUTE).toISOString(),
  };
}

/** Alertmanager's own names of channels. */
const INTEGRATIONS: Partial<Record<ChannelName, string>> = { mail: 'email', ntfy: 'webhook' };

/** Reads how many requests a channel accepted, and how many failed. Alertmanager counts a request when it has ended. */
export function countRequests(metrics: string, channel: ChannelName): Counts {
  const integration = INTEGRATIONS[channel] ?? channel;
  const sumOf = (name: string): number =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(`alertmanager_notification_requests${name}_total{`))
      .filter((line) => line.includes(`integration="${integration}"`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const failed = sumOf('_failed');
  return { accepted: sumOf('') - failed, failed };
}
