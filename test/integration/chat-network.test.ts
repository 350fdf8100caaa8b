import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterEach, expect, it } from 'vitest';
import { createOutbound, type Network, withPublicAuthorities } from '../../src/base/outbound.ts';
import { Secret } from '../../src/base/secret.ts';
import { connectApi, failureText } from '../../src/base/telegram.ts';
import { createCertificate } from '../certificate.ts';
import { closeAll, closeLater, listen } from './api-client.ts';
import { serveProxy } from './proxy.ts';
import { startStandInTelegram, TOKEN } from './stand-in-telegram.ts';

afterEach(closeAll);

const DIRECT: Network = { authorities: undefined, proxies: undefined };

/** Asks who the bot is; the reason where nobody says it. */
async function askFor(url: string, network: Network): Promise<string> {
  const outbound = createOutbound(new URL(url), network);
  closeLater(outbound.close);
  return await connectApi(new Secret(TOKEN), { apiRoot: url, outbound })
    .getMe()
    .then(
      ({ username }) => username,
      (error: unknown) => failureText(error),
    );
}

async function telegramUrl(): Promise<string> {
  const telegram = await startStandInTelegram();
  closeLater(telegram.close);
  return telegram.url;
}

function through(port: number, except = ''): Network {
  const address = `http://127.0.0.1:${port}`;
  return { authorities: undefined, proxies: { http: address, https: address, except } };
}

it('the chat goes through the proxy of the environment, but for what that excepts', async () => {
  const url = await telegramUrl();
  const proxy = await serveProxy();
  expect(await askFor(url, through(proxy.port))).toMatch(/bot$/i);
  expect(proxy.asked).toEqual([new URL(url).host]);
  expect(await askFor(url, through(proxy.port, '127.0.0.1'))).toMatch(/bot$/i);
  expect(proxy.asked).toHaveLength(1);
});

it('the chat says that the proxy refuses, and nothing of its address', async () => {
  const proxy = await serveProxy(407);
  expect(await askFor(await telegramUrl(), through(proxy.port))).toBe(
    'no response (Proxy response (407) !== 200 when HTTP Tunneling)',
  );
});

it('the chat trusts the authority of client.ca_file', async () => {
  const authority = createCertificate({ name: 'an authority', isAuthority: true });
  const { certificate, key } = createCertificate({ name: 'it', hosts: ['127.0.0.1'], issuer: authority });
  const server = createTlsServer({ cert: certificate, key }, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: true, result: { username: 'hoster_bot' } }));
  });
  const url = `https://127.0.0.1:${await listen(server)}`;
  expect(await askFor(url, DIRECT)).toContain('no response (the server sends only its own certificate, and');
  const network = withPublicAuthorities({ ...DIRECT, authorities: authority.certificate });
  expect(await askFor(url, network)).toBe('hoster_bot');
  expect(network.authorities?.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(100);
});

it('the chat calls an answer without JSON by its status, so that it is tried again', async () => {
  const server = createServer((_, response) => response.writeHead(502).end('<html>Bad Gateway</html>'));
  expect(await askFor(`http://127.0.0.1:${await listen(server)}`, DIRECT)).toBe('502 HTTP 502');
});

it('the chat says which family of addresses did not answer', async () => {
  const server = createTlsServer();
  const port = await listen(server);
  server.close();
  expect(await askFor(`https://localhost:${port}`, DIRECT)).toMatch(/ECONNREFUSED/);
});
