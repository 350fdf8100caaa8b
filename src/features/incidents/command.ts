import { createTimeZone } from '../../base/time-zone.ts';
import { type Command, defineCommand, formatTable, subcommands } from '../../cli/command.ts';
import { EXPORTER_OPTIONS, loadOwn, requestOfEach } from '../../cli/own-exporter.ts';
import { groupingAmong, printTable, TABLE_OPTIONS } from '../../cli/table.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { oneOf, parsedText, pattern, wholeNumber } from '../../config/values.ts';
import { describeIncident } from '../../fleet/describe.ts';
import type { FleetDocument } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { durationText, localTimes } from '../../fleet/freshness.ts';
import { groupingsText } from '../../fleet/grouping.ts';
import { personOf } from '../../fleet/words.ts';
import { say } from '../../text/say.ts';
import { BY, INCIDENT_CHANGE, INCIDENTS_DOCUMENT, STATISTICS_DOCUMENT } from './document.ts';
import { isBeforeKnown, rowName } from './words.ts';

const name = parsedText('a name', (value) => ({ value })).optional();

/** Prints the running daemon's incidents of the last days, or numbers about them. */
const list = defineCommand({
  options: {
    days: setting(wholeNumber(1, 400), { description: 'Number of days.', default: 31 }),
    by: setting(groupingAmong(BY).optional(), {
      description: `Prints numbers by ${groupingsText(BY)}, each next to the period of the same length before it, instead of incidents.`,
      example: 'group',
    }),
    group: setting(name, { description: 'Only incidents of this group.', example: 'rack-03' }),
    device: setting(name, {
      description: 'Only incidents of the phone with this id or label.',
      example: 'rack-03/slot-04',
    }),
    problem: setting(pattern('a problem such as sold_offline', /^[a-z_]+$/).optional(), {
      description: 'Only incidents of this problem.',
      example: 'sold_offline',
    }),
    open: setting(oneOf(['true', 'false']).optional(), {
      description: 'Only open or only resolved incidents.',
    }),
    ...TABLE_OPTIONS,
  },
  run: async ({ flags, options }, io) => {
    const { days, by, group, device, problem, open, ...table } = options;
    if (by !== undefined && table.format === 'csv')
      throw new ConfigError(['incidents: --by has no CSV: use --format=table or --format=json']);
    const own = await loadOwn(flags, io);
    const query = { days: String(days), by, group, device, problem, open };
    const tableOf = by === undefined ? incidentTable : statisticsTable;
    const isSelected = [group, device, problem, open].some((each) => each !== undefined);
    return await printTable('/api/v1/incidents', query, table, { own, io }, (content, fleet) =>
      tableOf(content, fleet, io.clock.now(), isSelected),
    );
  },
});

/** Returns the incidents of a response as a table; undefined for another response. */
function incidentTable(
  content: string,
  fleet: FleetDocument,
  now: number,
  isSelected: boolean,
): string | undefined {
  const document = parseDocument(INCIDENTS_DOCUMENT, content);
  if (document === undefined) return undefined;
  const { incidents, from } = document;
  const time = localTimes(createTimeZone(fleet.exporter.timeZone));
  const since = time(from);
  const none = isSelected
    ? say('incidents-none-such-since', { time: since })
    : say('incidents-none-since', { time: since });
  if (incidents.length === 0) return `${none}\n`;
  const rows = incidents.map((incident) => {
    const { title, name, counts, since, lasted, end } = describeIncident(incident, fleet, now, time);
    const { acknowledgedAt, acknowledgedBy } = incident;
    const by = acknowledgedAt === undefined ? '-' : personOf(acknowledgedBy, say('incidents-somebody-small'));
    return [
      time(since),
      title,
      name || '-',
      `${lasted}, ${end || say('incidents-still-open')}`,
      counts || '-',
      by,
      incident.id,
    ];
  });
  const columns = ['since', 'incident', 'subject', 'lasted', 'phones', 'acknowledged', 'id'] as const;
  return formatTable(
    columns.map((column) => say(`incidents-column-${column}`)),
    rows,
  );
}

/** Returns the numbers of a response as a table; undefined for another response. */
function statisticsTable(content: string, fleet: FleetDocument, now: number): string | undefined {
  const document = parseDocument(STATISTICS_DOCUMENT, content);
  if (document === undefined) return undefined;
  const text = (seconds: number | undefined): string => (seconds === undefined ? '-' : durationText(seconds));
  const isCompared = isBeforeKnown(document.from, document.knownFrom, now);
  const beside = (own: string, before: string): string => `${own} (${isCompared ? before : '-'})`;
  const rows = document.rows.map(({ before, ...own }) => [
    rowName(own, fleet),
    beside(String(own.incidents), String(before.incidents)),
    beside(text(own.soldOfflineSeconds), text(before.soldOfflineSeconds)),
    beside(text(own.acknowledgeSeconds), text(before.acknowledgeSeconds)),
    beside(text(own.repairSeconds), text(before.repairSeconds)),
    text(own.worstRepairSeconds),
  ]);
  const columns = ['before', 'sold', 'acknowledge', 'repair', 'longest'] as const;
  return formatTable(['', ...columns.map((column) => say(`incidents-column-${column}`))], rows);
}

const ACCOUNT = setting(name, {
  description: 'Account, if several have an incident with this ID or a phone with this name.',
  example: 'main',
});

/** Sends a change to the daemons. */
const change = (body: object): Command =>
  defineCommand({
    options: { ...EXPORTER_OPTIONS, account: ACCOUNT },
    run: async (given, io) => {
      const { account } = given.options;
      const run = requestOfEach(['POST', '/api/v1/incidents', { ...body, account }], (content) => {
        const response = parseDocument(INCIDENT_CHANGE, content);
        return response && `${response.text}\n`;
      });
      return await run(given, io);
    },
  });

const INCIDENT = 'the ID of an incident';
const OPEN = 'the ID of an open incident';
const PHONE = 'the ID or label of a phone';

/** An action that sends a change: a subject and a note are the words that follow it. */
const action = (words: readonly string[], bodyOf: (subject: string, note: string) => object) => ({
  words,
  command: (subject: string, note: string) => change(bodyOf(subject, note)),
});
const add = 'the note in quotes';
const correct = 'the text for its last note in quotes';
const replaces = 'last';

/** `incidents`, and `incidents` with an action on an incident, or on the notes on an incident or a phone. */
export const incidents: Command = subcommands(
  'incidents',
  {
    acknowledge: action([OPEN], (incident) => ({ incident, acknowledge: true })),
    unacknowledge: action([OPEN], (incident) => ({ incident, acknowledge: false })),
    note: action([INCIDENT, add], (incident, note) => ({ incident, note })),
    'note-phone': action([PHONE, add], (device, note) => ({ device, note })),
    'correct-note': action([INCIDENT, correct], (incident, note) => ({ incident, note, replaces })),
    'correct-note-phone': action([PHONE, correct], (device, note) => ({ device, note, replaces })),
    'remove-note': action([INCIDENT], (incident) => ({ incident, note: '', replaces })),
    'remove-note-phone': action([PHONE], (device) => ({ device, note: '', replaces })),
  },
  list.options,
  list,
);
