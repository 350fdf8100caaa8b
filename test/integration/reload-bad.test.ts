import { describe, expect, it } from 'vitest';
import {
  accountOf,
  files,
  KEYS,
  lines,
  phonesOf,
  reload,
  scrape,
  start,
  useReloadHarness,
  write,
} from './reload-harness.ts';

useReloadHarness();

const SUCCESS = /^hoster_exporter_config_last_reload_successful 1$/m;
const FAILURE = /^hoster_exporter_config_last_reload_successful 0$/m;

describe('a reload of a configuration', () => {
  const faults: readonly (readonly [string, () => void, RegExp])[] = [
    [
      'that is not valid YAML',
      () => files.set('/etc/hoster.yml', `accounts:\n  - api_kee: ${KEYS.main}\n    x: ]\n`),
      /hoster\.yml:3:8: unexpected text/,
    ],
    [
      'with invalid values and unknown keys',
      () => write([{ ...accountOf('main'), api_url: `https://${KEYS.main}@api.example.com` }], { pol: 1 }),
      /api_url.*\n.*pol: unknown key/,
    ],
    ['whose file is gone', () => files.delete('/etc/hoster.yml'), /hoster\.yml: no such file/],
    [
      'whose keys are gone',
      () => {
        write([accountOf('main'), { ...accountOf('other'), api_key_file: '/etc/none.key' }]);
        files.set('/etc/main.key', '');
      },
      /main\.key is empty.*\n.*none\.key \(ENOENT\)/,
    ],
  ];

  it.each(faults)('%s changes nothing, and is logged and counted', async (_, spoil, problems) => {
    write([accountOf('main')]);
    await start();
    const good = await scrape();
    expect(good).toMatch(SUCCESS);
    spoil();
    const answer = await reload();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatch(/^not reloaded: the previous configuration stays active\n/);
    expect(answer.body).toMatch(problems);
    const page = await scrape();
    expect([phonesOf('main', page), FAILURE.test(page)]).toEqual([120, true]);
    expect(lines.filter((line) => line.includes('reload failed'))).toHaveLength(
      answer.body.trimEnd().split('\n').length - 1,
    );
    expect(answer.body + lines.join('')).not.toContain('canary');
  });

  it('that is valid again is applied', async () => {
    write([accountOf('main')]);
    await start();
    files.delete('/etc/hoster.yml');
    await reload();
    write([accountOf('main')]);
    expect((await reload()).status).toBe(200);
    expect(await scrape()).toMatch(SUCCESS);
  });
});
