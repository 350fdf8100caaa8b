import { dirname, join } from 'node:path';
import { dateAt } from '../../base/time-zone.ts';
import type { Feature } from '../../cli/command.ts';
import type { Config } from '../../config/schema.ts';
import type { NamedAccount } from '../../model/account.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { SECOND } from '../../model/time.ts';
import { DAYS } from './days.ts';
import { createMonthKeeper, unwrittenDays } from './files.ts';
import { createMonthResponse } from './route.ts';
import { MONTHS } from './settings.ts';
import { monthTalk } from './talk.ts';

/** Time between two looks if a local day is over. */
const LOOK_MILLISECONDS = 15 * SECOND;

/** The month: what the time of each phone went to, in a file for each local day. */
export const month: Feature = {
  name: 'month',
  settings: [MONTHS],
  commands: [
    {
      name: 'month',
      summary:
        'Prints what the time of each phone went to in a month, from the running daemon or month files.',
      load: async () => (await import('./command.ts')).month,
    },
  ],
  talk: () => monthTalk,
  create: (daemon) => {
    const { snapshot, timeZone } = daemon;
    const directory = directoryOf(daemon.config());
    const accounts = () => namedAccounts(snapshot());
    const { keep } = MONTHS.of(daemon.config());
    const look =
      directory === undefined ? undefined : createMonthKeeper({ ...daemon, directory, keep, accounts });
    return {
      judgement: () => ({ parts: [DAYS.bind(undefined)] }),
      routes: () => [
        [
          '/api/v1/month',
          {
            methods: ['GET'],
            answer: createMonthResponse({
              ...daemon,
              directory,
              present: () => dateAt(timeZone(), daemon.now()).slice(0, 7),
              unwritten: (wanted) => unwrittenDays(accounts(), timeZone(), wanted),
              prices: () => daemon.config().prices,
              properties: () => propertyNames(snapshot()),
            }),
          },
        ],
      ],
      ...(look && { work: { every: LOOK_MILLISECONDS, run: look } }),
    };
  },
};

/** Returns the folder of the month files; undefined where none are kept. */
function directoryOf(config: Config): string | undefined {
  const { file } = config.state;
  return MONTHS.of(config).directory ?? (file && join(dirname(file), 'months'));
}

function namedAccounts({ accounts }: Snapshot): readonly NamedAccount[] {
  return accounts.map(({ name, known }) => ({ name, account: known }));
}

/** Lists the names of the properties that phones have. */
function propertyNames({ accounts }: Snapshot): readonly string[] {
  const devices = accounts.flatMap(({ known }) => [...(known.fleet?.devices.values() ?? [])]);
  return [...new Set(devices.flatMap(({ properties }) => [...properties.keys()]))].toSorted();
}
