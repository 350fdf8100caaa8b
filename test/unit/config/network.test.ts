import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/messages.ts';
import { readNetwork } from '../../../src/config/network.ts';

const [FIRST = '', SECOND = ''] = rootCertificates;
const PATH = '/etc/ca.pem';

const CLIENT = { concurrency: 8, timeout: 15_000, requests_per_second: undefined };

function authorities(text: string | Error) {
  const client = { ...CLIENT, ca_file: PATH, proxy_from_environment: false };
  const readFile = (path: string) => {
    expect(path).toBe(PATH);
    if (text instanceof Error) throw text;
    return text;
  };
  return attempt(() => readNetwork(client, {}, readFile).authorities);
}

function proxies(environment: Record<string, string>, proxy_from_environment = true) {
  const client = { ...CLIENT, ca_file: undefined, proxy_from_environment };
  const readFile = () => {
    throw new Error('there is nothing to read');
  };
  return attempt(() => readNetwork(client, environment, readFile).proxies);
}

/** The value, or what is wrong. */
function attempt<Value>(read: () => Value): Value | readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('client.ca_file', () => {
  it('yields the certificates of the file and nothing else of it', () => {
    const [first, second] = [FIRST, SECOND].map((each) => new X509Certificate(each).toString());
    expect(authorities(FIRST)).toBe(first);
    expect(authorities(`# ours\n${FIRST}\nother text\n${SECOND}\n`)).toBe(`${first}${second}`);
  });

  it.each([
    ['', 'no certificate'],
    ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'no certificate'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'an invalid certificate'],
    [`${FIRST}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`, 'an invalid certificate'],
  ])('is refused with the content %j', (text, got) => {
    expect(authorities(text)).toEqual([
      `client.ca_file /etc/ca.pem: contains ${got}, expected one or more in PEM form (-----BEGIN CERTIFICATE-----)`,
    ]);
  });

  it('is refused if the file does not exist', () => {
    expect(authorities(Object.assign(new Error('words'), { code: 'ENOENT' }))).toEqual([
      'client.ca_file /etc/ca.pem: no such file: create it, or name another one',
    ]);
  });
});

describe('client.proxy_from_environment', () => {
  const BOTH = {
    HTTPS_PROXY: 'http://proxy.example.com:3128',
    HTTP_PROXY: 'https://user:secret@other.example.com',
  };

  it('ignores the variables while it is off', () => {
    expect(proxies({ HTTPS_PROXY: 'rubbish' }, false)).toBeUndefined();
  });

  it.each([
    [{}, { http: '', https: '', except: '' }],
    [BOTH, { http: BOTH.HTTP_PROXY, https: BOTH.HTTPS_PROXY, except: '' }],
    [
      { ...BOTH, NO_PROXY: 'a,b' },
      { http: BOTH.HTTP_PROXY, https: BOTH.HTTPS_PROXY, except: 'a,b' },
    ],
    [
      { https_proxy: 'http://a', HTTPS_PROXY: 'http://b' },
      { http: '', https: 'http://a', except: '' },
    ],
    [
      { https_proxy: '', HTTPS_PROXY: 'http://b' },
      { http: '', https: 'http://b', except: '' },
    ],
  ])('reads the proxies from %j', (environment, expected) => {
    expect(proxies(environment)).toEqual(expected);
  });

  it.each(['proxy.example.com:3128', 'user:secret@host', 'socks5://host', 'http://'])(
    'refuses the proxy address %s without repeating it',
    (address) => {
      expect(proxies({ HTTPS_PROXY: address, http_proxy: address })).toEqual(
        ['http_proxy', 'HTTPS_PROXY'].map(
          (name) => `${name}: invalid, expected the address of a proxy such as http://proxy.example.com:3128`,
        ),
      );
    },
  );
});
