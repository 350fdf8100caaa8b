import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { createMonitor } from '../../src/daemon/monitor.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
import { requestOf, routeOf } from '../route-sources.ts';
import { success, wireBalance, wireDevice, wirePage } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

const LONG = '📱'.repeat(700);
const KANJI = '交換した電話を確認してください。'.repeat(31).slice(0, 490);

it('no label value is longer than docs/SCALING.md says, whatever the API and people write', async () => {
  const clock = createFakeClock();
  const http: HttpClient = {
    get: async (path) => {
      const items = [
        wireDevice({
          deviceId: 'p1',
          label: LONG,
          brand: LONG,
          model: LONG,
          appVersion: LONG,
          selfRent: undefined,
        }),
      ];
      const body = path.includes('balance') ? wireBalance() : wirePage({ items, total: 1 });
      const headers = { date: new Date(clock.now()).toUTCString() };
      return { status: 200, headers, body: Buffer.from(success(body)) };
    },
    close: async () => {},
  };
  const { config } = load({
    flags: { 'accounts[].api_url': 'https://x.example', 'web.enable_changes': 'true' },
    environment: { HOSTER_API_KEY: 'k' },
  });
  const network = { authorities: undefined, proxies: undefined, http };
  const monitor = createMonitor(config, dependenciesOf({ clock, network }));
  await monitor.pollAll();
  const post = async (path: string, body: object) => {
    const request = {
      method: 'POST',
      contentType: 'application/json',
      body: async () => JSON.stringify(body),
    } as const;
    return (await routeOf(monitor, path)(requestOf(request))).status;
  };
  expect(await post('/api/v1/incidents', { device: 'p1', note: KANJI, by: KANJI })).toBe(200);
  expect(await post('/api/v1/maintenance', { devices: ['p1'], for: '1h', reason: KANJI, by: KANJI })).toBe(
    201,
  );
  await monitor.pollAll();
  const text = gunzipSync(Buffer.concat((await monitor.scrape()).chunks)).toString();
  await monitor.stop();
  const longest = new Map<string, number>();
  for (const [, label = '', value = ''] of text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
    longest.set(label, Math.max(longest.get(label) ?? 0, Buffer.byteLength(value)));
  expect(Math.max(...longest.values())).toBeLessThanOrEqual(512);
  expect(
    [longest.get('text'), longest.get('reason'), longest.get('started_by')].map(
      (length = 999) => length <= 128,
    ),
  ).toEqual([true, true, true]);
  expect(text).toContain('hoster_device_note_info{account="default",device_id="p1",text="交換した電話を確認');
  expect(text).toMatch(/text="[^"]+…"/);
  expect(text).not.toMatch(/ nan$/im);
});
