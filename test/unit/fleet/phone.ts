import type { FleetAccount, FleetPhone, FleetReading } from '../../../src/fleet/document.ts';

export const NOON = Date.UTC(2026, 2, 1, 12);

/** A healthy phone of the document. */
export function phone(own: Partial<FleetPhone> = {}): FleetPhone {
  return {
    account: 'main',
    id: 'p1',
    label: 'rack-01/slot-01',
    group: 'rack-01',
    brand: 'Google',
    model: 'Pixel 8',
    appVersion: '2.14.1',
    offlineAfterSeconds: 600,
    rentalStatus: 'sold',
    rentalStatusSince: '2026-03-01T11:00:00.000Z',
    rentalStatusBeginSeen: true,
    marketplaceStatus: 'listed',
    setupStatus: 'complete',
    lastHeartbeatAt: '2026-03-01T11:59:50.000Z',
    heartbeatAgeSeconds: 10,
    online: true,
    rotationStatus: 'active',
    rotationIntervalSeconds: 300,
    ...own,
  };
}

/** A reading of a poll that succeeded at noon. */
export function reading(own: Partial<FleetReading> = {}): FleetReading {
  const noon = '2026-03-01T12:00:00.000Z';
  return {
    state: 'fresh',
    lastSuccessAt: noon,
    lastAttemptAt: noon,
    ...own,
  };
}

export const UNREAD: FleetReading = {
  state: 'expired',
};

export function account(own: Partial<FleetAccount> = {}): FleetAccount {
  return {
    name: 'main',
    access: 'granted',
    readings: { devices: reading(), tunnels: reading(), balance: reading() },
    ...own,
  };
}

/** A phone of rack-02 that has been offline for 22 minutes at noon. */
export const offlinePhone = (id: string, own: Parameters<typeof phone>[0] = {}) =>
  phone({
    id,
    label: `rack-02/${id}`,
    problem: 'offline',
    problemSince: '2026-03-01T11:38:00.000Z',
    online: false,
    rentalStatus: 'idle',
    ...own,
  });
