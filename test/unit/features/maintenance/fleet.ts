import type { FleetMaintenance } from '../../../../src/features/maintenance/model.ts';

/** A request for rack-01 that holds until 16:00 in Kyiv. */
export function maintenanceOf(own: Partial<FleetMaintenance> = {}): FleetMaintenance {
  return {
    ...{
      id: 'x1',
      source: 'requested',
      covers: 'rack-01',
      accounts: ['main'],
      groups: ['rack-01'],
      devices: [],
    },
    ...{ since: '2026-03-01T11:00:00.000Z', until: '2026-03-01T14:00:00.000Z', untilBack: false },
    ...{ reason: '', by: 'Anna', phones: 4, offlinePhones: 0 },
    ...own,
  };
}
