import { dirname, join } from 'node:path';
import type { Feature } from '../../cli/command.ts';
import { defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import { absolutePath, duration, wholeNumber } from '../../config/values.ts';
import { createChanges } from '../../daemon/changes.ts';
import { incidentName } from '../../fleet/describe.ts';
import { type FleetPhone, incidentOf } from '../../fleet/document.ts';
import { currencies } from '../../fleet/money.ts';
import { incidentTitle, personOf } from '../../fleet/words.ts';
import { refusalOf } from '../../http/permission.ts';
import type { Sender } from '../../http/reply.ts';
import { sectionFamilies } from '../../metrics/families.ts';
import { experimental, freeText, gauge, type Row, samples, seconds } from '../../metrics/row.ts';
import type { Account } from '../../model/account.ts';
import type { Incident } from '../../model/incident.ts';
import { DAY, MINUTE, SECOND } from '../../model/time.ts';
import { changeLogbook } from './changes.ts';
import { incidentsChat } from './chat.ts';
import { INCIDENT_FIELDS } from './document.ts';
import { createEscalation } from './escalation.ts';
import { acknowledgementOf, factsOf, LOGBOOK, logbookWith, type Note } from './memory.ts';
import { createIncidentsResponse } from './route.ts';
import { createIncidentKeeper, type KeptIncident, notesOf, withFacts } from './store.ts';

const INCIDENTS = defineSection('incidents', {
  directory: setting(absolutePath('/var/lib/hoster-exporter/incidents').optional(), {
    needsRestart: true,
    description:
      'Folder of the incident files: one for each local month, with a line for each resolved incident; by default the folder incidents next to state.file, if that is set.',
    example: '/var/lib/hoster-exporter/incidents',
  }),
  keep: setting(wholeNumber(1, 1200), {
    needsRestart: true,
    description: 'Number of months to keep; the oldest are removed.',
    default: 14,
    example: '26',
  }),
});

const ALERTS = defineSection('alerts', {
  escalate_after: setting(duration(MINUTE, DAY).optional(), {
    description:
      'Time after which a critical incident that nobody has acknowledged is escalated: an alert with the label escalated="true" fires, so that a route can notify a second person. Off by default.',
    example: '15m',
  }),
});

/** Time between two checks for resolved incidents. */
const CHECK_MILLISECONDS = 5 * SECOND;

/** Metrics of an open incident. */
const INCIDENT_ROWS: readonly Row<{ readonly account: Account; readonly incident: Incident }>[] = [
  gauge(
    'hoster_incident_acknowledged_timestamp_seconds',
    'When somebody acknowledged the incident, in seconds since 1970. Absent until then.',
    ({ account, incident }) =>
      seconds(acknowledgementOf(factsOf(account, incident.id), incident.openedAt)?.at),
  ),
  experimental(
    samples(
      'hoster_incident_info',
      'Always 1; the labels describe an open incident: its alert, its severity, its title and its subject for people, and who is on it, empty for nobody.',
      ['alert', 'severity', 'title', 'subject', 'acknowledged_by'],
      ({ account, incident }) => {
        const open = incidentOf('', incident);
        const by = acknowledgementOf(factsOf(account, incident.id), incident.openedAt)?.by;
        const who = by === undefined ? '' : freeText(personOf(by)) || 'somebody';
        const title = incidentTitle(open).replace(/^./, (letter) => letter.toUpperCase());
        // The account has its own label, so the name does not repeat it.
        return [[1, open.alert, open.severity, title, incidentName(open, { accounts: [] }), who]];
      },
    ),
  ),
  experimental(
    gauge(
      'hoster_incident_escalated',
      '1 while nobody has acknowledged a critical incident in time (alerts.escalate_after). Absent otherwise.',
      ({ account, incident }) => (factsOf(account, incident.id).isEscalated ? 1 : undefined),
    ),
  ),
  experimental(
    samples(
      'hoster_incident_note_info',
      'Always 1; the label is the last note on an open incident.',
      ['text'],
      ({ account, incident }) => lastNote(factsOf(account, incident.id).notes),
    ),
  ),
];

const PHONE_ROWS: readonly Row<readonly Note[]>[] = [
  experimental(
    samples(
      'hoster_device_note_info',
      'Always 1; the label is the last note on a phone.',
      ['text'],
      lastNote,
    ),
  ),
];

function lastNote(notes: readonly Note[]): readonly (readonly [number, string])[] {
  return notes.slice(-1).map(({ text }) => [1, freeText(text)] as const);
}

/** The logbook: what happened, when, where and for how long, who was on it, and notes. Kept as long as the months. */
export const incidents: Feature = {
  name: 'incidents',
  fields: INCIDENT_FIELDS,
  settings: [INCIDENTS, ALERTS],
  families: () => [
    ...sectionFamilies({
      rows: INCIDENT_ROWS,
      idLabel: 'incident',
      subjects: ({ known }) =>
        known.incidents.open.map((incident) => [incident.id, { account: known, incident }] as const),
    }),
    ...sectionFamilies({
      rows: PHONE_ROWS,
      idLabel: 'device_id',
      subjects: ({ known }) => [...LOGBOOK.of(known).phones],
    }),
  ],
  commands: [
    {
      name: 'incidents',
      summary:
        'Prints the incidents of the last days. Also: acknowledge ID, unacknowledge ID, note ID TEXT, note-phone PHONE TEXT, and correct- and remove- in front of note.',
      load: async () => (await import('./command.ts')).incidents,
    },
  ],
  chat: () => incidentsChat,
  create: (daemon) => {
    const { file } = daemon.config().state;
    const { keep, directory = file && join(dirname(file), 'incidents') } = INCIDENTS.of(daemon.config());
    const present = () => daemon.snapshot().accounts.map(({ name, known }) => ({ name, account: known }));
    // A removed account's incidents stay in the logbook.
    const accounts = () => [...present(), ...daemon.removed()];
    const currencyOf = (name: string) => currencies(daemon.snapshot().accounts)(name);
    const keeper =
      directory === undefined ? undefined : createIncidentKeeper({ ...daemon, directory, keep, accounts });
    const answer = createIncidentsResponse({ ...daemon, directory, accounts, currencyOf });
    const changes = createChanges(LOGBOOK, logbookWith, daemon);
    const escalate = createEscalation({
      ...daemon,
      accounts: present,
      escalateAfter: () => ALERTS.of(daemon.config()).escalate_after,
      timeOf: changes.now,
    });
    const sources = {
      changes,
      log: daemon.log,
      timeZone: daemon.timeZone,
      accounts: () => daemon.snapshot().accounts,
      refusal: (sender: Sender) => refusalOf(sender, daemon.config().web),
      rewrite: async (change: (kept: KeptIncident) => readonly KeptIncident[]) =>
        await keeper?.rewrite(change),
    };
    return {
      judgement: (account) => ({
        parts: [LOGBOOK.bind({ prices: daemon.config().prices, currency: currencyOf(account) })],
      }),
      routes: () => [
        [
          '/api/v1/incidents',
          {
            methods: ['GET', 'POST'],
            answer: async (request) =>
              request.method === 'POST' ? await changeLogbook(request, sources) : await answer(request),
          },
        ],
      ],
      document: ({ incidents: all, phones }) => {
        const known = new Map(present().map(({ name, account }) => [name, account]));
        return {
          incidents: all.map((incident) => {
            const account = known.get(incident.account);
            return account === undefined ? incident : withFacts(account, incident);
          }),
          phones: withNotes(phones, known),
        };
      },
      saved: changes.withPending,
      work: {
        every: CHECK_MILLISECONDS,
        run: async () => {
          await escalate();
          await keeper?.run();
        },
      },
    };
  },
};

/** Adds the notes to the phones. Mostly there are none, and up to 100,000 phones stay as they are. */
function withNotes(
  phones: readonly FleetPhone[],
  accounts: ReadonlyMap<string, Account>,
): readonly FleetPhone[] {
  const all = new Map(Array.from(accounts, ([name, account]) => [name, LOGBOOK.of(account).phones]));
  if ([...all.values()].every((notes) => notes.size === 0)) return phones;
  return phones.map((phone) => {
    const notes = all.get(phone.account)?.get(phone.id);
    return notes === undefined ? phone : { ...phone, notes: notesOf(notes) };
  });
}
