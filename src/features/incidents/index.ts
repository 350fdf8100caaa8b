import { dirname, join } from 'node:path';
import type { Feature } from '../../cli/command.ts';
import { defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import { parseAbsolutePath, parsedText, wholeNumber } from '../../config/values.ts';
import { SECOND } from '../../model/time.ts';
import { incidentsChat } from './chat.ts';
import { createIncidentsResponse } from './route.ts';
import { createIncidentKeeper } from './store.ts';

const INCIDENTS = defineSection('incidents', {
  directory: setting(
    parsedText('an absolute path such as /var/lib/hoster-exporter/incidents', (text) =>
      parseAbsolutePath(text, '/var/lib/hoster-exporter/incidents'),
    ).optional(),
    {
      needsRestart: true,
      description:
        'Folder of the incident files: one for each local month, with a line for each resolved incident; by default the folder incidents beside state.file, if that is set.',
      example: '/var/lib/hoster-exporter/incidents',
    },
  ),
  keep: setting(wholeNumber(1, 1200), {
    needsRestart: true,
    description: 'Number of months to keep; the oldest are removed.',
    default: 14,
    example: '26',
  }),
});

/** Time between two looks at the resolved incidents. */
const CHECK_MILLISECONDS = 5 * SECOND;

/** The logbook: what happened, when, where and for how long, kept as long as the months. */
export const incidents: Feature = {
  name: 'incidents',
  settings: [INCIDENTS],
  commands: [
    {
      name: 'incidents',
      summary: 'Prints the incidents of the last days: what, where, since when and how long.',
      load: async () => (await import('./command.ts')).incidents,
    },
  ],
  chat: () => incidentsChat,
  create: (daemon) => {
    const { file } = daemon.config().state;
    const { keep, directory = file && join(dirname(file), 'incidents') } = INCIDENTS.of(daemon.config());
    const accounts = () => daemon.snapshot().accounts.map(({ name, known }) => ({ name, account: known }));
    const run =
      directory === undefined ? undefined : createIncidentKeeper({ ...daemon, directory, keep, accounts });
    const answer = createIncidentsResponse({ ...daemon, directory, accounts });
    return {
      routes: () => [['/api/v1/incidents', { methods: ['GET'], answer }]],
      ...(run && { work: { every: CHECK_MILLISECONDS, run } }),
    };
  },
};
