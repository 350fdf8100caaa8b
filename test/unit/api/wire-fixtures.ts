/** Answers as the API document describes them, field by field, with values of our own. */

export const HEARTBEAT = '2026-03-01T11:59:50.000Z';

export function wireDevice(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    deviceId: '65f0c0ffee65f0c0ffee0001',
    model: 'Galaxy A14',
    brand: 'Samsung',
    label: 'Rack A / 1',
    setupStatus: 'complete',
    appVersion: '4.2.0',
    lastHeartbeatAt: HEARTBEAT,
    rentalStatus: 'self_rented',
    marketplaceStatus: 'listed',
    selfRent: { status: 'active', rentalId: 'rental-1' },
    rotation: { status: 'active', intervalInMs: 600_000 },
    ...fields,
  };
}

export function wirePage(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { items: [wireDevice()], total: 1, page: 1, limit: 100, totalPages: 1, ...fields };
}

/** Begins every text that must never leave the wire. */
export const CANARY = 'canary-';

export function wireCredential(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    credentialId: `${CANARY}id`,
    username: `${CANARY}username`,
    password: `${CANARY}password`,
    label: `${CANARY}label`,
    status: 'active',
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-02-03T04:05:06.789Z',
    ...fields,
  };
}

export function wireTunnel(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    tunnelId: 'tunnel-1',
    status: 'enabled',
    host: 'proxy.example.com',
    socks5Port: '10001',
    httpsPort: '10002',
    transparentSocks5Port: '10003',
    uptimeStatus: 'up',
    credentials: [wireCredential()],
    ...fields,
  };
}

export function wireBalance(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { availableCents: 12_345, pendingCents: 678, totalCents: 13_023, ...fields };
}

export function success(data: unknown): string {
  return JSON.stringify({ success: true, data });
}

export function failure(code: string): string {
  return JSON.stringify({ success: false, error: { code, message: `${CANARY}message` } });
}
