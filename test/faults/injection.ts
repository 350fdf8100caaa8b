import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../src/model/enums.ts';
import { type Certificate, type Gateway, type GatewayKind, openGateway } from './gateway.ts';
import type { Harness, HarnessOptions, Route } from './harness.ts';
import { nameFor } from './resolver.ts';
import type { FaultInjection } from './scenario.ts';
import type { FaultOptions } from './simulated/switchboard.ts';

/** Requests that go well before a fault acts, so that it begins in the midst of a poll. */
const BEFORE_MID_RUN: Readonly<Record<Endpoint, FaultOptions>> = {
  // The first page comes, the second does not.
  devices: { skip: 1 },
  tunnel: { skip: 3 },
  // A poll of the balance is one request, so that its middle is one that fails alone.
  balance: { times: 1 },
};

/** A fault of the switchboard at one endpoint. */
export function injectFault(endpoint: Endpoint, name: string): FaultInjection {
  return {
    begin: ({ simulator }, phase) =>
      simulator.faults.on(
        endpoint,
        name,
        phase === 'in the middle of a poll' ? BEFORE_MID_RUN[endpoint] : {},
      ),
    end: ({ simulator }) => simulator.faults.off(),
  };
}

/** A fault of a gateway, and the way through it. */
export function injectGatewayFault(
  kind: GatewayKind,
  name: string,
): { readonly injection: FaultInjection; readonly route: NonNullable<HarnessOptions['route']> } {
  let gateway: Gateway | undefined;
  return {
    route: async (simulator, clock) => {
      const target = Number(new URL(simulator.url).port);
      const certificates = kind === 'tls' ? { certificates: CERTIFICATES } : {};
      gateway = await openGateway({ target, clock, ...certificates });
      return wayThrough(gateway, kind);
    },
    injection: {
      begin: async (harness, phase) => {
        const begin = async () => gateway?.begin(name);
        if (phase === 'in the middle of a poll') void nextRequest(harness).then(begin);
        else await begin();
      },
      end: async () => gateway?.end(),
    },
  };
}

function wayThrough(gateway: Gateway, kind: GatewayKind): Route {
  const { port, close } = gateway;
  if (kind === 'tls') return { url: `https://127.0.0.1:${port}`, authorities: pem('authority'), close };
  if (kind === 'connection') return { url: `http://127.0.0.1:${port}`, close };
  const { name, forget } = nameFor(gateway.lookup);
  return {
    url: `http://${name}:${port}`,
    close: () => {
      forget();
      return close();
    },
  };
}

/** Resolves when the marketplace has got one request more. */
function nextRequest({ simulator }: Harness): Promise<void> {
  const asked = () => simulator.counts().devices;
  const before = asked();
  return new Promise((resolve) => {
    const look = (): void => {
      if (asked() === before) setImmediate(look);
      else resolve();
    };
    look();
  });
}

const FOLDER = join(import.meta.dirname, '../fixtures/tls');

function pem(name: string): string {
  return readFileSync(join(FOLDER, `${name}.pem`), 'utf8');
}

function certificate(name: string): Certificate {
  return { cert: pem(name), key: pem(`${name}.test-key`) };
}

const CERTIFICATES = {
  good: certificate('good'),
  expired: certificate('expired'),
  'wrong-host': certificate('wrong-host'),
  untrusted: certificate('untrusted'),
};
