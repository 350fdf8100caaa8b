import type { IncidentProblem } from '../../src/model/incident.ts';
import type { ExporterTimeline, ShownIncident, Span } from './timeline.ts';

/** What exporters show, and the alerts that fire meanwhile, minute by minute. */
export type Scenario = {
  readonly name: string;
  readonly minutes: number;
  readonly exporters: readonly ExporterTimeline[];
  /**
   * The minutes at which an alert fires, by its name and, where it has one, the phone or another label; each minute is
   * compared, and that it fires once.
   */
  readonly firing: Readonly<Record<string, readonly Span[]>>;
};

const NEVER: readonly Span[] = [];
const DAY = 24 * 60;

const offline = (open: Span, reason?: string, more: Partial<ShownIncident> = {}): ShownIncident => ({
  incident: 'sold_offline-p1-0',
  problem: 'sold_offline',
  device_id: 'p1',
  label: 'rack/p1',
  group: 'rack',
  since: 0,
  open,
  ...(reason === undefined ? {} : { reason }),
  ...more,
});

const ofAccount = (problem: IncidentProblem, open: Span, reason?: string, value = ''): ShownIncident => ({
  ...{ incident: `${problem}-0`, problem, value, since: open[0] * 60, open },
  ...(reason === undefined ? {} : { reason }),
});

const cause = (open: Span, reason?: string): ShownIncident => ({
  ...{
    incident: 'common_cause-1-0',
    problem: 'common_cause',
    kind: 'group',
    value: 'rack',
    group: 'rack',
    since: 60,
    open,
  },
  ...{ devices: [36, 4] },
  ...(reason === undefined ? {} : { reason }),
});

const massOutage = (
  notified: NonNullable<ShownIncident['notified']>,
  open: Span,
  reason?: string,
  problem: IncidentProblem = 'many_sold_offline',
): ShownIncident => ({
  ...{
    incident: `${problem}-0`,
    problem,
    since: 60,
    open,
    notified,
    devices: [notified.at(-1)?.[0] ?? 0, 0],
  },
  ...(reason === undefined ? {} : { reason }),
});

const tunnelDown = (open: Span, reason?: string): ShownIncident =>
  offline(open, reason, { incident: 'tunnel_down-p1-0', problem: 'tunnel_down' });

/** The same of another phone. */
const ofPhone = (device_id: string, { incident, ...shown }: ShownIncident): ShownIncident => ({
  ...shown,
  ...{ incident: incident.replace('p1', device_id), device_id, label: `rack/${device_id}` },
});

const killed = (from: number, until: number) => ({ up: [[0, from] as const, [until, 99_999] as const] });
const failing = (from: number, until = 99_999) => ({
  devices: [
    ['fresh', 0],
    ['stale', from],
    ['expired', from + 15],
    ['fresh', until],
  ] as const,
});

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'each kind of incident gives one alert, which fires until the minute with its end',
    minutes: 50,
    exporters: [
      {
        instance: 'e',
        incidents: [
          offline([5, 15], 'back'),
          // The rental ends while the phone is offline.
          ofPhone('p2', offline([5, 20], 'rental_ended')),
          ofPhone('p2', offline([20, 30], 'back', { incident: 'offline-p1-0', problem: 'offline' })),
          // The exporter's clock is 20 min behind.
          ofPhone('p3', offline([5, 30], 'back', { since: -1200 })),
          // It is offline again, in another group.
          ofPhone('p4', offline([5, 15], 'back')),
          ofPhone(
            'p4',
            offline([30, 45], 'back', { incident: 'sold_offline-p1-2', since: 1_500, group: 'moved' }),
          ),
          ofPhone('p5', tunnelDown([5, 20], 'works_again')),
          cause([5, 20], 'left'),
          massOutage(
            [
              [4, 5],
              [8, 15],
              [16, 25],
            ],
            [5, 40],
            'back',
          ),
          { ...ofAccount('many_left', [5, 20], 'returned', '60'), devices: [0, 60] },
        ],
      },
    ],
    firing: {
      'HosterSoldPhoneOffline p1': [[5, 16]],
      'HosterPhoneOffline p1': NEVER,
      'HosterSoldPhoneOffline p2': [[5, 21]],
      'HosterPhoneOffline p2': [[20, 31]],
      'HosterSoldPhoneOffline p3': [[5, 31]],
      'HosterSoldPhoneOffline p4': [
        [5, 16],
        [30, 46],
      ],
      'HosterSoldPhoneOffline group=moved': [[30, 46]],
      'HosterTunnelDown p5': [[5, 21]],
      'HosterCommonCause severity=critical': [[5, 21]],
      'HosterManyPhonesOffline size=4': [[5, 15]],
      'HosterManyPhonesOffline size=8': [[15, 25]],
      'HosterManyPhonesOffline size=16': [[25, 41]],
      'HosterPhoneLeft severity=warning': [[5, 21]],
      'HosterPhoneLeft scope=event': NEVER,
      HosterApiUnavailable: NEVER,
      HosterExporterBlind: NEVER,
      HosterExporterDown: NEVER,
    },
  },
  ...[1, 3, 10].map(
    (length): Scenario => ({
      name: `a scrape gap of ${length} min begins and ends nothing`,
      minutes: 45,
      exporters: [{ instance: 'e', ...killed(10, 10 + length), incidents: [offline([5, 999])] }],
      firing: { 'HosterSoldPhoneOffline p1': [[5, 999]] },
    }),
  ),
  {
    name: 'an alert keeps the group that it began with, whatever the other exporter calls it and whichever is away',
    minutes: 90,
    exporters: [
      { instance: 'a', ...killed(20, 35), incidents: [offline([5, 999])] },
      { instance: 'b', ...killed(50, 65), incidents: [offline([8, 999], undefined, { group: 'moved' })] },
    ],
    firing: {
      'HosterSoldPhoneOffline p1': [[5, 999]],
      'HosterSoldPhoneOffline group=rack': [[5, 999]],
    },
  },
  {
    name: 'an exporter that forgot everything calls the group otherwise: the alert goes on as it is',
    minutes: 60,
    exporters: [
      {
        ...{ instance: 'e', ...killed(10, 11), forgets: [11] },
        incidents: [offline([5, 10]), offline([17, 30], 'back', { group: 'moved' })],
      },
    ],
    firing: { 'HosterSoldPhoneOffline group=rack': [[5, 31]] },
  },
  {
    name: 'Prometheus scrapes nothing for 10 min and writes no stale markers: nothing begins or ends',
    minutes: 45,
    exporters: [{ instance: 'e', gap: [10, 20], incidents: [offline([5, 999])] }],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 999]], HosterExporterDown: [[17, 20]] },
  },
  {
    name: 'an exporter restarts: families vanish, and data is unknown for a minute',
    minutes: 40,
    exporters: [
      {
        ...{ instance: 'e', ...killed(10, 11) },
        data: {
          devices: [
            ['fresh', 0],
            ['expired', 11],
            ['fresh', 12],
          ],
        },
        incidents: [offline([5, 999])],
      },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 999]], HosterExporterDown: NEVER },
  },
  {
    name: 'an exporter restarts without a state file and waits 6 min for a phone: no second page',
    minutes: 40,
    exporters: [
      {
        ...{ instance: 'e', ...killed(10, 11), forgets: [11] },
        incidents: [offline([5, 10]), offline([17, 30], 'back')],
      },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 31]] },
  },
  {
    name: 'an exporter restarts in the minute in which a phone is back',
    minutes: 40,
    exporters: [{ instance: 'e', ...killed(20, 21), incidents: [offline([5, 20], 'back')] }],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 22]] },
  },
  {
    name: 'a phone that fell offline, left and returned is offline since then: a scrape gap ends nothing',
    minutes: 80,
    exporters: [
      { instance: 'e', ...killed(60, 62), incidents: [offline([5, 15], 'left'), offline([30, 999])] },
    ],
    firing: {
      'HosterSoldPhoneOffline p1': [
        [5, 16],
        [30, 999],
      ],
    },
  },
  {
    name: 'a phone is back while its exporter is away: its alert is resolved when a list shows it',
    minutes: 60,
    exporters: [{ instance: 'e', ...killed(10, 40), incidents: [offline([5, 30], 'back')] }],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 41]], HosterExporterDown: [[12, 40]] },
  },
  {
    name: 'Prometheus starts: three sold phones offline for days give alerts with their names',
    minutes: 10,
    exporters: [
      {
        instance: 'e',
        incidents: ['p1', 'p2', 'p3'].map((device_id) =>
          offline([0, 999], undefined, { incident: device_id, device_id, since: -259_200 }),
        ),
      },
    ],
    firing: {
      ...{ 'HosterSoldPhoneOffline p1': [[0, 999]], 'HosterSoldPhoneOffline p2': [[0, 999]] },
      ...{ 'HosterSoldPhoneOffline p3': [[0, 999]], HosterManyPhonesOffline: NEVER },
    },
  },
  {
    name: 'Prometheus starts while polls fail for over 15 min: what the exporter still says is wrong stands',
    minutes: 40,
    exporters: [{ instance: 'e', data: failing(-30, 20), incidents: [offline([0, 999])] }],
    firing: { 'HosterSoldPhoneOffline p1': [[0, 999]] },
  },
  {
    name: 'a replica that cannot poll does not hold an alert open',
    minutes: 60,
    exporters: [
      { instance: 'e', incidents: [offline([5, 20], 'back')] },
      { instance: 'f', data: failing(15), incidents: [offline([5, 999])] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 21]], 'HosterExporterBlind instance=f': [[30, 999]] },
  },
  {
    name: 'a replica that is down does not hold an alert open that the other one calls otherwise',
    minutes: 60,
    exporters: [
      { instance: 'e', incidents: [ofAccount('tunnels_unreadable', [5, 20], 'readable')] },
      {
        ...{ instance: 'f', ...killed(15, 999) },
        incidents: [{ ...ofAccount('tunnels_unreadable', [6, 999]), incident: 'tunnels_unreadable-1' }],
      },
    ],
    firing: { HosterApiDegraded: [[5, 21]], 'HosterExporterDown severity=warning': [[30, 999]] },
  },
  {
    name: 'the balance counts that a replica can read: low gives an alert at once, and its end resolves it',
    minutes: 60,
    exporters: [
      { instance: 'e', incidents: [ofAccount('balance_low', [20, 40], 'paid_in')] },
      { instance: 'f', data: { balance: failing(10).devices } },
    ],
    firing: { HosterBalanceLow: [[20, 41]], 'HosterExporterBlind instance=f': [[25, 999]] },
  },
  {
    name: 'a replica that cannot read the balance holds no low balance and nothing unreadable open',
    minutes: 90,
    exporters: [
      { instance: 'e', incidents: [ofAccount('balance_low', [5, 20], 'paid_in')] },
      {
        instance: 'f',
        data: { balance: failing(10).devices },
        incidents: [
          { ...ofAccount('balance_low', [5, 999]), incident: 'balance_low-1' },
          ofAccount('balance_unreadable', [40, 999]),
        ],
      },
    ],
    firing: { HosterBalanceLow: [[5, 21]], HosterApiDegraded: NEVER },
  },
  {
    name: 'a replica that cannot poll gives no alert for the API, only that it is blind',
    minutes: 100,
    exporters: [
      { instance: 'e' },
      { instance: 'f', data: failing(10), incidents: [ofAccount('api_unavailable', [15, 999])] },
    ],
    firing: { HosterApiUnavailable: NEVER, 'HosterExporterBlind instance=f': [[25, 999]] },
  },
  {
    name: 'one of two replicas is stopped for an update of 4 min while the other one sees everything: nobody is woken',
    minutes: 40,
    exporters: [
      { instance: 'e', incidents: [offline([5, 999])] },
      { instance: 'f', ...killed(10, 14), incidents: [offline([5, 999])] },
    ],
    firing: { HosterExporterDown: NEVER, 'HosterSoldPhoneOffline p1': [[5, 999]] },
  },
  {
    name: 'one of two exporters is down that alone has an account: a page',
    minutes: 40,
    exporters: [{ instance: 'e' }, { instance: 'f', accounts: { b: [0, 99_999] }, ...killed(10, 30) }],
    firing: {
      'HosterExporterDown severity=critical': [[12, 30]],
      'HosterExporterDown severity=warning': NEVER,
    },
  },
  {
    name: 'one of two exporters is down that alone has an account: its alerts of it stay',
    minutes: 60,
    exporters: [
      { instance: 'e' },
      {
        ...{ instance: 'f', accounts: { b: [0, 99_999] }, ...killed(10, 40) },
        incidents: [offline([5, 50], 'back', { account: 'b' })],
      },
    ],
    firing: { 'HosterSoldPhoneOffline account=b': [[5, 51]] },
  },
  {
    name: 'an exporter that never responded: a page',
    minutes: 20,
    exporters: [{ instance: 'e', up: [] }],
    firing: { 'HosterExporterDown severity=critical': [[2, 999]] },
  },
  {
    name: 'a replica that lost its state has other thresholds: one alert and one end, by the other one',
    minutes: 40,
    exporters: [
      { instance: 'e', incidents: [offline([5, 20], 'back')] },
      { instance: 'f', incidents: [offline([12, 20.5], 'back')] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 21.5]] },
  },
  {
    name: 'a replica shows another label of the same incident: the alert goes on, once',
    minutes: 40,
    exporters: [
      { instance: 'e', incidents: [offline([5, 20], 'back')] },
      { instance: 'f', incidents: [offline([5.5, 20], 'back', { label: 'rack/new' })] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 21]] },
  },
  {
    name: 'two accounts with the same phones: each has its own alerts',
    minutes: 40,
    exporters: [
      {
        ...{ instance: 'e', accounts: { a: [0, 99_999], b: [0, 99_999] } },
        incidents: [offline([5, 20], 'back'), offline([10, 25], 'back', { account: 'b' })],
      },
    ],
    firing: {
      'HosterSoldPhoneOffline account=a': [[5, 21]],
      'HosterSoldPhoneOffline account=b': [[10, 26]],
    },
  },
  {
    name: 'a phone has another label after its exporter lost its state: no second page, no false end',
    minutes: 40,
    exporters: [
      {
        ...{ instance: 'e', ...killed(10, 11), forgets: [11] },
        incidents: [offline([5, 10]), offline([12, 999], undefined, { label: 'new' })],
      },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 999]] },
  },
  {
    name: 'the exporter is away after a mass outage grew: its last size stands',
    minutes: 90,
    exporters: [
      {
        ...{ instance: 'e', ...killed(20, 60) },
        incidents: [
          massOutage(
            [
              [4, 5],
              [8, 15],
            ],
            [5, 999],
          ),
        ],
      },
    ],
    firing: { 'HosterManyPhonesOffline size=4': [[5, 15]], 'HosterManyPhonesOffline size=8': [[15, 999]] },
  },
  {
    name: 'two replicas count a mass outage differently: one alert',
    minutes: 40,
    exporters: [
      { instance: 'e', incidents: [massOutage([[11, 5]], [5, 20], 'back')] },
      { instance: 'f', incidents: [massOutage([[12, 5]], [5, 20], 'back')] },
    ],
    firing: { HosterManyPhonesOffline: [[5, 21]] },
  },
  {
    name: 'a mass outage without a sold phone is a warning, and one with a sold phone is a page',
    minutes: 40,
    exporters: [
      {
        instance: 'e',
        incidents: [
          massOutage([[4, 5]], [5, 20], 'explained', 'many_offline'),
          massOutage([[5, 20]], [20, 30], 'back'),
        ],
      },
    ],
    firing: {
      'HosterManyPhonesOffline severity=warning': [[5, 21]],
      'HosterManyPhonesOffline severity=critical': [[20, 31]],
    },
  },
  {
    name: 'a mass outage lasts over a restart of 10 min of the exporter',
    minutes: 60,
    exporters: [{ instance: 'e', ...killed(15, 25), incidents: [massOutage([[8, 5]], [5, 40], 'back')] }],
    firing: { 'HosterManyPhonesOffline size=8': [[5, 41]] },
  },
  {
    name: 'a mass outage doubles twice, and a replica sees it later: one notification each, and no size returns',
    minutes: 60,
    exporters: [5, 12].map((begin, index) => ({
      instance: String(index),
      incidents: [
        massOutage(
          [
            [5, begin],
            [10, begin + 10],
            [21, begin + 20],
          ],
          [begin, 45],
          'back',
        ),
      ],
    })),
    firing: {
      'HosterManyPhonesOffline size=4': [[5, 15]],
      'HosterManyPhonesOffline size=8': [[15, 25]],
      'HosterManyPhonesOffline size=16': [[25, 46]],
      HosterManyPhonesOffline: [[5, 46]],
    },
  },
  {
    name: 'a mass outage lasts over a restart without a state file, after which it is counted again: one alert',
    minutes: 70,
    exporters: [
      {
        ...{ instance: 'e', ...killed(15, 16), forgets: [16] },
        incidents: [massOutage([[8, 5]], [5, 15]), massOutage([[11, 18]], [18, 60], 'back')],
      },
    ],
    firing: { 'HosterManyPhonesOffline size=8': [[5, 61]] },
  },
  {
    name: 'two mass outages of one size: each gives an alert, and each ends by itself',
    minutes: 60,
    exporters: [
      {
        instance: 'e',
        incidents: [
          massOutage([[5, 5]], [5, 40], 'back'),
          { ...massOutage([[6, 20]], [20, 50], 'back'), incident: 'many_sold_offline-1', since: 1140 },
        ],
      },
    ],
    firing: {
      'HosterManyPhonesOffline incident=many_sold_offline-0': [[5, 41]],
      'HosterManyPhonesOffline incident=many_sold_offline-1': [[20, 51]],
    },
  },
  {
    name: 'an exporter reads phones and no tunnels any more: of tunnels its replica counts',
    minutes: 60,
    exporters: [
      {
        ...{ instance: 'e', data: { tunnels: failing(10).devices } },
        incidents: [tunnelDown([5, 999]), offline([30, 40], 'back')],
      },
      { instance: 'f', incidents: [tunnelDown([5, 20], 'works_again')] },
    ],
    firing: { 'HosterTunnelDown p1': [[5, 21]], 'HosterSoldPhoneOffline p1': [[30, 41]] },
  },
  {
    name: 'the only exporter reads phones and no tunnels any more: what it says of tunnels stands',
    minutes: 60,
    exporters: [
      { ...{ instance: 'e', data: { tunnels: failing(10).devices } }, incidents: [tunnelDown([5, 999])] },
    ],
    firing: { 'HosterTunnelDown p1': [[5, 999]] },
  },
  {
    name: 'after an outage of the API a replica is in its grace period: the other one, with current data, counts',
    minutes: 60,
    exporters: [
      { instance: 'e', doubts: [10, 40], incidents: [offline([5, 30], 'back')] },
      { instance: 'f', incidents: [offline([5, 20], 'back')] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 21]] },
  },
  {
    name: 'a replica polls again after an outage of its own: an incident that ended meanwhile gives no other alert',
    minutes: 60,
    exporters: [
      { instance: 'e', incidents: [offline([5, 20], 'back')] },
      { instance: 'f', data: failing(15, 40), incidents: [offline([5, 40], 'back')] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 21]] },
  },
  {
    name: 'a replica sees nothing, then neither does the other one: what ended in between does not return',
    minutes: 60,
    exporters: [
      { instance: 'e', data: failing(30), incidents: [offline([5, 20], 'back')] },
      { instance: 'f', data: failing(15), incidents: [offline([5, 999])] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 21]] },
  },
  {
    name: 'a phone that left returns offline while a replica that sees nothing shows its end: it gives an alert',
    minutes: 60,
    exporters: [
      { instance: 'e', incidents: [offline([5, 15], 'left'), offline([30, 999])] },
      { instance: 'f', data: failing(20), incidents: [offline([5, 15], 'left')] },
    ],
    firing: {
      'HosterSoldPhoneOffline p1': [
        [5, 16],
        [30, 999],
      ],
    },
  },
  {
    name: 'a poll fails: what a replica said that is gone for long does not return',
    minutes: 90,
    exporters: [
      {
        ...{ instance: 'e', data: { tunnels: failing(60, 63).devices } },
        incidents: [ofAccount('tunnels_unreadable', [5, 20], 'readable')],
      },
      {
        ...{ instance: 'f', ...killed(15, 999) },
        incidents: [{ ...ofAccount('tunnels_unreadable', [6, 999]), incident: 'tunnels_unreadable-1' }],
      },
    ],
    firing: { HosterApiDegraded: [[5, 21]] },
  },
  {
    name: 'a state file is lost while the key is refused: the alert ends when the key is accepted',
    minutes: 90,
    exporters: [
      {
        ...{ instance: 'e', ...killed(30, 31), forgets: [31], data: failing(5, 50) },
        incidents: [
          ofAccount('key_refused', [5, 30]),
          { ...ofAccount('key_refused', [31.5, 50], 'key_taken'), incident: 'key_refused-1' },
        ],
      },
    ],
    firing: { HosterKeyRefused: [[5, 51]] },
  },
  {
    name: 'an exporter that starts without a state file ends no alert of another one',
    minutes: 60,
    exporters: [
      { instance: 'e', ...killed(20, 30), incidents: [offline([5, 40], 'back')] },
      { instance: 'f', target: [10, 999], forgets: [10], incidents: [offline([24, 40], 'back')] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 41]] },
  },
  {
    name: 'a phone is back while its state file is lost: nobody knows its end, and the alert ends within 17 minutes',
    minutes: 60,
    exporters: [{ instance: 'e', ...killed(10, 11), forgets: [11], incidents: [offline([5, 10])] }],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 26]] },
  },
  {
    name: 'a refused key, then the API fails, then all is well: one message each, one end each',
    minutes: 60,
    exporters: [
      {
        instance: 'e',
        data: failing(5, 30),
        incidents: [ofAccount('key_refused', [5, 30], 'key_taken')],
      },
    ],
    firing: { HosterKeyRefused: [[5, 31]], HosterApiUnavailable: NEVER },
  },
  {
    name: 'a wrong key since the installation; the exporter restarts for 2 min: the page goes on',
    minutes: 60,
    exporters: [
      {
        ...{ instance: 'e', ...killed(30, 32) },
        data: { devices: [['expired', 0]], tunnels: [['expired', 0]], balance: [['expired', 0]] },
        incidents: [ofAccount('key_refused', [1, 30]), { ...ofAccount('key_refused', [33, 999]), since: 60 }],
      },
    ],
    firing: { HosterKeyRefused: [[1, 999]] },
  },
  {
    name: 'the API is down since the installation; one scrape is lost: nothing ends, and after an hour it is a page',
    minutes: 100,
    exporters: [
      {
        ...{ instance: 'e', ...killed(30, 30.25) },
        data: { devices: [['expired', 0]], tunnels: [['expired', 0]], balance: [['expired', 0]] },
        incidents: [ofAccount('api_unavailable', [6, 90], 'answers_again', 'timeout')],
      },
    ],
    firing: {
      'HosterApiUnavailable severity=warning': [[6, 91]],
      // From the evaluation after the hour on, and until the end of the warning has been dropped.
      'HosterApiUnavailable severity=critical': [[66.25, 93]],
    },
  },
  {
    name: 'an exporter is down for 25 h: no end without data',
    minutes: 26 * 60 + 30,
    exporters: [
      {
        instance: 'e',
        ...killed(30, 25.5 * 60),
        incidents: [offline([5, 26 * 60], 'back'), cause([6, 26 * 60], 'back')],
      },
    ],
    firing: {
      'HosterSoldPhoneOffline p1': [[5, 26 * 60 + 1]],
      'HosterCommonCause severity=critical': [[6, 26 * 60 + 1]],
      HosterExporterDown: [[32, 25.5 * 60]],
    },
  },
  {
    name: 'a key is refused for 25 h, then the exporter restarts for 2 min: no alert is resolved as if the key were good',
    minutes: 26 * 60 + 30,
    exporters: [
      {
        ...{ instance: 'e', ...killed(25.5 * 60, 25.5 * 60 + 2), data: failing(5, 26 * 60) },
        incidents: [ofAccount('key_refused', [5, 26 * 60], 'key_taken')],
      },
    ],
    firing: { HosterKeyRefused: [[5, 26 * 60 + 1]], HosterExporterDown: NEVER },
  },
  {
    name: 'what ended before the exporter went away stays ended',
    minutes: 2 * DAY,
    exporters: [{ instance: 'e', ...killed(30, 1.5 * DAY), incidents: [offline([5, 20], 'back')] }],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 21]] },
  },
  {
    name: 'a phone leaves, is listed again, and leaves again 2 h later: two alerts',
    minutes: 8 * 60,
    exporters: [
      {
        instance: 'e',
        incidents: [
          { ...offline([5, 60], 'returned'), incident: 'left-p1-1', problem: 'left' },
          { ...offline([180, 420], 'notified'), incident: 'left-p1-2', problem: 'left', value: '2' },
        ],
      },
    ],
    firing: {
      'HosterPhoneLeft severity=info': [
        [5, 61],
        [180, 421],
      ],
    },
  },
  {
    name: 'the clock of Prometheus is 20 min behind: an outage of the API is a page 20 min later',
    minutes: 120,
    exporters: [{ instance: 'e', incidents: [{ ...ofAccount('api_unavailable', [5, 999]), since: 1500 }] }],
    firing: {
      'HosterApiUnavailable severity=warning': [[5, 999]],
      'HosterApiUnavailable severity=critical': [[85.25, 999]],
    },
  },
  {
    name: 'the balance cannot be read for 2 h, and no tunnel since the start: both give an alert',
    minutes: 150,
    exporters: [
      {
        instance: 'e',
        data: { balance: [['expired', 0]], tunnels: [['expired', 0]] },
        incidents: [
          ofAccount('balance_unreadable', [30, 130], 'readable'),
          ofAccount('tunnels_unreadable', [30, 999]),
        ],
      },
    ],
    firing: {
      'HosterApiDegraded problem=balance_unreadable': [[30, 131]],
      'HosterApiDegraded problem=tunnels_unreadable': [[30, 999]],
      HosterExporterBlind: NEVER,
    },
  },
  {
    name: 'an account is removed from a running exporter: its alerts end',
    minutes: 40,
    exporters: [
      {
        ...{ instance: 'e', accounts: { a: [0, 99_999], b: [0, 20] } },
        incidents: [offline([5, 999]), offline([5, 999], undefined, { account: 'b' })],
      },
    ],
    firing: {
      'HosterSoldPhoneOffline account=a': [[5, 999]],
      'HosterSoldPhoneOffline account=b': [[5, 21]],
    },
  },
  {
    name: 'the only account is taken from one of two replicas: what the other one says counts',
    minutes: 60,
    exporters: [
      { instance: 'e', incidents: [offline([5, 30], 'back')] },
      { instance: 'f', accounts: { a: [0, 20] }, incidents: [offline([5, 30], 'back')] },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 31]] },
  },
  {
    name: 'a pod is replaced and keeps no state: its alerts go on until it says them again',
    minutes: 40,
    exporters: [
      { instance: 'e', target: [0, 10], incidents: [offline([5, 999])] },
      {
        ...{ instance: 'f', target: [10.5, 999], forgets: [10.5] },
        data: {
          devices: [
            ['expired', 0],
            ['fresh', 11],
          ],
        },
        incidents: [offline([17, 30], 'back')],
      },
    ],
    firing: { 'HosterSoldPhoneOffline p1': [[5, 31]] },
  },
  {
    name: 'a state file that cannot be written, over a restart of 4 min: one message',
    minutes: 60,
    exporters: [
      {
        ...{ instance: 'e', ...killed(30, 34) },
        series: {
          hoster_exporter_state_last_save_successful: (minute) => Number(minute < 5 || minute >= 45),
        },
      },
    ],
    firing: { 'HosterFileUnusable file=state': [[15, 45]] },
  },
  {
    name: 'an exporter that restarts with a state file that it can write again after a failure: no message',
    minutes: 40,
    exporters: [
      {
        instance: 'e',
        series: {
          hoster_exporter_state_last_save_successful: (minute) => Number(minute < 5 || minute >= 10),
        },
      },
    ],
    firing: { HosterFileUnusable: NEVER },
  },
];
