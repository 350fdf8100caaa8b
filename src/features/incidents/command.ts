import { createTimeZone, localText } from '../../base/time-zone.ts';
import { type Command, defineCommand, formatTable } from '../../cli/command.ts';
import { EXPORTER_URLS, forEachExporter, LOGIN_FILE, loadOwn } from '../../cli/own-exporter.ts';
import { printTable, TABLE_OPTIONS } from '../../cli/table.ts';
import { ConfigError } from '../../config/messages.ts';
import { setting } from '../../config/settings.ts';
import { oneOf, parsedText, pattern, wholeNumber } from '../../config/values.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { durationText } from '../../fleet/freshness.ts';
import { incidentTitle } from '../../fleet/words.ts';
import {
  BY,
  INCIDENT_CHANGE,
  INCIDENTS_DOCUMENT,
  type IncidentStatistics,
  STATISTICS_DOCUMENT,
} from './document.ts';
import { incidentEnd, incidentSubject, soldText } from './words.ts';

const name = parsedText('a name', (value) => ({ value })).optional();

/** Prints the incidents of the last days from the running daemon, or numbers about them. */
const list = defineCommand({
  options: {
    days: setting(wholeNumber(1, 400), { description: 'Number of days.', default: 31 }),
    by: setting(pattern('group, phone, month or tag:NAME', BY).optional(), {
      description:
        'Prints numbers by group, phone, month or tag:NAME, each beside as much time before, instead of incidents.',
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
    return await printTable('/api/v1/incidents', query, table, { own, io }, (content) =>
      tableOf(content, io.clock.now(), own.config.time_zone),
    );
  },
});

/** Returns the incidents of a response as a table; undefined for another response. */
function incidentTable(content: string, now: number, timeZone: string): string | undefined {
  const document = parseDocument(INCIDENTS_DOCUMENT, content);
  if (document === undefined) return undefined;
  const zone = createTimeZone(timeZone);
  if (document.incidents.length === 0) return 'No incidents.\n';
  const rows = document.incidents.map((incident) => [
    localText(zone, Date.parse(incident.since ?? '')),
    incidentTitle(incident),
    incidentSubject(incident),
    incidentEnd(incident, now),
    soldText(incident) || '-',
    incident.acknowledgedBy ?? '-',
    incident.id,
  ]);
  return formatTable(['since', 'incident', 'subject', 'lasted', 'sold', 'acknowledged by', 'id'], rows);
}

/** Returns the numbers of a response as a table; undefined for another response. */
function statisticsTable(content: string): string | undefined {
  const document = parseDocument(STATISTICS_DOCUMENT, content);
  if (document === undefined) return undefined;
  const text = (seconds: number | undefined): string => (seconds === undefined ? '-' : durationText(seconds));
  const beside = (now: string, before: string): string => `${now} (${before})`;
  const rows = document.rows.map(({ before, ...now }: IncidentStatistics) => [
    now.name,
    beside(String(now.incidents), String(before.incidents)),
    beside(text(now.soldOfflineSeconds), text(before.soldOfflineSeconds)),
    beside(text(now.acknowledgeSeconds), text(before.acknowledgeSeconds)),
    beside(text(now.repairSeconds), text(before.repairSeconds)),
    text(now.worstRepairSeconds),
  ]);
  const head = ['', 'incidents (before)', 'sold time offline', 'to acknowledge', 'to repair', 'longest'];
  return formatTable(head, rows);
}

const CHANGE = {
  url: EXPORTER_URLS,
  login_file: LOGIN_FILE,
};

/** Sends a change to the daemons. */
const change = (body: object): Command =>
  defineCommand({
    options: CHANGE,
    run: async ({ flags, options }, io) =>
      await forEachExporter(await loadOwn(flags, io), options, io, async (ask) => {
        const { status, content } = await ask('POST', '/api/v1/incidents', body);
        const response = parseDocument(INCIDENT_CHANGE, content);
        return status === 200 && response !== undefined
          ? { output: `${response.text}\n` }
          : { error: content };
      }),
  });

/** `incidents`, `incidents acknowledge ID`, `incidents note ID TEXT` and `incidents note-phone PHONE TEXT`. */
export const incidents: Command = {
  options: list.options,
  run: async ([word, ...argv], io) => {
    const [subject, ...rest] = argv;
    const [text, ...others] = rest;
    switch (word) {
      case 'acknowledge':
        if (subject === undefined || subject.startsWith('-'))
          throw new ConfigError(['incidents acknowledge: expected the ID of an open incident']);
        return await change({ incident: subject, acknowledge: true }).run(rest, io);
      case 'note':
      case 'note-phone': {
        const expected = word === 'note' ? 'ID of an incident' : 'ID or label of a phone';
        if (subject === undefined || text === undefined || text.startsWith('--'))
          throw new ConfigError([`incidents ${word}: expected the ${expected}, and the note in quotes`]);
        const of = word === 'note' ? { incident: subject } : { device: subject };
        return await change({ ...of, note: text }).run(others, io);
      }
      default:
        if (word?.startsWith('-') === false)
          throw new ConfigError(['incidents: expected acknowledge, note or note-phone, or only flags']);
        return await list.run(word === undefined ? [] : [word, ...argv], io);
    }
  },
};
