import { dirname, join } from 'node:path';
import { dateAt } from '../../base/time-zone.ts';
import type { Feature } from '../../cli/command.ts';
import { defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import { parseAbsolutePath, parsedText, wholeNumber } from '../../config/values.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { SECOND } from '../../model/time.ts';
import { monthChat } from './chat.ts';
import { DAYS } from './days.ts';
import { createMonthKeeper, unwrittenDays } from './files.ts';
import { createMonthResponse } from './route.ts';

const MONTHS = defineSection('months', {
  directory: setting(
    parsedText('an absolute path such as /var/lib/hoster-exporter/months', (text) =>
      parseAbsolutePath(text, '/var/lib/hoster-exporter/months'),
    ).optional(),
    {
      needsRestart: true,
      description:
        'Folder of the month files: one for each local day, with a line for each phone; by default the folder months beside state.file, if that is set.',
      example: '/var/lib/hoster-exporter/months',
    },
  ),
  keep: setting(wholeNumber(1, 1200), {
    needsRestart: true,
    description: 'Number of months to keep; the oldest are removed.',
    default: 14,
    example: '26',
  }),
});

/** Time between two checks for the end of a local day. */
const CHECK_MILLISECONDS = 15 * SECOND;

/** Monthly report: hours sold, offline and idle of each phone, in a file for each local day. */
export const month: Feature = {
  name: 'month',
  settings: [MONTHS],
  commands: [
    {
      name: 'month',
      summary: 'Prints the monthly report: hours sold, offline and idle of each phone.',
      load: async () => (await import('./command.ts')).month,
    },
  ],
  chat: () => monthChat,
  create: (daemon) => {
    const { snapshot, timeZone } = daemon;
    const { file } = daemon.config().state;
    const { keep, directory = file && join(dirname(file), 'months') } = MONTHS.of(daemon.config());
    const accounts = () => snapshot().accounts.map(({ name, known }) => ({ name, account: known }));
    const check =
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
      ...(check && { work: { every: CHECK_MILLISECONDS, run: check } }),
    };
  },
};

/** Lists the names of the properties of phones. */
function propertyNames({ accounts }: Snapshot): readonly string[] {
  const devices = accounts.flatMap(({ known }) => [...(known.fleet?.devices.values() ?? [])]);
  return [...new Set(devices.flatMap(({ properties }) => [...properties.keys()]))].toSorted();
}
