import { isSameTunnel, type Tunnel } from '../../model/tunnel.ts';
import { fingerprintOf } from './fingerprint.ts';
import { bytesOf } from './known-items.ts';
import { readTunnel } from './tunnel.ts';
import type { Wire } from './wire.ts';

/** What of an answer has to be decoded, and how the `data` in it becomes the tunnel. */
export type OpenedTunnel = {
  readonly body: Uint8Array;
  readonly read: (data: unknown) => Tunnel | undefined;
};

/** What is decoded in place of an answer that is known: it amounts to a success. */
const SUCCESS = Buffer.from('{"success":true,"data":{}}');

/**
 * Opens answers to questions that are asked again and again. An answer that is the one of the time before, byte by byte,
 * is known by a fingerprint and not decoded. One about which something was told is not remembered, so that it is told
 * each time. Where an answer says what was known, it is read as the very tunnel that was known.
 *
 * @returns to be called with what is known of the tunnel, and with the body
 */
export function createTunnelMemory(
  wire: Wire,
): (known: Tunnel | undefined, body: Uint8Array) => OpenedTunnel {
  const fingerprints = new WeakMap<Tunnel, number>();
  return (known, body) => {
    const fingerprint = wholeFingerprintOf(body);
    if (known !== undefined && fingerprints.get(known) === fingerprint)
      return { body: SUCCESS, read: () => known };
    return {
      body,
      read: (data) => {
        const told = wire.oddities();
        const answered = readTunnel(data, wire);
        if (answered === undefined) return undefined;
        const tunnel = known !== undefined && isSameTunnel(known, answered) ? known : answered;
        if (wire.oddities() === told) fingerprints.set(tunnel, fingerprint);
        else fingerprints.delete(tunnel);
        return tunnel;
      },
    };
  };
}

function wholeFingerprintOf(body: Uint8Array): number {
  const { byteLength } = body;
  return fingerprintOf(bytesOf(body).view, {
    from: 0,
    to: byteLength,
    holeFrom: byteLength,
    holeTo: byteLength,
  });
}
