import { dirname, join } from 'node:path';
import { dateAt } from '../../base/time-zone.ts';
import type { Feature } from '../../cli/command.ts';
import { defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import { absolutePath, wholeNumber } from '../../config/values.ts';
import { sectionFamilies } from '../../metrics/families.ts';
import { experimental, type Row, type Sample, samples } from '../../metrics/row.ts';
import { propertyNames } from '../../model/fleet.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { SECOND } from '../../model/time.ts';
import { monthChat } from './chat.ts';
import { DAYS } from './days.ts';
import { createMonthKeeper, unwrittenDays } from './files.ts';
import { MONTH_TIMES } from './grouping.ts';
import { createMonthResponse } from './route.ts';

const MONTHS = defineSection('months', {
  directory: setting(absolutePath('/var/lib/hoster-exporter/months').optional(), {
    needsRestart: true,
    description:
      'Folder of the month files: one for each local day, with a line for each phone; by default the folder months next to state.file, if that is set.',
    example: '/var/lib/hoster-exporter/months',
  }),
  keep: setting(wholeNumber(1, 1200), {
    needsRestart: true,
    description: 'Number of months to keep; the oldest are removed.',
    default: 14,
    example: '26',
  }),
});

/** Time between two checks for the end of a local day. */
const CHECK_MILLISECONDS = 15 * SECOND;

const DAY_ROWS: readonly Row<AccountSnapshot>[] = [
  experimental(
    samples(
      'hoster_account_day_seconds',
      'Seconds that all phones of the account spent in each column of the monthly report on the last full local day; unknown is time without data. It changes once a day, after local midnight. Absent if that day was not watched, and without month files.',
      ['column'],
      ({ known }) => {
        const { dayBefore } = DAYS.of(known).at(-1) ?? {};
        return dayBefore === undefined
          ? []
          : MONTH_TIMES.map((column): Sample => [dayBefore[column] / SECOND, column]);
      },
    ),
  ),
];

/** Monthly report: each phone's sold, offline and idle hours, in a file per local day. */
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
  families: () => sectionFamilies({ rows: DAY_ROWS, subjects: (account) => [['', account]] }),
  chat: () => monthChat,
  create: (daemon) => {
    const { snapshot, timeZone } = daemon;
    const { file } = daemon.config().state;
    const { keep, directory = file && join(dirname(file), 'months') } = MONTHS.of(daemon.config());
    const accounts = () => snapshot().accounts.map(({ name, known }) => ({ name, account: known }));
    const check =
      directory === undefined ? undefined : createMonthKeeper({ ...daemon, directory, keep, accounts });
    const answer = createMonthResponse({
      ...daemon,
      directory,
      present: () => dateAt(timeZone(), daemon.now()).slice(0, 7),
      unwritten: (wanted) => unwrittenDays(accounts(), timeZone(), wanted),
      prices: () => daemon.config().prices,
      properties: () => propertyNames(snapshot().accounts.map(({ known }) => known.fleet)),
    });
    return {
      judgement: () => ({ parts: [DAYS.bind(undefined)] }),
      routes: () => [['/api/v1/month', { methods: ['GET'], answer }]],
      ...(check && { work: { every: CHECK_MILLISECONDS, run: check } }),
    };
  },
};
