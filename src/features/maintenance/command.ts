import * as z from 'zod';
import { createTimeZone, localText } from '../../base/time-zone.ts';
import { type Command, defineCommand, formatTable } from '../../cli/command.ts';
import { EXPORTER_URLS, forEachExporter, LOGIN_FILE, loadOwn } from '../../cli/own-exporter.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { duration, formatDuration, onOff, parsedText } from '../../config/values.ts';
import { FLEET_DOCUMENT } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { splitNames } from '../../model/text.ts';
import { MAINTENANCE_RESPONSE, MAX_DURATION, MIN_DURATION } from './model.ts';
import { untilText } from './words.ts';

/*
 * `maintenance start`, `list` and `end`: requests to running daemons. Each replica needs its own request.
 */

const list = (what: string) =>
  setting(parsedText(`${what}, separated by commas`, (text) => ({ value: splitNames(text) })).optional(), {
    description: `${what}, separated by commas; a name with a comma in quotes: '"Kyiv, rack 1",rack-02'.`,
  });

const text = (description: string, example: string) =>
  setting(z.string().min(1).optional(), { description, example });

/** Addresses of the daemons, and the login. */
const ADDRESS = {
  url: EXPORTER_URLS,
  login_file: LOGIN_FILE,
};

const START = {
  ...ADDRESS,
  account: list('Names of accounts'),
  group: list('Groups of phones'),
  device: list('Phones, by ID or label'),
  all: setting(onOff, { description: 'All phones.', default: false }),
  for: setting(duration(MIN_DURATION, MAX_DURATION).optional(), { description: 'Duration.', example: '2h' }),
  until: text('End, such as 2026-12-01T08:00, in the time zone of the exporter.', '2026-12-01T08:00'),
  until_back: setting(onOff, {
    description: 'End it for each phone that was offline and is back online, after at most 7 days.',
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
    return await forEachExporter(await loadOwn(flags, io), options, io, async (ask) => {
      const { status, content } = await ask('POST', '/api/v1/maintenance', body);
      const response = parseDocument(MAINTENANCE_RESPONSE, content);
      if (status !== 201 || response === undefined) return { error: content };
      return { output: `${response.id}: ${response.covers}: ${response.text}\n` };
    });
  },
});

const end = (id: string): Command =>
  defineCommand({
    options: ADDRESS,
    run: async ({ flags, options }, io) =>
      await forEachExporter(await loadOwn(flags, io), options, io, async (ask) => {
        const { status, content } = await ask('DELETE', `/api/v1/maintenance?id=${encodeURIComponent(id)}`);
        const response = parseDocument(MAINTENANCE_RESPONSE, content);
        return status === 200 && response !== undefined
          ? { output: `${response.id}: ${response.text}\n` }
          : { error: content };
      }),
  });

const HEADINGS = ['id', 'covers', 'phones', 'offline', 'until', 'by', 'reason'];

const listAll = defineCommand({
  options: ADDRESS,
  run: async ({ flags, options }, io) =>
    await forEachExporter(await loadOwn(flags, io), options, io, async (ask) => {
      const { status, content } = await ask('GET', '/api/v1/fleet?phones=no');
      const response = parseDocument(FLEET_DOCUMENT, content);
      if (status !== 200 || response === undefined) return { error: content };
      if (response.maintenance.length === 0) return { output: 'No phone is in maintenance.\n' };
      const timeZone = createTimeZone(response.exporter.timeZone);
      const time = (instant = ''): string => localText(timeZone, Date.parse(instant));
      const rows = response.maintenance.map((each) => [
        each.id,
        each.covers,
        String(each.phones),
        String(each.offlinePhones),
        untilText(each, time).replace(/^until /, ''),
        each.by || 'configuration',
        each.reason,
      ]);
      return { output: formatTable(HEADINGS, rows) };
    }),
});

/** `maintenance start`, `list` or `end ID`. */
export const maintenance: Command = {
  options: START,
  run: async ([word, ...argv], io) => {
    switch (word) {
      case 'start':
        return await start.run(argv, io);
      case 'list':
        return await listAll.run(argv, io);
      case 'end': {
        const [id, ...rest] = argv;
        if (id === undefined || id.startsWith('-'))
          throw new ConfigError(['maintenance end: expected an ID from `maintenance list`']);
        return await end(id).run(rest, io);
      }
      default:
        throw new ConfigError([
          'maintenance: expected start, list or end. See hoster-exporter maintenance --help',
        ]);
    }
  },
};
