import { describe, expect, it } from 'vitest';
import { isSameTunnel, type Tunnel } from '../../../src/model/tunnel.ts';
import { tunnelOf } from '../../builders.ts';

const { ports, credentials } = tunnelOf();

const countOf = (...counts: readonly (readonly [string, number])[]): Partial<Tunnel> => ({
  credentials: credentials && { ...credentials, countByStatus: new Map(counts) },
});

describe('a tunnel is the same', () => {
  it('where all is the same, in objects of its own', () => {
    const other = tunnelOf({ ports: { ...ports }, ...countOf(['active', 2]) });
    expect(isSameTunnel(tunnelOf(), other)).toBe(true);
  });

  it('where nothing is known of its credentials', () => {
    const [one, other] = [tunnelOf({ credentials: undefined }), tunnelOf({ credentials: undefined })];
    expect(isSameTunnel(one, other)).toBe(true);
  });

  it('where there is none, twice', () => {
    expect(isSameTunnel(undefined, undefined)).toBe(true);
  });
});

describe('a tunnel is another one', () => {
  it.each<Partial<Tunnel>>([
    { id: 'tunnel-2' },
    { host: 'other.example.com' },
    { status: 'disabled' },
    { status: undefined },
    { uptimeStatus: 'down' },
    { ports: { ...ports, socks5: undefined } },
    { ports: { ...ports, https: 1 } },
    { ports: { ...ports, transparentSocks5: 1 } },
    { credentials: undefined },
    { credentials: credentials && { ...credentials, oldestActiveAt: undefined } },
    { credentials: credentials && { ...credentials, lastChangeAt: 1 } },
    countOf(['active', 3]),
    countOf(['disabled', 2]),
    countOf(['active', 2], ['disabled', 1]),
  ])('with %o', (fields) => {
    expect(isSameTunnel(tunnelOf(), tunnelOf(fields))).toBe(false);
    expect(isSameTunnel(tunnelOf(fields), tunnelOf())).toBe(false);
  });

  it('where there was none', () => {
    expect(isSameTunnel(undefined, tunnelOf())).toBe(false);
    expect(isSameTunnel(tunnelOf(), undefined)).toBe(false);
  });
});
