import { reasonOf } from '../../base/outbound.ts';
import { createTimeZone, localText } from '../../base/time-zone.ts';
import { defineCommand, formatTable } from '../../cli/command.ts';
import { EXPORTER_URL, LOGIN_FILE, loadOwn, readLogin, requestsTo } from '../../cli/own-exporter.ts';
import { setting } from '../../config/settings.ts';
import { oneOf, parsedText, pattern, wholeNumber } from '../../config/values.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { incidentTitle } from '../../fleet/words.ts';
import { SECOND } from '../../model/time.ts';
import { INCIDENTS_DOCUMENT } from './document.ts';
import { incidentEnd, incidentSubject, soldText } from './words.ts';

const name = parsedText('a name', (value) => ({ value })).optional();

/** Time in milliseconds in which the exporter reads the files of a year. */
const TIMEOUT = 60 * SECOND;

/** Prints the incidents of the last days from the running daemon. */
export const incidents = defineCommand({
  options: {
    days: setting(wholeNumber(1, 400), { description: 'Number of days.', default: 31 }),
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
    format: setting(oneOf(['table', 'csv', 'json']), { description: 'Output format.', default: 'table' }),
    separator: setting(oneOf(['comma', 'semicolon']), {
      description: 'CSV separator. Spreadsheets expect a semicolon if the decimal sign is a comma.',
      default: 'comma',
    }),
    url: EXPORTER_URL,
    login_file: LOGIN_FILE,
  },
  run: async ({ flags, options }, io) => {
    const { url: otherUrl, login_file: loginFile, format, separator, days, ...filters } = options;
    const { config, address } = await loadOwn(flags, io);
    const url = otherUrl ?? address;
    const login = loginFile === undefined ? undefined : await readLogin(loginFile, io);
    const form = format === 'csv' ? { format, separator } : { format: 'json' };
    const query = new URLSearchParams({ days: String(days), ...form });
    for (const [key, value] of Object.entries(filters)) if (value !== undefined) query.set(key, value);
    try {
      const { status, content } = await requestsTo(url, login, TIMEOUT)('GET', `/api/v1/incidents?${query}`);
      const document = format === 'table' ? parseDocument(INCIDENTS_DOCUMENT, content) : undefined;
      if (status === 200 && (format !== 'table' || document !== undefined)) {
        const zone = createTimeZone(config.time_zone);
        const now = io.clock.now();
        const rows = (document?.incidents ?? []).map((incident) => [
          localText(zone, Date.parse(incident.since ?? '')),
          incidentTitle(incident),
          incidentSubject(incident),
          incidentEnd(incident, now),
          soldText(incident) || '-',
        ]);
        await io.print(
          document === undefined
            ? content
            : formatTable(['since', 'incident', 'subject', 'lasted', 'sold'], rows),
        );
        return 0;
      }
      io.printError(`hoster-exporter: ${url.origin}: ${content.trim() || `status ${status}`}\n`);
    } catch (error) {
      io.printError(`hoster-exporter: ${url.origin} did not respond (${reasonOf(error)})\n`);
    }
    return 1;
  },
});
