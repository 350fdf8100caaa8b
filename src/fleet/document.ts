import * as z from 'zod';
import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES, SETUP_STATUSES } from '../model/device.ts';
import { ACCESS_STATES, COLLECTORS, DATA_STATES, FAILURE_REASONS } from '../model/enums.ts';
import { END_REASONS, INCIDENT_PROBLEMS } from '../model/incident.ts';
import { PROBLEMS } from '../model/problem.ts';
import { flag, list, number, object, text, word } from './fields.ts';

/*
 * The document of `/api/v1/fleet`. Its types, its validation and the tables of docs/API.md are derived from this schema.
 * Instants are ISO 8601 in UTC. Unknown values are absent, never null.
 */

const account = text('the account');
const KIND =
  'property that the phones share: `group`, `tunnel_host`, `account`, `app_version`, `model`, or the name of a tag';
const cause = text(`${KIND}; only for a common cause`).optional();

const reading = object({
  state: word(
    DATA_STATES,
    '`fresh`: from the last poll; `stale`: from an earlier poll, because polls fail; `expired`: too old to rely on, or never polled',
  ),
  lastSuccessAt: text('end of the last successful poll, by the clock of the exporter').optional(),
  lastAttemptAt: text('end of the last poll').optional(),
  failure: word(
    FAILURE_REASONS,
    'reason of the last failure, as in `hoster_exporter_api_request_failures_total`; left out after a success',
  ).optional(),
  failureText: text(
    'usual cause and what to do, for people; the wording may change; left out after a success',
  ).optional(),
});

const span = {
  from: text('start, by the clock of the API').optional(),
  to: text('end; left out while it lasts').optional(),
};

const totals = object({
  phones: number('phones'),
  online: number('phones that are set up, have a readable heartbeat and are not offline'),
  offline: number(
    'phones that are set up and do not report: with `online`, `problems.not_set_up` and `problems.in_maintenance` they add up to `phones`',
  ),
  sold: number('sold phones'),
  selfRented: number('self-rented phones'),
  idle: number('idle phones'),
  listed: number('listed phones'),
  problems: z.record(z.enum(PROBLEMS), z.number()).readonly().describe('phones by problem, zeros included'),
});

const balance = object({
  availableCents: number('available').optional(),
  pendingCents: number('pending').optional(),
  totalCents: number('total, as the API gives it').optional(),
});

const fleetAccount = object({
  name: text('the configured name'),
  currency: text('the configured currency; the marketplace names none').optional(),
  keyFile: text('path of the file with the API key; left out if it is in an environment variable').optional(),
  access: word(
    ACCESS_STATES,
    'state of the key in the last response; left out before the first one',
  ).optional(),
  readings: object({
    devices: reading.describe('the polls of the device list'),
    tunnels: reading.describe('the same for tunnels'),
    balance: reading.describe('the same for the balance'),
  }).describe('result of the polls of each collector'),
  gracePeriodEndsAt: text(
    'after an outage of the API, the time until which phones may report before they count as offline; else left out',
  ).optional(),
  unseen: list(
    object(span),
    'times in the last 24 hours without a device list; left out if there were none',
  ).optional(),
  totals: totals
    .describe('numbers of phones at the last successful poll; left out before the first device list')
    .optional(),
  balance: balance
    .describe('integer cents at the last successful poll; left out before the first balance')
    .optional(),
});

const offlineAfterReason = object({
  excusedSeconds: number('time in which it could not report because the API was down'),
  usualSeconds: number(
    'usual time between heartbeats; left out if too little is known, or the limit is configured',
  ).optional(),
  lostBeats: number('heartbeats in a row that may be lost').optional(),
  longestSeconds: number('longest normal gap').optional(),
  days: number('number of observed days').optional(),
});

const tunnel = object({
  live: flag('`false` if the API says that there is no tunnel'),
  status: text('any word; the good one is `enabled`').optional(),
  uptimeStatus: text('any word; the good one is `up`').optional(),
});

const note = object({
  text: text('the note'),
  by: text('who wrote it'),
  at: text('when it was written; left out for the column `# note` of the tags file').optional(),
});

const spell = object({
  ...span,
  state: word(
    ['offline', 'maintenance', 'unknown'],
    '`offline`; `maintenance`: offline during maintenance; `unknown`: not listed',
  ),
});

const phone = object({
  account: text('with `id`, identifies the phone'),
  id: text('the id of the API'),
  label: text(
    'at most 128 characters, without control and bidirectional characters, empty if the API gave none. It may contain `<` and quotes: escape them',
  ),
  group: text(
    'the part of the label that names its place (`groups` in the configuration); empty without one',
  ),
  tags: z
    .record(z.string(), z.string())
    .readonly()
    .describe('its tags in `tags.file`, by column name; left out without any')
    .optional(),
  brand: text('same format as `label`'),
  model: text('same format as `label`'),
  appVersion: text('same format as `label`'),
  problem: word(
    PROBLEMS,
    'its most costly problem ([the list](JUDGEMENT.md#problems)); left out without one',
  ).optional(),
  problemSince: text('start of the problem; for an offline phone, its last heartbeat').optional(),
  offlineAfterSeconds: number('heartbeat age above which it is offline'),
  offlineAfterReason: offlineAfterReason
    .describe('how that limit was determined; only for an offline phone')
    .optional(),
  rentalStatus: word([...RENTAL_STATUSES, OTHER], 'its rental status').optional(),
  rentalStatusSince: text(
    'time at which this exporter first saw the current rental status; the real change may be older',
  ).optional(),
  rentalStatusBeginSeen: flag('`false` if the current rental status may be older than that'),
  marketplaceStatus: word([...MARKETPLACE_STATUSES, OTHER], 'as the API gives it').optional(),
  setupStatus: word([...SETUP_STATUSES, OTHER], 'as the API gives it').optional(),
  lastHeartbeatAt: text('the last heartbeat; left out without a usable one').optional(),
  heartbeatAgeSeconds: number('its age at the poll, by the clock of the API').optional(),
  online: flag('`true` if it is set up, has a readable heartbeat and is not offline'),
  selfRentStatus: text('any word, in lower case').optional(),
  rotationStatus: text('any word, in lower case').optional(),
  rotationIntervalSeconds: number('time between two rotations of the IP address').optional(),
  tunnel: tunnel.describe('tunnel of a self-rented phone; left out before its first poll').optional(),
  lastDay: list(
    spell,
    'times in its last 24 hours in which it was not online, oldest first; left out without any',
  ).optional(),
  priceCentsPerDay: number(
    'estimated revenue of a sold day, by your `prices`; left out without a price',
  ).optional(),
  cause: text('`id` of the common cause of its outage; left out without one').optional(),
  notes: list(note, 'notes by people, oldest first; left out without any').optional(),
  absent: z
    .literal(true)
    .describe(
      '`true` if the last device list did not contain the phone and later lists have not confirmed that yet',
    )
    .optional(),
});

const commonCause = object({
  id: text('the value of `phones[].cause`'),
  kind: text(KIND),
  value: text('the value that they share; a tunnel host is shown under a name'),
  phones: number('offline phones that it explains, in all accounts'),
  soldPhones: number('sold phones among them'),
  ownPhones: number('working phones with this value, including them'),
  others: number('other phones that went offline at the same time and that no cause explains'),
  since: text('the earliest last heartbeat of these phones').optional(),
  withinSeconds: number('time between the earliest and the latest one'),
});

const movement = object({
  increaseCents: number('sum of the observed increases, in cents'),
  decreaseCents: number('sum of the observed decreases, such as payouts, in cents'),
  since: text('start of the observation, which may be later than that of the day or the month').optional(),
});

const observed = object({
  account,
  today: movement.describe('since the local midnight').optional(),
  week: movement.describe('in the last 7 days').optional(),
  month: movement.describe('since the start of the local month').optional(),
});

const maintenance = object({
  id: text('the name of the window, or the id of the request'),
  source: word(['configured', 'requested'], 'a configured window, or a request'),
  covers: text('the phones that it covers, for people: `rack-01, slot-04 of main` or `all phones`'),
  accounts: list(z.string(), 'accounts in which it is active'),
  groups: list(z.string(), 'groups that it names'),
  devices: list(z.string(), 'phones that it names, by id or label; it covers all phones if it names neither'),
  since: text('start').optional(),
  until: text('latest end').optional(),
  untilBack: flag('`true` if it ends for each phone that was offline and is back online'),
  reason: text('the reason, for people'),
  by: text('who started it; empty for a window'),
  phones: number('phones that it covers'),
  offlinePhones: number('offline phones among them'),
});

/** An incident in the fleet and in the logbook. */
export const FLEET_INCIDENT = object({
  id: text('the same in each exporter and after a restart if the API says since when the problem exists'),
  account,
  problem: word(INCIDENT_PROBLEMS, 'the problem ([all of them](ALERTING.md))'),
  alert: text('the alert for it'),
  severity: word(['critical', 'warning', 'info'], 'the severity of the alert'),
  phone: text('id of the phone; left out for several phones or an account').optional(),
  label: text('label of the phone when the incident opened').optional(),
  group: text('group of the phone when the incident opened').optional(),
  kind: cause,
  value: text('the value that the phones share, or the exact problem').optional(),
  phones: number('phones that are still offline; only for several phones').optional(),
  soldPhones: number('sold phones among them').optional(),
  allPhones: number(
    'phones that it covered at any time, without those with an incident of their own, which `phones` includes; only for several phones',
  ).optional(),
  mostSoldPhones: number('the most sold phones that were offline at once').optional(),
  notifiedPhones: number('number of phones in the last notification; only for a mass outage').optional(),
  since: text('start of the problem').optional(),
  openedAt: text('time at which it opened').optional(),
  endedAt: text('time at which it was resolved; left out while it is open').optional(),
  reason: word(END_REASONS, 'why it was resolved; left out while it is open').optional(),
  reasonText: text('the same as the end of a sentence, for people').optional(),
  acknowledgedAt: text('time at which somebody acknowledged it').optional(),
  acknowledgedBy: text('who acknowledged it').optional(),
  escalated: z
    .literal(true)
    .describe('`true` while nobody has acknowledged it in time (`alerts.escalate_after`)')
    .optional(),
  soldOfflineSeconds: number(
    'time for which its phones were sold and offline, all of them together',
  ).optional(),
  estimatedCents: number('the estimated cost of that time, by your `prices`').optional(),
  notes: list(note, 'notes by people, oldest first; left out without any').optional(),
});

const leftPhone = object({
  account: text('as in `phones[]`'),
  id: text('as in `phones[]`'),
  label: text('as in `phones[]`'),
  group: text('as in `phones[]`'),
  lastListedAt: text(
    'last list that contained it. It was archived or lost; the API does not say which',
  ).optional(),
  wasOffline: flag('`true` if it was offline at that time'),
});

const event = object({
  event: word(
    ['rental begun', 'rental ended', 'device joined', 'incident opened', 'incident ended'],
    'what happened',
  ),
  account: text('the account of the phone or the incident'),
  id: text('the phone; left out for an incident').optional(),
  label: text('as in `phones[]`').optional(),
  group: text('as in `phones[]`').optional(),
  from: text('state before').optional(),
  to: text('state after').optional(),
  incident: FLEET_INCIDENT.describe('the incident, as above').optional(),
  previousPollAt: text('time of the poll before').optional(),
  pollAt: text('time of the poll that showed it').optional(),
});

const pollSeconds = z.record(z.enum(COLLECTORS), z.number()).readonly();

const exporter = object({
  version: text('version of this exporter'),
  pollSeconds: pollSeconds.describe('poll interval of each collector, in seconds'),
  allowsMaintenance: flag(
    '`true` if the sender of this request can start maintenance at run time ([how](MAINTENANCE.md))',
  ),
  timeZone: text('`time_zone`'),
  tags: list(z.string(), 'names of the tags in `tags.file`; left out without any').optional(),
  warnings: list(
    z.string(),
    'lines of `tags.file` that were ignored, for people; at most 20, left out without any',
  ).optional(),
  externalUrl: text('`web.external_url`; left out without it').optional(),
  grafanaUrl: text('`web.grafana_url`; left out without it').optional(),
  links: list(
    object({ href: text('address, relative to the page'), title: text('the text of the link') }),
    'links at the top of the fleet page; only in the demo',
  ).optional(),
});

/** The fleet as `GET /api/v1/fleet` returns it. */
export const FLEET_DOCUMENT = object({
  version: z
    .literal(1)
    .describe(
      '1: the format described here. It increases when a field is renamed, removed or changes its meaning',
    ),
  exporter: exporter.describe('the exporter that responds'),
  accounts: list(fleetAccount, 'in the order of the configuration'),
  phones: list(
    phone,
    'by account, then by id. While the device list of an account has expired, its phones and their problems are those of the last successful poll',
  ),
  causes: list(commonCause, 'common causes of offline phones ([details](JUDGEMENT.md#causes))'),
  observed: list(
    observed,
    'changes of the available balance between successful polls, by account; they are not earnings. Left out while nothing is known',
  ),
  maintenance: list(maintenance, 'active maintenance, each once'),
  incidents: list(
    FLEET_INCIDENT,
    'open incidents, then those resolved in the last 24 hours (at most 1,000 for each account), newest first',
  ),
  left: list(
    leftPhone,
    'phones that left the device list in the last 24 hours, newest first, at most 1,000 for each account',
  ),
  events: list(event, 'the last 100 events since the start of the exporter, newest first'),
});

export type FleetDocument = z.output<typeof FLEET_DOCUMENT>;
export type FleetExporter = FleetDocument['exporter'];
export type FleetAccount = FleetDocument['accounts'][number];
export type FleetReading = z.output<typeof reading>;
export type FleetTotals = z.output<typeof totals>;
export type FleetPhone = FleetDocument['phones'][number];
export type OfflineAfterReason = z.output<typeof offlineAfterReason>;
export type FleetCause = FleetDocument['causes'][number];
export type FleetMovement = z.output<typeof movement>;
export type FleetMaintenance = FleetDocument['maintenance'][number];
export type FleetIncident = FleetDocument['incidents'][number];
export type FleetLeftPhone = FleetDocument['left'][number];
export type FleetDocumentEvent = FleetDocument['events'][number];
