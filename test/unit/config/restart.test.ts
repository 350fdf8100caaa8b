import { describe, expect, it } from 'vitest';
import { splitByRestart } from '../../../src/config/schema.ts';
import { load } from './sources.ts';

const RUNNING = load({}).config;

describe('a reloaded configuration', () => {
  it('changes nothing if it is equal', () => {
    expect(splitByRestart(RUNNING, load({}).config)).toEqual({ config: RUNNING, pending: [] });
  });

  it.each([
    ['web.listen_address', ':1234'],
    ['web.telemetry_path', '/elsewhere'],
    ['log.format', 'json'],
    ['state.file', '/var/lib/hoster/state.json'],
    ['state.interval', '5m'],
    ['months.directory', '/var/lib/hoster/months'],
    ['months.keep', '3'],
  ])('keeps %s until a restart, and reports it as pending', (name, value) => {
    const wanted = load({ flags: { [name]: value } }).config;
    expect(splitByRestart(RUNNING, wanted)).toEqual({ config: RUNNING, pending: [name] });
  });

  it.each([
    ['poll.devices', '0 * * * * *'],
    ['poll.stale_after', '1h'],
    ['client.concurrency', '3'],
    ['client.timeout', '3s'],
    ['log.level', 'debug'],
    ['features.rental_ids', 'true'],
  ])('applies %s at once', (name, value) => {
    const wanted = load({ flags: { [name]: value } }).config;
    expect(wanted).not.toEqual(RUNNING);
    expect(splitByRestart(RUNNING, wanted)).toEqual({ config: wanted, pending: [] });
  });

  it('applies other accounts at once', () => {
    const wanted = load({
      file: 'accounts: [{ api_url: "https://api.example.com", api_key_env: KEY }]',
    }).config;
    expect(splitByRestart(RUNNING, wanted).config.accounts).toEqual(wanted.accounts);
  });
});
