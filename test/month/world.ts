import type { HttpClient } from '../../src/api/http.ts';
import type { Clock } from '../../src/base/clock.ts';
import { between, createRandom, deriveSeed, pick, type Random } from '../../src/base/random.ts';
import { success, wireBalance, wireDevice, wirePage } from '../unit/api/wire-fixtures.ts';

/*
 * A month of phones, as a script: what happens at which second. The marketplace answers by it, and the truth is added up
 * from it, so that neither knows the code under test. All times are seconds since 1970.
 */

/** A time from its first second to before its last. */
export type Span = readonly [from: number, to: number];

/** What happens to one phone. */
export type Script = {
  readonly id: string;
  readonly label: string;
  /** Its later label, and from which second on. */
  readonly renamed?: readonly [at: number, label: string];
  readonly model: string;
  readonly listed: readonly Span[];
  /** Each rental status with the second from which on it holds; the first holds from the beginning. */
  readonly rentals: readonly (readonly [at: number, status: string])[];
  /** When it sends no heartbeats. */
  readonly outages: readonly Span[];
  /** When its owner works on it. */
  readonly maintenance?: readonly Span[];
};

/** When the exporter was not there, whether it has its state file afterwards, and by how many seconds that is older. */
type Outage = { readonly span: Span; readonly remembers: boolean; readonly older?: number };

/** A month, what happens to its phones, and when nobody could look. */
export type Month = {
  readonly from: number;
  readonly to: number;
  readonly phones: readonly Script[];
  readonly apiDown: readonly Span[];
  readonly exporterDown: readonly Outage[];
  /** When another exporter polled as well, which began with nothing. */
  readonly replica: Span;
  readonly prometheusDown: readonly Span[];
  /** By how many seconds the clock of the exporter's machine is ahead, from which second on. */
  readonly clockSteps?: readonly (readonly [at: number, ahead: number])[];
  /** Seconds from a heartbeat on until a phone is offline, where it is another number than usual. */
  readonly offlineAfter?: number;
  /** The available balance in cents, with the second from which on it holds. */
  readonly balance: readonly (readonly [at: number, cents: number])[];
};

/** Seconds between two heartbeats, and from a heartbeat on until a phone is offline. */
const BEAT = 60;
export const OFFLINE_AFTER = 300;

const within = (spans: readonly Span[], at: number): boolean =>
  spans.some(([from, to]) => at >= from && at < to);

export function valueAt<Value>(
  changes: readonly (readonly [at: number, value: Value])[],
  at: number,
): Value | undefined {
  return changes.findLast(([since]) => since <= at)?.[1] ?? changes[0]?.[1];
}

/** Returns the last heartbeat of a phone at a second. */
export function lastBeat({ outages }: Script, at: number): number {
  let beat = Math.floor(at / BEAT) * BEAT;
  for (let outage = spanAt(outages, beat); outage !== undefined; outage = spanAt(outages, beat))
    beat = Math.ceil(outage[0] / BEAT) * BEAT - BEAT;
  return beat;
}

const spanAt = (spans: readonly Span[], at: number): Span | undefined =>
  spans.find(([from, to]) => at >= from && at < to);

/** The marketplace of a month, in simulated time. */
export function marketplaceOf({ phones, apiDown, balance }: Month, clock: Clock): HttpClient {
  const bodyOf = (path: string, at: number): unknown => {
    if (path.includes('/balance')) {
      const availableCents = valueAt(balance, at) ?? 0;
      return wireBalance({ availableCents, pendingCents: 0, totalCents: availableCents });
    }
    const items = phones
      .filter(({ listed }) => within(listed, at))
      .map((phone) =>
        wireDevice({
          deviceId: phone.id,
          label: phone.renamed !== undefined && at >= phone.renamed[0] ? phone.renamed[1] : phone.label,
          model: phone.model,
          rentalStatus: valueAt(phone.rentals, at),
          selfRent: undefined,
          lastHeartbeatAt: new Date(lastBeat(phone, at) * 1000).toISOString(),
        }),
      );
    return wirePage({ items, total: items.length });
  };
  return {
    get: async (path) => {
      const at = clock.now() / 1000;
      const headers = { date: new Date(clock.now()).toUTCString() };
      if (within(apiDown, at)) return { status: 503, headers, body: Buffer.from('<html>') };
      return { status: 200, headers, body: Buffer.from(success(bodyOf(path, at))) };
    },
    close: async () => {},
  };
}

/** Seconds of a phone in each column of a range. */
export type Truth = {
  readonly sold_online: number;
  readonly sold_offline: number;
  readonly maintenance: number;
  readonly self_rented: number;
  readonly idle: number;
  readonly other: number;
  readonly unknown: number;
  /** From its first listing to its last within the range. */
  readonly total: number;
  readonly interruptions: number;
  /** Interruptions that began when nobody could see it. */
  readonly unseenInterruptions: number;
  /** How often something changed, each of which is seen up to a poll late. */
  readonly changes: number;
};

/** When Prometheus last scraped, up to an instant. */
function lastScrape({ prometheusDown }: Month, at: number): number {
  return spanAt(prometheusDown, at)?.[0] ?? at;
}

/** Adds up the truth of a phone in the month, between the scrapes at its ends. */
export function truthOf(month: Month, phone: Script): Truth {
  const lost = month.exporterDown.filter(({ remembers }) => !remembers).map(({ span: [, end] }) => end);
  // What was before a state file was lost is unknown.
  const forgotten = [month.from - BEFORE, Math.max(month.from - BEFORE, ...lost)] as const;
  return truthIn(
    month,
    phone,
    [lastScrape(month, month.from), lastScrape(month, month.to)],
    unseenIn(month, forgotten),
  );
}

/**
 * Adds up the truth of a phone in a local day. What was before a state file was lost is no part of it, nor what is after
 * the phone left, unless it returned on that day.
 */
export function truthOfDay(month: Month, phone: Script, [from, to]: Span): Truth {
  const lost = month.exporterDown
    .filter(({ remembers, span: [, end] }) => !remembers && end > from && end < to)
    .map(({ span: [, end] }) => end);
  const listed = phone.listed.filter(([begin]) => begin < to);
  return truthIn(month, { ...phone, listed }, [Math.max(from, ...lost), to], unseenIn(month));
}

function unseenIn({ apiDown, exporterDown }: Month, ...more: readonly Span[]): readonly Span[] {
  const down = exporterDown.map(({ span: [from, to], older = 0 }): Span => [from - older, to]);
  return [...apiDown, ...down, ...more];
}

/** Adds up the truth of a phone in a range: each stretch between two changes is of one kind. */
function truthIn(month: Month, phone: Script, [start, end]: Span, unseen: readonly Span[]): Truth {
  const [first] = phone.listed[0] ?? [month.to];
  const from = Math.max(start, first);
  const to = Math.max(from, Math.min(end, phone.listed.at(-1)?.[1] ?? month.to));
  const { maintenance = [] } = phone;
  const { offlineAfter = OFFLINE_AFTER } = month;
  const outages = phone.outages
    .map(
      ([begin, end]): Span => [
        Math.ceil(begin / BEAT) * BEAT - BEAT + offlineAfter,
        Math.ceil(end / BEAT) * BEAT,
      ],
    )
    .filter(([begin, end]) => end > begin);
  const edges = [
    ...[...phone.listed, ...unseen, ...outages, ...maintenance].flat(),
    ...phone.rentals.map(([at]) => at),
  ].filter((at) => at > from && at < to);
  const marks = [...new Set([from, ...edges, to])].toSorted((one, other) => one - other);
  const sums = {
    sold_online: 0,
    sold_offline: 0,
    maintenance: 0,
    self_rented: 0,
    idle: 0,
    other: 0,
    unknown: 0,
  };
  marks.slice(1).forEach((end, index) => {
    const begin = marks[index] ?? end;
    sums[kindAt(begin)] += end - begin;
  });
  // A silence counts once, if the phone was sold when it fell offline and nobody worked on it.
  const begun = outages.map(([begin]) => begin).filter((begin) => begin >= from && begin < to);
  const interruptions = begun.filter((begin) => kindAt(begin) === 'sold_offline').length;
  const unseenInterruptions = begun.filter((begin) => kindAt(begin) === 'unknown').length;
  return { ...sums, total: to - from, interruptions, unseenInterruptions, changes: marks.length };

  function kindAt(at: number): keyof typeof sums {
    if (within(unseen, at) || !within(phone.listed, at)) return 'unknown';
    const status = valueAt(phone.rentals, at);
    if (status === 'sold') {
      if (!within(outages, at)) return 'sold_online';
      return within(maintenance, at) ? 'maintenance' : 'sold_offline';
    }
    return status === 'self_rented' || status === 'idle' ? status : 'other';
  }
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/** October in Berlin: 745 hours, since the clocks go back on the 25th. */
const FROM = Date.UTC(2026, 8, 30, 22) / 1000;
const TO = Date.UTC(2026, 9, 31, 23) / 1000;

/** What is seen before the month begins. */
export const BEFORE = 2 * DAY;

/** A month with outages of everything, restarts, and phones that come and go. */
export function eventfulMonth(): Month {
  const day = (days: number): number => FROM + days * DAY;
  const always: readonly Span[] = [[FROM - BEFORE, TO + HOUR]];
  const phone = (name: string, facts: Partial<Script>): Script => ({
    id: name.replaceAll(' ', '-'),
    label: `rack-1/${name}`,
    model: 'Galaxy A14',
    listed: always,
    rentals: [[FROM - BEFORE, 'sold']],
    outages: [],
    ...facts,
  });
  const random = createRandom(7);
  return {
    from: FROM,
    to: TO,
    phones: [
      phone('always sold', {}),
      phone('offline now and then', {
        outages: [3.1, 6.2, 11.5, 14, 19.9, 26.4].map((at): Span => [day(at), day(at) + 25 * 60]),
      }),
      phone('offline for days', { outages: [[day(12) + 77, day(15) + 3 * HOUR]] }),
      phone('offline over both ends', {
        outages: [
          [day(-0.5), day(0.25)],
          [day(30.9), TO + HOUR],
        ],
      }),
      phone('offline over a restart', { outages: [[day(3) - 2 * HOUR, day(3) + 3 * HOUR]] }),
      phone('offline while self-rented', {
        rentals: [
          [FROM - BEFORE, 'self_rented'],
          [day(20.01), 'sold'],
          [day(24.7), 'idle'],
        ],
        outages: [[day(10), day(10.5)]],
      }),
      phone('idle and offline', { rentals: [[FROM - BEFORE, 'idle']], outages: [[day(2), day(29)]] }),
      phone('of another status', {
        rentals: [
          [FROM - BEFORE, 'sold'],
          [day(7) + 11, 'maintenance'],
          [day(9.3), 'sold'],
        ],
      }),
      phone('interrupted twice in ten minutes', {
        outages: [
          [day(4), day(4) + 540],
          [day(4) + 545, day(4) + 1140],
        ],
      }),
      phone('rented each half hour', {
        rentals: Array.from({ length: 2 * 24 * 33 }, (_, index) => [
          FROM - BEFORE + index * 1800,
          index % 2 === 0 ? 'sold' : 'idle',
        ]),
      }),
      phone('worked on', {
        outages: [
          [day(8), day(8.5)],
          [day(17) - HOUR, day(17) + HOUR],
          [day(25.5), day(25.6)],
        ],
        maintenance: [
          [day(8) - HOUR, day(8.25)],
          [day(17) - 2 * HOUR, day(17) + 2 * HOUR],
          [day(25.5) + HOUR, day(26)],
        ],
      }),
      phone('of a new status while Prometheus was off', {
        rentals: [
          [FROM - BEFORE, 'sold'],
          [day(13) + 20 * 60, 'self_rented'],
        ],
      }),
      phone('of a new status while the API was down', {
        rentals: [
          [FROM - BEFORE, 'idle'],
          [day(5) + 20 * 60, 'sold'],
          [day(22.4) + 2 * HOUR, 'self_rented'],
        ],
      }),
      phone('of a new status while the exporter was off', {
        rentals: [
          [FROM - BEFORE, 'self_rented'],
          [day(3) + 10 * 60, 'sold'],
        ],
      }),
      phone('twin', {}),
      phone('twin that is offline', { label: 'rack-1/twin', outages: [[day(6), day(6.5)]] }),
      phone('renamed', { renamed: [day(21.5), 'rack-9/new name'] }),
      phone('came', { label: 'rack-2/came', model: 'Pixel 6', listed: [[day(10) + 40, TO + HOUR]] }),
      phone('left', { label: 'rack-2/left', model: 'Pixel 6', listed: [[FROM - BEFORE, day(20.3) + 20]] }),
      phone('left and came back', {
        label: 'rack-2/left and came back',
        listed: [
          [FROM - BEFORE, day(15.2)],
          [day(18.4), TO + HOUR],
        ],
      }),
      ...[1, 2, 3, 4].map((seed) => {
        const own = createRandom(deriveSeed(7, seed));
        return phone(`busy ${seed}`, { model: pick(random, ['Pixel 6', 'Moto "G"']), ...busyLife(own) });
      }),
    ],
    apiDown: [
      [day(5) + 13, day(5) + 45 * 60],
      [day(22.4), day(22.4) + 4 * HOUR],
    ],
    exporterDown: [
      { span: [day(3), day(3) + 20 * 60], remembers: true },
      { span: [day(0.55), day(0.55) + 3 * HOUR], remembers: false },
      { span: [day(17), day(17) + 60], remembers: true },
      { span: [day(17) + 8 * 60, day(17) + 9 * 60], remembers: true },
      { span: [day(27.7), day(27.7) + 90], remembers: true },
      { span: [day(28.7), day(28.7) + 20 * 60], remembers: true, older: 20 * 60 },
    ],
    prometheusDown: [
      [FROM - BEFORE, FROM - BEFORE + DAY],
      [FROM - 30 * 60, FROM + 60 * 60],
      [day(13), day(13) + 40 * 60],
      [TO - 85 * 60, TO + 5 * 60],
    ],
    replica: [day(19), day(26)],
    clockSteps: [
      [FROM - BEFORE, 0],
      // Forward over midnight, and back; then back over midnight, and forward.
      [day(10) - 2 * HOUR, 3 * HOUR],
      [day(10) - HOUR, 0],
      [day(11) - 10 * 60, -HOUR],
      [day(11.5), 0],
    ],
    balance: [
      [FROM - BEFORE, 100_000],
      [day(1.5), 130_000],
      [day(9), 30_000],
      [day(16), 91_000],
      [day(30), 90_500],
    ],
  };

  /** Rentals and outages at random, none of which falls together with what nobody could see. */
  function busyLife(own: Random): Pick<Script, 'rentals' | 'outages'> {
    const rentals: [number, string][] = [];
    const outages: Span[] = [];
    for (let at = FROM - BEFORE; at < TO; at += between(own, 2, 30) * HOUR + between(own, 0, 3599))
      rentals.push([at, pick(own, ['sold', 'sold', 'idle', 'self_rented'])]);
    for (let at = FROM; at < TO; at += between(own, 20, 90) * HOUR) {
      const end = at + pick(own, [25 * 60, 50 * 60, 5 * HOUR, 14 * HOUR]);
      if (day(5) > end || at > day(5.1)) outages.push([at + 17, end]);
    }
    return { rentals, outages };
  }
}
