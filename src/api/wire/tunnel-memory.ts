import { isSameTunnel, type Tunnel } from '../../model/tunnel.ts';
import type { Reader } from '../understand.ts';
import { fingerprintOf } from './fingerprint.ts';
import { bytesOf } from './known-items.ts';
import { readTunnel } from './tunnel.ts';
import type { Wire } from './wire.ts';

/** What the answers were that tunnels were read from, and what it takes to read more of them. */
export type TunnelMemory = { readonly wire: Wire; readonly fingerprints: WeakMap<Tunnel, number> };

export function createTunnelMemory(wire: Wire): TunnelMemory {
  return { wire, fingerprints: new WeakMap() };
}

/** What is decoded in place of an answer that is known: it amounts to a success. */
const SUCCESS = Buffer.from('{"success":true,"data":{}}');

/**
 * Reads the answer to a question that is asked again and again. One that is the answer of the time before, byte by byte,
 * is known by a fingerprint and not decoded. One about which something was told is not remembered, so that it is told
 * each time. Where an answer says what was known, it is read as the very tunnel that was known.
 */
export class TunnelReader implements Reader<Tunnel | undefined> {
  readonly #memory: TunnelMemory;
  readonly #known: Tunnel | undefined;
  #fingerprint = 0;
  /** Whether the answer is the one of the time before. */
  #isKnown = false;

  constructor(memory: TunnelMemory, known: Tunnel | undefined) {
    this.#memory = memory;
    this.#known = known;
  }

  open(body: Uint8Array): Uint8Array {
    this.#fingerprint = wholeFingerprintOf(body);
    const known = this.#known && this.#memory.fingerprints.get(this.#known);
    this.#isKnown = known === this.#fingerprint;
    return this.#isKnown ? SUCCESS : body;
  }

  /** @param data undefined where the API says that there is no tunnel */
  read(data: unknown): { readonly value: Tunnel | undefined } | undefined {
    if (data === undefined) return { value: undefined };
    if (this.#isKnown) return { value: this.#known };
    const { wire, fingerprints } = this.#memory;
    const told = wire.oddities();
    const answered = readTunnel(data, wire);
    if (answered === undefined) return undefined;
    const known = this.#known;
    const tunnel = known !== undefined && isSameTunnel(known, answered) ? known : answered;
    if (wire.oddities() === told) fingerprints.set(tunnel, this.#fingerprint);
    else fingerprints.delete(tunnel);
    return { value: tunnel };
  }
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
