import * as z from 'zod';
import type { TableColumn } from '../../base/spreadsheet.ts';
import { createTimeZone } from '../../base/time-zone.ts';
import { type Command, defineCommand, subcommands } from '../../cli/command.ts';
import { EXPORTER_OPTIONS, requestOfEach } from '../../cli/own-exporter.ts';
import { formatColumns } from '../../cli/table.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { duration, formatDuration, onOff, parsedText } from '../../config/values.ts';
import { fleetParser } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { localTimes, type TimeText } from '../../fleet/freshness.ts';
import { splitNames } from '../../model/text.ts';
import { say } from '../../text/say.ts';
import { type FleetMaintenance, MAINTENANCE_RESPONSE, MAX_DURATION, MIN_DURATION } from './model.ts';
import { untilText } from './words.ts';

/* `maintenance start`, `list` and `end`: requests to running daemons. Each replica needs its own request. */

const names = (what: string) =>
  setting(parsedText(`${what}, separated by commas`, (text) => ({ value: splitNames(text) })).optional(), {
    description: `${what}, separated by commas; a name with a comma in quotes: '"Kyiv, rack 1",rack-02'.`,
  });

const text = (description: string, example: string) =>
  setting(z.string().min(1).optional(), { description, example });

const START = {
  ...EXPORTER_OPTIONS,
  account: names('Names of accounts'),
  group: names('Groups of phones'),
  device: names('Phones, by ID or label'),
  all: setting(onOff, { description: 'All phones.', default: false }),
  for: setting(duration(MIN_DURATION, MAX_DURATION).optional(), { description: 'Duration.', example: '2h' }),
  until: text('End, such as 2026-12-01T08:00, in the time zone of the exporter.', '2026-12-01T08:00'),
  until_back: setting(onOff, {
    description: 'End it for each phone once it has gone offline and come back; after 7 days at the latest.',
    default: false,
  }),
  reason: text('Reason, shown to others.', 'moving'),
};

const start = defineCommand({
  options: START,
  run: async ({ flags, options }, io) => {
    const { account, group, device, all, until, until_back, reason } = options;
    const selections = [account ?? group ?? device, all || undefined];
    const ends = [options.for, until, until_back || undefined];
    const isOne = (given: readonly unknown[]) => given.filter((each) => each !== undefined).length === 1;
    if (!isOne(selections) || !isOne(ends))
      throw new ConfigError([
        'maintenance start: expected --group, --device or --account, or --all alone, and one of --for, --until and --until-back',
      ]);
    const scope = { accounts: account, groups: group, devices: device, all: all || undefined };
    const body = { ...scope, for: options.for && formatDuration(options.for), until, until_back, reason };
    const run = requestOfEach(['POST', '/api/v1/maintenance', body], (content) => {
      const response = parseDocument(MAINTENANCE_RESPONSE, content);
      return response && `${response.id}: ${response.covers}: ${response.text}\n`;
    });
    return await run({ flags, options }, io);
  },
});

const end = (id: string): Command =>
  defineCommand({
    options: EXPORTER_OPTIONS,
    run: requestOfEach(['DELETE', `/api/v1/maintenance?id=${encodeURIComponent(id)}`], (content) => {
      const response = parseDocument(MAINTENANCE_RESPONSE, content);
      return response && `${response.id}: ${response.text}\n`;
    }),
  });

const columnsOf = (time: TimeText): readonly TableColumn<FleetMaintenance>[] => [
  { title: say('maintenance-column-id'), cell: ({ id }) => id },
  { title: say('maintenance-column-covers'), cell: ({ covers }) => covers },
  { title: say('maintenance-column-phones'), cell: ({ phones }) => phones },
  { title: say('maintenance-column-offline'), cell: ({ offlinePhones }) => offlinePhones },
  {
    title: say('maintenance-column-until'),
    cell: (each) => (each.untilBack ? untilText(each, time).replace(/^until /, '') : time(each.until)),
  },
  { title: say('maintenance-column-by'), cell: ({ by }) => by || say('maintenance-configuration') },
  { title: say('maintenance-column-reason'), cell: ({ reason }) => reason },
];

const list = defineCommand({
  options: EXPORTER_OPTIONS,
  run: requestOfEach(['GET', '/api/v1/fleet?phones=no'], (content, { features }) => {
    const fleet = fleetParser(features)(content);
    if (fleet === undefined) return undefined;
    const { exporter, maintenance: all } = fleet;
    if (all.length === 0) return `${say('maintenance-none')}\n`;
    return formatColumns(columnsOf(localTimes(createTimeZone(exporter.timeZone))), all);
  }),
});

/** `maintenance start`, `list` or `end ID`. */
export const maintenance: Command = subcommands(
  'maintenance',
  {
    start: { command: () => start },
    list: { command: () => list },
    end: { words: ['an ID from `maintenance list`'], command: (id = '') => end(id) },
  },
  START,
);
