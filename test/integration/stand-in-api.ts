import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { success, wireBalance, wireDevice, wirePage, wireTunnel } from '../unit/api/wire-fixtures.ts';

/** A phone of the stand-in: fields of the list, or functions of the present time that return them. */
export type StandInPhone = Readonly<Record<string, unknown>> & { readonly deviceId: string };

/** What the stand-in answers; a test changes it as it goes. */
export type StandInAnswers = {
  phones: readonly StandInPhone[];
  /** The last heartbeat of each phone, in milliseconds since 1970. */
  heartbeatAt: (deviceId: string) => number;
  /** Headers of each response. No `date` is sent unless it is among them. */
  headers: () => Readonly<Record<string, string>>;
  /** Time that each page of the list takes. */
  pageMilliseconds: number;
  pageSize: number;
  /** Changes the data of a page of the list, by its number. */
  changed: (page: WirePage, number: number) => unknown;
  availableCents: number;
};

type WirePage = Readonly<Record<string, unknown>> & {
  readonly items: readonly Readonly<Record<string, unknown>>[];
};

export type StandInApi = StandInAnswers & {
  readonly url: string;
  /** Resolves when so many polls of the list have ended: when the next one begins. */
  readonly listed: (polls: number) => Promise<void>;
  readonly close: () => void;
};

/** Starts a stand-in for the marketplace whose answers a test decides: a real server, and real sockets. */
export async function startStandInApi(own: Partial<StandInAnswers> = {}): Promise<StandInApi> {
  const answers: StandInAnswers = {
    phones: [],
    heartbeatAt: () => Date.now(),
    headers: () => ({ date: new Date().toUTCString() }),
    pageMilliseconds: 0,
    pageSize: 100,
    changed: (page) => page,
    availableCents: 1_000,
    ...own,
  };
  let begun = 0;
  const pageOf = async (number: number): Promise<unknown> => {
    if (number === 1) begun += 1;
    await setTimeout(answers.pageMilliseconds);
    const { phones, pageSize } = answers;
    const items = phones.slice((number - 1) * pageSize, number * pageSize).map((phone) =>
      wireDevice({
        rentalStatus: 'sold',
        selfRent: undefined,
        label: '',
        lastHeartbeatAt: new Date(answers.heartbeatAt(phone.deviceId)).toISOString(),
        ...phone,
      }),
    );
    const totalPages = Math.max(1, Math.ceil(phones.length / pageSize));
    return answers.changed(
      { ...wirePage(), items, total: phones.length, page: number, limit: pageSize, totalPages },
      number,
    );
  };
  const server = createServer(async ({ url = '' }, response) => {
    response.sendDate = false;
    const body = url.includes('/balance')
      ? wireBalance({ availableCents: answers.availableCents })
      : url.includes('/tunnel')
        ? wireTunnel()
        : await pageOf(Number(new URL(url, 'http://localhost').searchParams.get('page') ?? 1));
    response.writeHead(200, { 'content-type': 'application/json', ...answers.headers() });
    response.end(success(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return Object.assign(answers, {
    url: `http://127.0.0.1:${port}`,
    listed: async (polls: number) => {
      const before = begun;
      while (begun <= before + polls) await setTimeout(20);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

/** Phones of a rack, by number from 1. */
export function phonesOf(count: number, rack = 'rack-01'): readonly StandInPhone[] {
  return Array.from({ length: count }, (_, index) => ({
    deviceId: `phone-${String(index + 1).padStart(2, '0')}`,
    label: `${rack}/${index + 1}`,
  }));
}
