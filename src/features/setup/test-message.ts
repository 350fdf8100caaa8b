import { type Clock, sleep } from '../../base/clock.ts';
import { type OutboundResponse, THIS_MACHINE } from '../../base/outbound.ts';
import { MINUTE, SECOND } from '../../model/time.ts';
import { say } from '../../text/say.ts';
import type { ChannelName } from './channels.ts';
import { send } from './network.ts';

/*
 * A test alert through Alertmanager.
 */

/** Maximum number of checks for a sent message: in total, and after a failure, when Alertmanager retries. */
const TRIES = 60;
const TRIES_AFTER_FAILURE = 7;

type RequestCounts = { readonly accepted: number; readonly failed: number };

/**
 * Sends a test alert that is resolved after two minutes.
 *
 * @returns whether the channel accepted the message
 * @throws an Error with a sentence if Alertmanager does not respond
 */
export async function sendTestMessage(
  alertmanager: URL,
  channel: ChannelName,
  botAnswers: boolean,
  clock: Clock,
): Promise<boolean> {
  const base = alertmanager.href.replace(/\/$/, '');
  const call = async (method: 'GET' | 'POST', path: string, json?: unknown): Promise<OutboundResponse> => {
    const response = await send(new URL(`${base}${path}`), method, THIS_MACHINE, json);
    if (response.status === 200) return response;
    throw new Error(`Alertmanager at ${base} responded with status ${response.status}.`);
  };
  const count = async (): Promise<RequestCounts> =>
    countRequests((await call('GET', '/metrics')).content, channel);
  const before = await count();
  await call('POST', '/api/v2/alerts', [testAlert(botAnswers, clock.now())]);
  for (let tries = 0, failures = 0; tries <= TRIES && failures <= TRIES_AFTER_FAILURE; tries += 1) {
    if (tries > 0) await sleep(clock, SECOND / 2);
    const { accepted, failed } = await count();
    if (accepted > before.accepted) return true;
    if (failed > before.failed) failures += 1;
  }
  return false;
}

function testAlert(botAnswers: boolean, now: number) {
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
      summary: say('setup-test-title'),
      description: [say('setup-test-text'), ...(botAnswers ? [say('setup-test-bot')] : [])].join(' '),
      over: say('setup-test-over'),
    },
    startsAt: new Date(now - 10 * MINUTE).toISOString(),
    endsAt: new Date(now + 2 * MINUTE).toISOString(),
  };
}

const INTEGRATIONS: Partial<Record<ChannelName, string>> = { mail: 'email', ntfy: 'webhook' };

/** Counts a channel's accepted and failed requests. Alertmanager counts a request once it has finished. */
export function countRequests(metrics: string, channel: ChannelName): RequestCounts {
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
