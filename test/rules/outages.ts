import type { ExporterTimeline, Shown, Span } from './timeline.ts';

/** What happens to exporters of account `a`, and the alerts that fire meanwhile, minute by minute. */
export type Scenario = {
  readonly name: string;
  readonly minutes: number;
  readonly exporters: readonly ExporterTimeline[];
  /** The minutes at which an alert fires, by its name and, where it has one, the phone; each minute is compared. */
  readonly firing: Readonly<Record<string, readonly Span[]>>;
};

const NEVER: readonly Span[] = [];

/** A sold phone that falls silent at the third minute; its last heartbeat was at its start. */
const silent = (span: Span, id = 'p1', problem = 'sold_silent') => ({ id, problem, since: 0, span });

const back = (id: string, at: number, span: Span) => ({
  [`hoster_device_back_timestamp_seconds{account="a",device_id="${id}"}`]: (minute: number) =>
    minute >= span[0] && minute < span[1] ? at * 60 : undefined,
});

const FAILED: Shown = () => 0;

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

const FORTY = names('r', 40);
const HUNDRED = [...FORTY, ...names('s', 60)];

/** Phones of the fleet, each silent from a minute of its own. */
const silentFrom = (ids: readonly string[], from: (index: number) => number, until: number) =>
  ids.map((id, index) => silent([from(index), until], id));

const killed = (from: number, until: number) => ({ up: [[0, from] as const, [until, 999] as const] });

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a sold phone is told a minute after it is silent, and its end a minute after it is back',
    minutes: 20,
    exporters: [{ instance: 'e', problems: [silent([3, 10])], series: back('p1', 9.5, [10, 20]) }],
    firing: { 'HosterRentedPhoneSilent p1': [[4, 11]], 'HosterRentedPhoneSilent p2': NEVER },
  },
  {
    name: 'a silence of less than a minute is not told',
    minutes: 10,
    exporters: [{ instance: 'e', problems: [silent([3, 3.75])], series: back('p1', 3.5, [3.75, 10]) }],
    firing: { 'HosterRentedPhoneSilent p1': NEVER },
  },
  ...[2, 6, 30].flatMap((length): readonly Scenario[] => {
    const end = 10 + length;
    const dead = { HosterExporterDown: length > 2 ? ([[12, end]] as const) : NEVER };
    const minutes = end + 15;
    return [
      {
        name: `an exporter killed for ${length} minutes, with a phone silent before, during and after`,
        minutes,
        exporters: [{ instance: 'e', ...killed(10, end), problems: [silent([3, 999])] }],
        firing: { ...dead, 'HosterRentedPhoneSilent p1': [[4, 999]] },
      },
      {
        name: `an exporter killed for ${length} minutes, while a silent phone comes back`,
        minutes,
        exporters: [{ instance: 'e', ...killed(10, end), problems: [silent([3, 12])] }],
        firing: { ...dead, 'HosterRentedPhoneSilent p1': [[4, end]] },
      },
      {
        name: `an exporter killed for ${length} minutes, while a phone falls silent`,
        minutes,
        exporters: [{ instance: 'e', ...killed(10, end), problems: [silent([11, 999])] }],
        firing: { ...dead, 'HosterRentedPhoneSilent p1': [[end + 1, 999]] },
      },
      {
        name: `an exporter killed for ${length} minutes, a minute after a phone was back`,
        minutes,
        exporters: [{ instance: 'e', ...killed(10, end), problems: [silent([3, 8.5])] }],
        firing: { ...dead, 'HosterRentedPhoneSilent p1': [[4, 8.5]] },
      },
    ];
  }),
  {
    name: 'a scrape that is lost ends and begins nothing',
    minutes: 15,
    exporters: [{ instance: 'e', ...killed(8, 8.25), problems: [silent([3, 999])] }],
    firing: { HosterExporterDown: NEVER, 'HosterRentedPhoneSilent p1': [[4, 999]] },
  },
  {
    name: 'an exporter that restarts without data until its first poll ends nothing',
    minutes: 15,
    exporters: [
      {
        instance: 'e',
        data: [
          ['fresh', 0],
          ['expired', 8],
          ['fresh', 9],
        ],
        problems: [silent([3, 8]), silent([9, 999])],
      },
    ],
    firing: { 'HosterRentedPhoneSilent p1': [[4, 999]] },
  },
  {
    name: 'a restart without a state file, after which the phone is not called silent for a while, tells an end and no cure',
    minutes: 20,
    exporters: [{ instance: 'e', problems: [silent([3, 8]), silent([14, 999])] }],
    firing: {
      'HosterRentedPhoneSilent p1': [
        [4, 8],
        [15, 999],
      ],
    },
  },
  ...[2, 12, 40].map((length): Scenario => {
    const end = 10 + length;
    return {
      name: `an API that is down for ${length} minutes, with a phone silent before, and one back afterwards`,
      minutes: end + 15,
      exporters: [
        {
          instance: 'e',
          data: [
            ['fresh', 0],
            ['held', 10],
            ['expired', Math.min(25, end)],
            ['fresh', end],
          ],
          problems: [silent([3, 999]), silent([3, end], 'p2')],
        },
      ],
      firing: {
        HosterApiUnavailable: length < 5 ? NEVER : [[15, end]],
        'HosterRentedPhoneSilent p1': [[4, 999]],
        'HosterRentedPhoneSilent p2': [[4, end]],
      },
    };
  }),
  {
    name: 'an API that is down for 90 minutes is told again after an hour',
    minutes: 110,
    exporters: [
      {
        instance: 'e',
        data: [
          ['fresh', 0],
          ['held', 10],
          ['expired', 25],
          ['fresh', 100],
        ],
        problems: [silent([3, 999])],
      },
    ],
    firing: {
      'HosterApiUnavailable severity=warning': [[15, 100]],
      'HosterApiUnavailable severity=critical': [[70, 102]],
      'HosterRentedPhoneSilent p1': [[4, 999]],
    },
  },
  {
    name: 'a key that is refused for half an hour, and repaired',
    minutes: 60,
    exporters: [
      {
        instance: 'e',
        data: [
          ['fresh', 0],
          ['held', 10],
          ['expired', 25],
          ['fresh', 40],
        ],
        problems: [silent([3, 999])],
        series: {
          'hoster_account_api_access{account="a",state="invalid_key"}': (minute) =>
            Number(minute >= 10 && minute < 40),
        },
      },
    ],
    firing: { HosterKeyRefused: [[11, 40]], 'HosterRentedPhoneSilent p1': [[4, 999]] },
  },
  {
    name: 'an exporter that is killed while the API is down: nobody is told that the API is back',
    minutes: 60,
    exporters: [
      {
        instance: 'e',
        ...killed(20, 30),
        data: [
          ['fresh', 0],
          ['held', 10],
          ['expired', 25],
          ['fresh', 40],
        ],
      },
    ],
    firing: { HosterApiUnavailable: [[15, 40]], HosterExporterDown: [[22, 30]] },
  },
  {
    name: 'a pod that is replaced, whose successor polls a minute later',
    minutes: 20,
    exporters: [
      { instance: 'old', target: [0, 8], problems: [silent([3, 999])] },
      {
        instance: 'new',
        target: [9, 999],
        data: [
          ['expired', 9],
          ['fresh', 10],
        ],
        problems: [silent([10, 999])],
      },
    ],
    firing: { HosterExporterDown: NEVER, 'HosterRentedPhoneSilent p1': [[4, 999]] },
  },
  {
    name: 'two exporters: one dies, and the other one sees a phone come back and another one fall silent',
    minutes: 30,
    exporters: [
      { instance: 'one', ...killed(8, 99), problems: [silent([3, 999])] },
      {
        instance: 'two',
        problems: [silent([3.5, 12]), silent([14, 999], 'p2')],
        series: back('p1', 12, [12, 30]),
      },
    ],
    firing: {
      'HosterRentedPhoneSilent p1': [[4, 13]],
      'HosterRentedPhoneSilent p2': [[15, 999]],
    },
  },
  {
    name: 'two exporters: one cannot reach the API, and what the other one says counts',
    minutes: 40,
    exporters: [
      {
        instance: 'one',
        data: [
          ['fresh', 0],
          ['held', 8],
          ['expired', 23],
        ],
        problems: [silent([3, 999])],
      },
      { instance: 'two', problems: [silent([3, 12])], series: back('p1', 12, [12, 40]) },
    ],
    firing: { HosterApiUnavailable: NEVER, 'HosterRentedPhoneSilent p1': [[4, 13]] },
  },
  {
    name: 'a phone that is deleted while it is silent is told by its own alert alone',
    minutes: 40,
    exporters: [
      {
        instance: 'e',
        listed: { p1: [0, 8] },
        problems: [silent([3, 8])],
        series: {
          'hoster_device_left_timestamp_seconds{account="a",device_id="p1",label="rack/p1"}': (minute) =>
            minute >= 8 ? 7 * 60 : undefined,
        },
      },
    ],
    firing: { 'HosterRentedPhoneSilent p1': [[4, 9]], 'HosterPhoneLeft p1': NEVER },
  },
  {
    name: 'a healthy phone that leaves is told at once and for ten minutes, and not again after a restart',
    minutes: 60,
    exporters: [
      {
        instance: 'e',
        ...killed(30, 34),
        listed: { p1: [0, 8] },
        series: {
          'hoster_device_left_timestamp_seconds{account="a",device_id="p1",label="rack/p1"}': (minute) =>
            minute >= 8 ? 7 * 60 : undefined,
        },
      },
    ],
    firing: { 'HosterPhoneLeft p1': [[8, 18]] },
  },
  {
    name: 'a rental that ends while the phone is silent',
    minutes: 20,
    exporters: [{ instance: 'e', problems: [silent([3, 8]), silent([8, 999], 'p1', 'silent')] }],
    firing: { 'HosterRentedPhoneSilent p1': [[4, 9]], 'HosterPhoneSilent p1': [[9, 999]] },
  },
  {
    name: 'a rack of forty that falls silent within a minute, and is named a minute later: one alert',
    minutes: 30,
    exporters: [
      {
        instance: 'e',
        phones: HUNDRED,
        problems: silentFrom(FORTY, (index) => 3 + Math.floor(index / 20) / 2, 999),
        causes: [{ kind: 'group', value: 'rack', ids: FORTY, span: [4, 999] }],
      },
    ],
    firing: {
      HosterCommonCause: [[4, 999]],
      HosterManyPhonesSilent: NEVER,
      HosterRentedPhoneSilent: NEVER,
    },
  },
  {
    name: 'an exporter killed while a cause explains forty phones: none of them is told',
    minutes: 40,
    exporters: [
      {
        instance: 'e',
        ...killed(10, 25),
        phones: HUNDRED,
        problems: silentFrom(FORTY, () => 3, 999),
        causes: [{ kind: 'group', value: 'rack', ids: FORTY, span: [3.5, 999] }],
      },
    ],
    firing: { HosterCommonCause: [[4, 999]], HosterRentedPhoneSilent: NEVER },
  },
  {
    name: 'a cause that ends while three of its phones stay silent: each is told',
    minutes: 30,
    exporters: [
      {
        instance: 'e',
        phones: HUNDRED,
        problems: [
          ...silentFrom(FORTY.slice(3), () => 3, 12),
          ...silentFrom(FORTY.slice(0, 3), () => 3, 999),
        ],
        causes: [{ kind: 'group', value: 'rack', ids: FORTY, span: [3.5, 12] }],
      },
    ],
    firing: {
      HosterCommonCause: [[4, 12]],
      HosterManyPhonesSilent: NEVER,
      'HosterRentedPhoneSilent r1': [[13, 999]],
      'HosterRentedPhoneSilent r3': [[13, 999]],
      'HosterRentedPhoneSilent r4': NEVER,
    },
  },
  {
    name: 'thirty phones that share nothing fall silent at once: one alert, until two are left',
    minutes: 60,
    exporters: [
      {
        instance: 'e',
        phones: HUNDRED,
        problems: [
          ...silentFrom(FORTY.slice(0, 28), () => 3, 40),
          ...silentFrom(FORTY.slice(28, 30), () => 3, 999),
        ],
      },
    ],
    firing: {
      HosterManyPhonesSilent: [[4, 40.25]],
      'HosterRentedPhoneSilent r1': NEVER,
      'HosterRentedPhoneSilent r30': [[42, 999]],
    },
  },
  {
    name: 'twenty phones fall silent one by one, a minute apart: ten are told, then all others by one alert',
    minutes: 30,
    exporters: [
      { instance: 'e', phones: HUNDRED, problems: silentFrom(FORTY.slice(0, 20), (index) => 3 + index, 999) },
    ],
    firing: {
      'HosterRentedPhoneSilent r1': [[4, 999]],
      'HosterRentedPhoneSilent r9': [[12, 999]],
      'HosterRentedPhoneSilent r11': NEVER,
      'HosterRentedPhoneSilent r20': NEVER,
      HosterManyPhonesSilent: [[14, 999]],
    },
  },
  {
    name: 'a sold phone that falls silent a quarter of an hour after a flood is told by itself',
    minutes: 50,
    exporters: [
      {
        instance: 'e',
        phones: FORTY,
        problems: [...silentFrom(FORTY.slice(0, 8), () => 3, 999), silent([20, 999], 'r20')],
      },
    ],
    firing: {
      HosterManyPhonesSilent: [[4, 999]],
      'HosterRentedPhoneSilent r1': NEVER,
      'HosterRentedPhoneSilent r20': [[21, 999]],
    },
  },
  {
    name: 'phones that fall silent together again soon after a flood are one flood again',
    minutes: 70,
    exporters: [
      {
        instance: 'e',
        phones: FORTY,
        problems: FORTY.slice(0, 8).flatMap((id) => [
          silent([3, 39], id),
          { ...silent([41, 999], id), since: 38 * 60 },
        ]),
      },
    ],
    firing: {
      HosterManyPhonesSilent: [
        [4, 39],
        [42, 999],
      ],
      'HosterRentedPhoneSilent r1': NEVER,
    },
  },
  {
    name: 'a phone that is back right after its alert began ends it before Alertmanager has told it',
    minutes: 15,
    exporters: [{ instance: 'e', problems: [silent([3, 4.25])], series: back('p1', 4, [4.25, 15]) }],
    firing: { 'HosterRentedPhoneSilent p1': [[4, 4.25]] },
  },
  {
    name: 'a phone that left during an outage of an hour is told when the list can be read again',
    minutes: 110,
    exporters: [
      {
        instance: 'e',
        ...killed(10, 80),
        listed: { p1: [0, 11] },
        series: {
          'hoster_device_left_timestamp_seconds{account="a",device_id="p1",label="rack/p1"}': (minute) =>
            minute >= 80 ? 10 * 60 : undefined,
        },
      },
    ],
    firing: { HosterExporterDown: [[12, 80]], 'HosterPhoneLeft p1': [[80, 90]] },
  },
  {
    name: 'the balance counts anew with the exporter that replaces another one',
    minutes: 40,
    exporters: [
      {
        instance: 'e',
        target: [0, 10],
        series: {
          'hoster_balance_available_cents{account="a"}': () => 900,
          'hoster_balance_low_limit_cents{account="a"}': () => 500,
        },
      },
      {
        instance: 'f',
        target: [10, 999],
        series: {
          'hoster_balance_available_cents{account="a"}': (minute) => (minute < 30 ? 100 : 900),
          'hoster_balance_low_limit_cents{account="a"}': () => 500,
        },
      },
    ],
    firing: { HosterBalanceLow: [[15, 30]] },
  },
  {
    name: 'a cause that is found while Alertmanager still waits ends the alerts on its phones, untold',
    minutes: 20,
    exporters: [
      {
        instance: 'e',
        phones: HUNDRED,
        problems: silentFrom(FORTY.slice(0, 8), () => 3, 999),
        causes: [{ kind: 'group', value: 'rack', ids: FORTY.slice(0, 8), span: [4.25, 999] }],
      },
    ],
    firing: { 'HosterRentedPhoneSilent r1': [[4, 4.25]], HosterCommonCause: [[4.25, 999]] },
  },
  {
    name: 'a phone that was told before its rack was found keeps its alert',
    minutes: 20,
    exporters: [
      {
        instance: 'e',
        phones: HUNDRED,
        problems: [silent([3, 15], 'r1'), ...silentFrom(FORTY.slice(1), () => 6, 999)],
        causes: [{ kind: 'group', value: 'rack', ids: FORTY, span: [7, 999] }],
        series: back('r1', 15, [15, 20]),
      },
    ],
    firing: {
      'HosterRentedPhoneSilent r1': [[4, 16]],
      'HosterRentedPhoneSilent r2': NEVER,
      HosterCommonCause: [[7, 999]],
    },
  },
  {
    name: 'the balance: what was read last counts while it cannot be read',
    minutes: 40,
    exporters: [
      {
        instance: 'e',
        ...killed(20, 26),
        series: {
          'hoster_balance_available_cents{account="a"}': (minute) =>
            minute >= 12 && minute < 16 ? undefined : minute < 30 ? 300 : 900,
          'hoster_balance_low_limit_cents{account="a"}': () => 500,
        },
      },
    ],
    firing: { HosterBalanceLow: [[5, 30]] },
  },
  {
    name: 'a state file that cannot be written while the exporter is killed',
    minutes: 30,
    exporters: [
      {
        instance: 'e',
        ...killed(15, 25),
        series: { hoster_exporter_state_last_save_successful: FAILED },
      },
    ],
    firing: {
      HosterFileUnusable: [
        [5, 20],
        [30, 999],
      ],
      HosterExporterDown: [[17, 25]],
    },
  },
];
