import { describe, expect, it } from 'vitest';
import { withoutRestart } from '../../../src/config/restart.ts';
import { load } from './sources.ts';

const RUNNING = load({}).config;

describe('a configuration that is reloaded', () => {
  it('that says the same changes nothing', () => {
    expect(withoutRestart(RUNNING, load({}).config)).toEqual({ config: RUNNING, pending: [] });
  });

  it.each([
    ['web.listen_address', ':1234'],
    ['web.telemetry_path', '/elsewhere'],
    ['log.format', 'json'],
    ['state.file', '/var/lib/hoster/state.json'],
    ['state.interval', '5m'],
    ['shard.total', '4'],
  ])('leaves %s as it is until a restart, and says so', (name, value) => {
    const wanted = load({ flags: { [name]: value } }).config;
    expect(withoutRestart(RUNNING, wanted)).toEqual({ config: RUNNING, pending: [name] });
  });

  it.each([
    ['poll.devices', '0 * * * * *'],
    ['poll.stale_after', '1h'],
    ['client.concurrency', '3'],
    ['client.timeout', '3s'],
    ['log.level', 'debug'],
    ['features.rental_ids', 'true'],
  ])('takes %s over', (name, value) => {
    const wanted = load({ flags: { [name]: value } }).config;
    expect(wanted).not.toEqual(RUNNING);
    expect(withoutRestart(RUNNING, wanted)).toEqual({ config: wanted, pending: [] });
  });

  it('takes other accounts over', () => {
    const wanted = load({
      file: 'accounts: [{ api_url: "https://api.example.com", api_key_env: KEY }]',
    }).config;
    expect(withoutRestart(RUNNING, wanted).config.accounts).toEqual(wanted.accounts);
  });
});
