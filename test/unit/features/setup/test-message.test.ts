import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countRequests, sendTestMessage } from '../../../../src/features/setup/test-message.ts';
import { createFakeClock } from '../../../fake-clock.ts';

/** A stand-in of Alertmanager, which counts a request each time its metrics are read after an alert. */
async function startAlertmanager(outcome: 'accepted' | 'failed' | 'nothing') {
  const alerts: unknown[] = [];
  let requests = 3;
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') alerts.push(...JSON.parse(await text(request)));
    else if (alerts.length > 0 && outcome !== 'nothing') requests += 1;
    const failed = outcome === 'failed' ? requests - 3 : 0;
    response.end(
      `alertmanager_notification_requests_total{integration="email"} ${requests}\nalertmanager_notification_requests_failed_total{integration="email"} ${failed}\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`), alerts };
}

describe('the test message', () => {
  it.each([
    ['accepted', true],
    ['failed', false],
    ['nothing', false],
  ] as const)('is %s, and so sent: %s', async (outcome, isSent) => {
    const { url, alerts } = await startAlertmanager(outcome);
    const clock = createFakeClock();
    let isOver = false;
    const sending = sendTestMessage(url, 'mail', true, clock).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(500);
    }
    expect(await sending).toBe(isSent);
    expect(alerts).toMatchObject([
      {
        labels: { alertname: 'HosterSoldPhoneOffline', severity: 'critical' },
        annotations: { description: expect.stringMatching(/message follows .* Now try \/status\.$/) },
      },
    ]);
  });

  it('counts the requests of its channel alone, by all reasons of failure', () => {
    const metrics = [
      'alertmanager_notification_requests_total{integration="telegram"} 7',
      'alertmanager_notification_requests_failed_total{integration="telegram",reason="a"} 1',
      'alertmanager_notification_requests_failed_total{integration="telegram",reason="b"} 2',
      'alertmanager_notification_requests_total{integration="webhook"} 9',
    ].join('\n');
    expect(countRequests(metrics, 'telegram')).toEqual({ accepted: 4, failed: 3 });
    expect(countRequests(metrics, 'ntfy')).toEqual({ accepted: 9, failed: 0 });
  });
});
