import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest, showValue } from '../../../src/config/messages.ts';
import {
  absolutePath,
  formatDuration,
  parseApiUrl,
  parseDuration,
  parseExternalUrl,
  parseListenAddress,
  parseSocketPath,
  parseTelemetryPath,
  parseTimeZone,
} from '../../../src/config/values.ts';

describe('parseDuration', () => {
  it.each([
    ['15m', 900_000],
    ['500ms', 500],
    ['1h30m', 5_400_000],
    ['1w2d', 777_600_000],
    ['0s', 0],
  ])('parses the duration %s as %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '15', '15 m', '-1s', '1.5h', '30m1h', '1m1m', '15M', '9999999999s', '15m\n'])(
    'refuses %j as a duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('parses every duration that formatDuration writes', () => {
    fc.assert(
      fc.property(fc.nat(), (milliseconds) => parseDuration(formatDuration(milliseconds)) === milliseconds),
    );
  });
});

describe('parseTimeZone', () => {
  it.each(['Europe/Kyiv', 'europe/kyiv', 'Etc/GMT-3', 'UTC', 'Asia/Calcutta'])('accepts %s', (name) => {
    expect(parseTimeZone(name)).toEqual({ value: name });
  });

  it.each([
    ['UTC+2', 'Etc/GMT-2, which has no summer time'],
    ['gmt -05:00', 'Etc/GMT+5, which has no summer time'],
    ['+03', 'Etc/GMT-3, which has no summer time'],
    ['Kyiv', 'Europe/Kyiv'],
    ['New York', 'America/New_York'],
    [' Europe / Berlin ', 'Europe/Berlin'],
    [':Europe/Berlin', 'Europe/Berlin'],
    ['posix/Europe/Berlin', 'Europe/Berlin'],
    ['Europe/Kyev', 'Europe/Kyiv'],
  ])('refuses %j and names %s', (text, zone) => {
    expect(parseTimeZone(text)).toEqual({
      expected: `the name of a time zone such as Europe/Kyiv. Did you mean ${zone}?`,
    });
  });

  it.each(['', 'BST', 'MSK', 'CEST', 'UTC+5:30', 'UTC+99', 'Z', 'Europe/Atlantis'])(
    'refuses %j, which no name is near to',
    (text) => {
      expect(parseTimeZone(text)).toEqual({ expected: 'the name of a time zone such as Europe/Kyiv' });
    },
  );
});

describe('parseListenAddress', () => {
  it.each([
    ['127.0.0.1:9823', { host: '127.0.0.1', port: 9823 }],
    [':9823', { host: '', port: 9823 }],
    ['[::1]:9823', { host: '::1', port: 9823 }],
    ['[::]:0', { host: '::', port: 0 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
    ['hoster-exporter.example.com:80', { host: 'hoster-exporter.example.com', port: 80 }],
  ])('accepts the listen address %s', (text, value) => {
    expect(parseListenAddress(text)).toEqual({ value });
  });

  const BAD = [
    '9823',
    'localhost',
    '127.0.0.1:',
    ':65536',
    '::1:9823',
    '[]:1',
    '[127.0.0.1]:1',
    '300.0.0.1:1',
  ];

  it.each([...BAD, 'a b:1', '-a:1', 'http://localhost:1'])('refuses the listen address %j', (text) => {
    const expected = 'an address such as 127.0.0.1:9823, :9823 or [::1]:9823';
    expect(parseListenAddress(text)).toEqual({ expected });
  });
});

describe('parseApiUrl', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com/'],
    ['https://api.example.com/', 'https://api.example.com/'],
    ['https://api.example.com/base//', 'https://api.example.com/base'],
    ['HTTPS://API.example.com:8443/v1', 'https://api.example.com:8443/v1'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://marketplace.localhost', 'http://marketplace.localhost/'],
    ['http://127.1.2.3', 'http://127.1.2.3/'],
    ['http://[::1]:1', 'http://[::1]:1/'],
    ['http://[::ffff:127.0.0.1]:1', 'http://[::ffff:7f00:1]:1/'],
  ])('parses the API address %s as %s', (text, href) => {
    expect(parseApiUrl(text)).toEqual({ value: new URL(href) });
  });

  const LOGIN = 'an address without a user name: use api_key_file or api_key_env for the API key';
  const QUERY = 'an address without a query (?…) or fragment (#…)';
  const PLAIN = 'https, since plain http would send the API key unencrypted: write https://';
  const ADDRESS = 'an address such as https://api.example.com';

  it.each([
    ['api.example.com', ADDRESS],
    ['https:api.example.com', ADDRESS],
    ['ftp://api.example.com', ADDRESS],
    ['https://', ADDRESS],
    [' https://api.example.com', ADDRESS],
    ['https://api.example.com\\@evil.example', ADDRESS],
    ['https://key@api.example.com', LOGIN],
    ['https://@api.example.com', LOGIN],
    ['https://api.example.com?', QUERY],
    ['https://api.example.com/#top', QUERY],
    ['http://api.example.com', PLAIN],
    ['http://localhost.example.com', PLAIN],
    ['http://127.example.com', PLAIN],
    ['http://0.0.0.0', PLAIN],
  ])('refuses the API address %j and says what it expects', (text, expected) => {
    expect(parseApiUrl(text)).toEqual({ expected });
  });
});

describe('parseTelemetryPath', () => {
  const RESERVED = 'a path that is not below /-, /api, /assets, /runbooks or /sd';

  it.each(['/metrics', '/hoster/metrics', '/m', '/apis/metrics'])('accepts the telemetry path %s', (text) => {
    expect(parseTelemetryPath(text)).toEqual({ value: text });
  });

  it.each([
    ['/', 'a path such as /metrics'],
    ['metrics', 'a path such as /metrics'],
    ['/metrics/', 'a path such as /metrics'],
    ['//metrics', 'a path such as /metrics'],
    ['/../metrics', 'a path such as /metrics'],
    ['/metrics?x', 'a path such as /metrics'],
    ['/-/ready', RESERVED],
    ['/api/v1/fleet', RESERVED],
    ['/runbooks', RESERVED],
    ['/runbooks/X', RESERVED],
    ['/sd', RESERVED],
  ])('refuses the telemetry path %s and says what it expects', (text, expected) => {
    expect(parseTelemetryPath(text)).toEqual({ expected });
  });
});

describe('nearest', () => {
  it.each([
    ['devcies', 'devices'],
    ['Devices', 'devices'],
    ['device', 'devices'],
    ['tunel', 'tunnels'],
    ['xyz', undefined],
    ['', undefined],
  ])('suggests for %j the word %j', (word, expected) => {
    expect(nearest(word, ['devices', 'tunnels', 'balance'])).toBe(expected);
  });
});

describe('showValue', () => {
  it.each([
    ['poll.devices', 'x', '"x"'],
    ['poll.devices', '', 'an empty text'],
    ['poll.devices', 5, '5'],
    ['poll.devices', null, 'nothing'],
    ['poll.devices', [], 'a list'],
    ['poll.devices', {}, 'a map'],
    ['poll.devices', 'a\nb\u001b[31m\u202e', '"a\uFFFDb\uFFFD[31m\uFFFD"'],
    ['poll.devices', 'x'.repeat(61), `"${'x'.repeat(60)}…"`],
    ['accounts[].api_key_file', 'x', '[not shown]'],
    ['accounts[].api_url', 'https://u:p@h', '[not shown]'],
    ['accounts[].api_url', 'https://h/?token=x', '[not shown]'],
  ])('shows at %s the value %j as %s', (name, value, shown) => {
    expect(showValue(name, value)).toBe(shown);
  });
});

describe('absolutePath', () => {
  const type = absolutePath('/var/lib/hoster-exporter/state.json');

  it('accepts an absolute path', () => {
    expect(type.parse('/var/lib/hoster-exporter/state.json')).toBe('/var/lib/hoster-exporter/state.json');
  });

  it.each(['state.json', './state.json', '', '/', '/var/lib/', '/a\0b', '/a\nb', `/${'x'.repeat(5_000)}`])(
    'refuses %j as the path of a file to write',
    (text) => {
      expect(type.safeParse(text).success).toBe(false);
    },
  );
});

describe('parseExternalUrl', () => {
  it.each(['https://hoster.example.com', 'http://10.0.0.1:8080/exporter/', 'HTTPS://[2001:db8::1]:8443'])(
    'accepts %s',
    (text) => {
      expect(parseExternalUrl(text)).toEqual({ value: new URL(text) });
    },
  );

  it.each(['', 'hoster.example.com', 'ftp://a', 'https://', 'https://a:b@c', 'https://a?b', 'https://a#b'])(
    'refuses %j',
    (text) => {
      expect(parseExternalUrl(text)).toEqual({
        expected: 'an address such as https://hoster.example.com, without a user name, query or fragment',
      });
    },
  );
});

describe('parseSocketPath', () => {
  it.each(['/run/hoster-exporter/web.sock', '/tmp/with blank', `/${'a'.repeat(106)}`])(
    'accepts %s',
    (path) => {
      expect(parseSocketPath(path)).toEqual({ value: path });
    },
  );

  it.each(['', 'web.sock', '/run/', '/run/a\0b', '@abstract'])('refuses %j', (path) => {
    expect(parseSocketPath(path)).toEqual({
      expected: 'an absolute path such as /run/hoster-exporter/web.sock',
    });
  });

  it.each([`/${'a'.repeat(107)}`, `/${'ä'.repeat(54)}`])('counts bytes of %s', (path) => {
    expect(parseSocketPath(path)).toEqual({
      expected: 'a path of at most 107 bytes, the longest that a socket can have',
    });
  });
});
