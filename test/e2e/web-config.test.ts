import { hashSync } from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Daemon, startDaemon, stopDaemons } from '../integration/web-config/program.ts';
import {
  fingerprintOf,
  fixture,
  folder,
  place,
  shownBy,
  TLS,
} from '../integration/web-config/test-server.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

afterAll(stopDaemons);

/*
 * A real Prometheus scrapes with a password and with a client certificate.
 */

const PASSWORD = 'pass:word ü';
const USERS = `basic_auth_users:\n  prometheus: ${hashSync(PASSWORD, 10)}\n`;
const POLICY = '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.pem\n';

/** Certificate and key, as files for Prometheus. */
const pair = (name: string) => ({
  cert_file: place(`${name}.pem`, fixture(`${name}.pem`)),
  key_file: place(`${name}.test-key.pem`, fixture(`${name}.test-key.pem`)),
});

/**
 * Words of Go's HTTP client for a connection that the server closed without a response. In TLS 1.3 a client has its side of
 * the handshake behind it when the server refuses its certificate, so which of them it says depends on how far it is: waiting
 * for the response, writing the request, or still before it.
 */
const CLOSED = 'EOF|reset|broken pipe|server closed idle connection';

let prometheus: Prometheus;
let withPassword: Daemon;

function job(name: string, { url }: Daemon, more: object, tls: object = {}): object {
  return {
    job_name: name,
    scheme: new URL(url).protocol.slice(0, -1),
    tls_config: { ca_file: place('authority.pem'), ...tls },
    static_configs: [{ targets: [new URL(url).host] }],
    ...more,
  };
}

const login = (password: string) => ({ basic_auth: { username: 'prometheus', password } });

beforeAll(async () => {
  withPassword = await startDaemon(TLS + USERS);
  const withoutTls = await startDaemon(USERS);
  const withCertificate = await startDaemon(TLS + POLICY);
  const configuration = {
    global: { scrape_interval: '1s' },
    scrape_configs: [
      job('password', withPassword, login(PASSWORD)),
      job('password without TLS', withoutTls, login(PASSWORD)),
      job('certificate', withCertificate, {}, pair('client')),
      job('wrong password', withPassword, login('wrong')),
      job('no password', withPassword, {}),
      job('no certificate', withCertificate, {}),
      job('certificate of another authority', withCertificate, {}, pair('impostor')),
    ],
  };
  prometheus = await startPrometheus(folder, JSON.stringify(configuration));
}, 60_000);

afterAll(async () => {
  await prometheus?.stop();
});

describe('Prometheus', () => {
  it.each(['password', 'password without TLS', 'certificate'])('scrapes with: %s', async (name) => {
    await prometheus.waitForSamples(`up{job="${name}"} == 1`);
    const [phones] = await prometheus.waitForSamples(`count(hoster_device_info{job="${name}"})`);
    expect(phones?.value[1]).toBe('5');
  });

  it.each([
    ['wrong password', /401 Unauthorized/],
    ['no password', /401 Unauthorized/],
    ['no certificate', new RegExp(`certificate required|${CLOSED}`)],
    ['certificate of another authority', new RegExp(`bad certificate|unknown certificate|${CLOSED}`)],
  ])('is refused with: %s', async (name, error) => {
    await prometheus.waitForSamples(`up{job="${name}"} == 0`);
    expect(await errorOf(name)).toMatch(error);
  });

  it('scrapes after the certificate is renewed, and not while the file is invalid', async () => {
    const renewed = TLS.replaceAll('server.', 'renewed.') + USERS;
    withPassword.rewrite(renewed);
    const port = Number(new URL(withPassword.url).port);
    await expect.poll(() => shownBy(port), { timeout: 10_000 }).toBe(fingerprintOf('renewed'));
    const [now] = await prometheus.query('time()');
    await prometheus.waitForSamples(`timestamp(up{job="password"} == 1) > ${Number(now?.value[1]) + 2}`);
    withPassword.rewrite(`${renewed}nonsense: true\n`);
    await prometheus.waitForSamples('up{job="password"} == 0');
    withPassword.rewrite(renewed);
    await prometheus.waitForSamples('up{job="password"} == 1');
  });
});

const Targets = z.object({
  data: z.object({ activeTargets: z.array(z.object({ scrapePool: z.string(), lastError: z.string() })) }),
});

/** Returns Prometheus' error for a target. */
async function errorOf(name: string): Promise<string | undefined> {
  const { data } = Targets.parse(await (await fetch(`${prometheus.url}/api/v1/targets`)).json());
  return data.activeTargets.find(({ scrapePool }) => scrapePool === name)?.lastError;
}
