import type { Feature } from '../../cli/command.ts';
import { personOf } from '../../fleet/words.ts';
import { refusalOf } from '../../http/permission.ts';
import { sectionFamilies } from '../../metrics/families.ts';
import { experimental, freeText, gauge, type Sample, samples } from '../../metrics/row.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { cleanText } from '../../model/text.ts';
import { maintenanceChat } from './chat.ts';
import { coverAt, isOfAccount, MAINTENANCE, matcherOf } from './cover.ts';
import { type FleetMaintenance, MAINTENANCE_FIELDS } from './model.ts';
import { coversText, createMaintenance } from './requests.ts';
import { createMaintenanceResponse } from './route.ts';
import { WINDOWS, windowsOf } from './settings.ts';

/** Maintenance: mutes the alerts of phones while people work on them. */
export const maintenance: Feature = {
  name: 'maintenance',
  fields: MAINTENANCE_FIELDS,
  settings: [WINDOWS],
  commands: [
    {
      name: 'maintenance',
      summary: 'Starts, lists or ends maintenance, which mutes the alerts of phones: start, list, end ID.',
      load: async () => (await import('./command.ts')).maintenance,
    },
  ],
  families: () =>
    sectionFamilies<AccountSnapshot>({
      rows: [
        gauge(
          'hoster_devices_in_maintenance',
          'Number of phones in maintenance. They have no other problem, and their alerts are muted. Counted at the last successful poll.',
          ({ known }) => known.judgement?.counts.in_maintenance,
        ),
        samples(
          'hoster_maintenance_end_timestamp_seconds',
          'Latest end of active maintenance, in seconds since 1970: of a configured window by its name, or of a request by its ID. Absent without active maintenance.',
          ['maintenance', 'source'],
          ({ known }) =>
            MAINTENANCE.of(known).active.map(({ id, source, until }): Sample => [until / 1000, id, source]),
        ),
        experimental(
          samples(
            'hoster_maintenance_info',
            'Always 1; the labels describe active maintenance: what it covers, who started it, empty for a configured window or without a name, and the reason. Absent for accounts without a phone of it.',
            ['maintenance', 'covers', 'started_by', 'reason'],
            (account) =>
              MAINTENANCE.of(account.known)
                .active.filter(({ devices }) => devices > 0)
                .map(
                  ({ id, scope, by, reason }): Sample => [
                    1,
                    id,
                    freeText(cleanText(coversText(scope, [account]))),
                    freeText(personOf(by)),
                    freeText(reason),
                  ],
                ),
          ),
        ),
        experimental(
          samples(
            'hoster_maintenance_devices',
            'Number of phones that active maintenance covers. Absent for accounts without such a phone.',
            ['maintenance'],
            ({ known }) =>
              MAINTENANCE.of(known)
                .active.filter(({ devices }) => devices > 0)
                .map(({ id, devices }): Sample => [devices, id]),
          ),
        ),
      ],
      subjects: (account) => [['', account]],
    }),
  chat: maintenanceChat,
  create: (daemon) => {
    const requests = createMaintenance(daemon);
    let windows = windowsOf(daemon.config());
    /** Requests that covered phones before the last change to the configuration. */
    let covering: readonly FleetMaintenance[] = [];
    const { web } = daemon.config();
    const answer = createMaintenanceResponse({
      ...requests,
      refusal: (sender) => refusalOf(sender, web),
      timeZone: daemon.timeZone,
    });
    return {
      judgement: (account) => {
        const own = windows.filter(({ scope }) => isOfAccount(scope, account));
        return {
          mutedSinceOf: (known, at) => coverAt(own, MAINTENANCE.of(known).requests, at),
          parts: [MAINTENANCE.bind(own)],
        };
      },
      configure: async (config) => () => {
        covering = documentOf(daemon.snapshot().accounts).filter(
          ({ source, phones }) => source === 'requested' && phones > 0,
        );
        windows = windowsOf(config);
        return false;
      },
      routes: () => [['/api/v1/maintenance', { methods: ['POST', 'DELETE'], answer }]],
      document: () => ({ maintenance: documentOf(daemon.snapshot().accounts) }),
      saved: requests.withPending,
      warnings: ({ phones }) => {
        const all = [...phones.values()].flat();
        const groups = new Set(all.map(({ group }) => group));
        const covers = ({ accounts, groups, devices }: FleetMaintenance): boolean =>
          accounts.some((name) => phones.get(name)?.some(matcherOf({ accounts: [], groups, devices })));
        return [
          ...windows.flatMap(({ name, scope }) =>
            scope.groups
              .filter((group) => all.length > 0 && !groups.has(group))
              .map((group) => `a maintenance window names a group that has no phones: ${name}, ${group}`),
          ),
          ...covering
            .filter((each) => !covers(each))
            .map(({ id, covers }) => `this maintenance no longer covers any phone: ${id}, ${covers}`),
        ];
      },
    };
  },
};

/** Lists active maintenance, each entry once for all its accounts. */
function documentOf(accounts: readonly AccountSnapshot[]): readonly FleetMaintenance[] {
  const all = new Map<string, FleetMaintenance>();
  for (const { name, known } of accounts)
    for (const { scope, since, until, devices, offline, ...each } of MAINTENANCE.of(known).active) {
      const key = `${each.source} ${each.id}`;
      const before = all.get(key);
      all.set(key, {
        ...each,
        covers: coversText(scope, accounts),
        accounts: [...(before?.accounts ?? []), name],
        ...{ groups: scope.groups, devices: scope.devices },
        since: before?.since ?? new Date(since).toISOString(),
        until: before?.until ?? new Date(until).toISOString(),
        phones: (before?.phones ?? 0) + devices,
        offlinePhones: (before?.offlinePhones ?? 0) + offline,
      });
    }
  return [...all.values()];
}
