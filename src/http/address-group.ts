const MAPPED = /^::ffff:(?<four>\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Those who share a limit: an IPv4 address, also where it came over an IPv6 socket, or the /64 of an IPv6 address, since a
 * household or a server has all addresses in that.
 *
 * @param address as a socket tells it
 */
export function addressGroupOf(address: string): string {
  const four = MAPPED.exec(address)?.groups?.['four'];
  if (four !== undefined) return four;
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%');
  const [before = [], after = []] = plain.split('::').map((part) => part.split(':').filter((word) => word));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
