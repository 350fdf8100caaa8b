import { z } from 'zod';
import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES, SETUP_STATUSES } from '../model/device.ts';
import { ACCESS_STATES, COLLECTORS, DATA_STATES, FAILURE_REASONS } from '../model/enums.ts';
import { END_REASONS, INCIDENT_PROBLEMS } from '../model/incident.ts';
import { PROBLEMS } from '../model/problem.ts';
import { flag, list, number, object, text, word } from './fields.ts';

/*
 * The document of `/api/v1/fleet`. Its types, the check of an answer and the tables of docs/API.md follow from this schema.
 * Instants are ISO 8601 in UTC. Unknown values are absent, never null.
 */

const account = text('the account that it is about');
const KIND =
  'what the phones share: `group`, `tunnel_host`, `account`, `app_version`, `model`, or the name of a tag';
const cause = text(`${KIND}; of a common cause`).optional();

const reading = object({
  state: word(
    DATA_STATES,
    'from the last poll; from an earlier one, because polls fail; or last known, and too old to be relied on, or never polled',
  ),
  lastSuccessAt: text('end of the last successful poll, by the clock of the exporter').optional(),
  lastAttemptAt: text('end of the last poll').optional(),
  failure: word(
    FAILURE_REASONS,
    'reason of the last failure, as in `hoster_exporter_api_request_failures_total`; left out after a success',
  ).optional(),
  failureText: text(
    'its usual cause and what to do, in words for people, which may change; left out after a success',
  ).optional(),
});

const span = {
  from: text('begin, by the clock of the API').optional(),
  to: text('end; left out while it lasts').optional(),
};

const totals = object({
  phones: number('phones'),
  online: number('phones that are set up, have a readable heartbeat and are not offline'),
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
  keyFile: text(
    'path of the file with the API key; left out where an environment variable has it',
  ).optional(),
  access: word(
    ACCESS_STATES,
    'state of the key in the last response; left out before the first one',
  ).optional(),
  readings: object({
    devices: reading.describe('a reading of the device list'),
    tunnels: reading.describe('the same of the tunnels'),
    balance: reading.describe('the same of the balance'),
  }).describe('how the polls of each collector went'),
  gracePeriodEndsAt: text(
    'after an outage of the API, when the silence of all phones is judged again; else left out',
  ).optional(),
  unseen: list(
    object(span),
    'times of the last 24 hours in which no device list came; left out without any',
  ).optional(),
  totals: totals
    .describe('numbers of phones as last known; left out before the first device list')
    .optional(),
  balance: balance.describe('integer cents as last known; left out before the first balance').optional(),
});

const offlineAfterReason = object({
  excusedSeconds: number('time in which it could not report, because the API was down'),
  usualSeconds: number(
    'usual time between heartbeats; left out where too little is known, or the limit is configured',
  ).optional(),
  lostBeats: number('heartbeats in a row that may be lost').optional(),
  longestSeconds: number('the longest of the gaps that count').optional(),
  days: number('number of days that are known').optional(),
});

const tunnel = object({
  live: flag('`false` if the API says that there is no tunnel'),
  status: text('an open word; the good one is `enabled`').optional(),
  uptimeStatus: text('an open word; the good one is `up`').optional(),
});

const spell = object({
  ...span,
  state: word(
    ['offline', 'maintenance', 'unknown'],
    'offline; offline while you worked on it; or not listed, so that nobody knows',
  ),
});

const phone = object({
  account: text('with `id` it identifies the phone'),
  id: text('the id of the API'),
  label: text(
    'a text of at most 128 characters, without control and bidirectional characters, empty if the API gave none. It may contain `<` and quotes: escape them',
  ),
  group: text(
    'the part of the label that says where the phone stands (`groups` of the configuration); empty without one',
  ),
  tags: z
    .record(z.string(), z.string())
    .readonly()
    .describe('what you say of it in `tags.file`, by the names of its columns; left out without any')
    .optional(),
  brand: text('a text as `label`'),
  model: text('a text as `label`'),
  appVersion: text('a text as `label`'),
  problem: word(
    PROBLEMS,
    'what is wrong with it, the costliest if several ([the list](JUDGEMENT.md#problems)); left out if nothing is',
  ).optional(),
  problemSince: text('since when that lasts; of a offline phone, its last heartbeat').optional(),
  offlineAfterSeconds: number('heartbeat age above which it is offline'),
  offlineAfterReason: offlineAfterReason
    .describe('what that limit follows from, only of an offline phone')
    .optional(),
  rentalStatus: word([...RENTAL_STATUSES, OTHER], 'what it is rented for').optional(),
  rentalStatusSince: text(
    'time at which this exporter first saw the present rental status; the real change may be older',
  ).optional(),
  rentalStatusBeginSeen: flag('`false` if the present rental status may have begun any time before'),
  marketplaceStatus: word([...MARKETPLACE_STATUSES, OTHER], 'as the API gives it').optional(),
  setupStatus: word([...SETUP_STATUSES, OTHER], 'as the API gives it').optional(),
  lastHeartbeatAt: text('the last heartbeat; left out without a usable one').optional(),
  heartbeatAgeSeconds: number('its age at the poll, by the clock of the API').optional(),
  online: flag('`true` if it is set up, has a readable heartbeat and is not offline'),
  selfRentStatus: text('an open word, lower case').optional(),
  rotationStatus: text('an open word, lower case').optional(),
  rotationIntervalSeconds: number('time between two rotations of the IP address').optional(),
  tunnel: tunnel.describe('the tunnel of a self-rented phone; left out if none was polled').optional(),
  lastDay: list(
    spell,
    'times of its last 24 hours in which it did not just report, the oldest first; left out without any',
  ).optional(),
  priceCentsPerDay: number(
    'what a sold day of it brings by your `prices`: an estimate; left out without a price',
  ).optional(),
  cause: text('`id` of the common cause that explains why it is offline; left out without one').optional(),
  absent: z
    .literal(true)
    .describe('`true` while the last device list lacks the phone, until later lists confirm it')
    .optional(),
});

const commonCause = object({
  id: text('what `phones[].cause` refers to'),
  kind: text(KIND),
  value: text('the value that they share; a tunnel host has a name in its place'),
  phones: number('offline phones that it explains, of all accounts'),
  soldPhones: number('those of them that are sold'),
  ownPhones: number('working phones with this value, including them'),
  others: number('other phones that fell offline at the same time, and that no cause explains'),
  since: text('the earliest last heartbeat of these phones').optional(),
  withinSeconds: number('the time from it to the latest one'),
});

const maintenance = object({
  id: text('the name of the window, or the id of the request'),
  source: word(['configured', 'requested'], 'a window of the configuration, or a request'),
  covers: text('the phones that it covers, for people: `rack-01, slot-04 of main` or `all phones`'),
  accounts: list(z.string(), 'the accounts in which it holds'),
  groups: list(z.string(), 'the groups that it names'),
  devices: list(z.string(), 'the phones that it names, by id or label; all phones where it names neither'),
  since: text('begin').optional(),
  until: text('end at the latest').optional(),
  untilBack: flag('it ends for each phone that was offline and reports again'),
  reason: text('why, for people'),
  by: text('who said it; empty for a window'),
  phones: number('phones that it covers, whatever else covers them'),
  offlinePhones: number('those of them that are offline'),
});

const incident = object({
  id: text('the same in each exporter and over restarts, as far as the API tells since when it is wrong'),
  account,
  problem: word(INCIDENT_PROBLEMS, 'what is wrong ([all of them](ALERTING.md))'),
  alert: text('the alert that tells it'),
  severity: word(['critical', 'warning', 'info'], 'the severity of the alert'),
  phone: text('id of the phone; left out where it is about several phones, or the account').optional(),
  label: text('the phone, as it was called when the incident opened').optional(),
  group: text('where the phone stood when the incident opened').optional(),
  kind: cause,
  value: text('the value that the phones share, or what exactly is wrong').optional(),
  phones: number('how many phones are offline still; only of several phones').optional(),
  soldPhones: number('how many of them are sold').optional(),
  notifiedPhones: number(
    'how many phones many were when they were last told; only without a common cause',
  ).optional(),
  since: text('since when it is wrong').optional(),
  openedAt: text('when it was told').optional(),
  endedAt: text('when it ended; left out while it is open').optional(),
  reason: word(END_REASONS, 'why it ended; left out while it is open').optional(),
  reasonText: text('the same as the end of a sentence, for people').optional(),
});

const leftPhone = object({
  account: text('as of a phone'),
  id: text('as of a phone'),
  label: text('as of a phone'),
  group: text('as of a phone'),
  lastListedAt: text(
    'the last list that had it. It was archived or lost; the list does not say which',
  ).optional(),
  wasOffline: flag('`true` if it was offline then'),
});

const event = object({
  event: word(
    ['rental begun', 'rental ended', 'device joined', 'incident opened', 'incident ended'],
    'what happened',
  ),
  account: text('the account of the phone or the incident'),
  id: text('the phone; left out for an incident').optional(),
  label: text('as of a phone').optional(),
  group: text('as of a phone').optional(),
  from: text('its state before').optional(),
  to: text('its state after').optional(),
  incident: incident.describe('what is told, as above').optional(),
  previousPollAt: text('the poll before it').optional(),
  pollAt: text('the poll that showed it').optional(),
});

const pollSeconds = z.record(z.enum(COLLECTORS), z.number()).readonly();

const exporter = object({
  version: text('version of this exporter'),
  pollSeconds: pollSeconds.describe('the same of each collector'),
  allowsMaintenance: flag('the owner can say which phones are worked on ([how](MAINTENANCE.md))'),
  timeZone: text('`time_zone`'),
  tags: list(z.string(), 'names of the tags of `tags.file`; left out without any').optional(),
  warnings: list(
    z.string(),
    'lines of `tags.file` that have no effect, for people; the first 20, left out without any',
  ).optional(),
  externalUrl: text('`web.external_url`; left out without it').optional(),
  grafanaUrl: text('`web.grafana_url`; left out without it').optional(),
});

/** The fleet as `GET /api/v1/fleet` returns it. */
export const FLEET_DOCUMENT = object({
  version: z
    .literal(1)
    .describe(
      '1: the format described here. It is raised when a field is renamed, removed or changes its meaning',
    ),
  exporter: exporter.describe('the exporter that answers'),
  accounts: list(fleetAccount, 'in the order of the configuration'),
  phones: list(
    phone,
    'by account, then by id. Of an account whose device list has expired they are as they were last known, and their problems stand',
  ),
  causes: list(
    commonCause,
    'why phones are offline, as far as several share it ([what they are](JUDGEMENT.md#causes))',
  ),
  maintenance: list(maintenance, 'what the owner said that holds, each once'),
  incidents: list(
    incident,
    'what is told: what is open, then what ended within a day, at most 1,000 of each account, each with the newest first',
  ),
  left: list(
    leftPhone,
    'phones that left the device list within a day, newest first, at most 1,000 of each account',
  ),
  events: list(event, 'the last hundred events since the start of the exporter, newest first'),
});

export type FleetDocument = z.output<typeof FLEET_DOCUMENT>;
export type FleetExporter = FleetDocument['exporter'];
export type FleetAccount = FleetDocument['accounts'][number];
export type FleetReading = z.output<typeof reading>;
export type FleetTotals = z.output<typeof totals>;
export type FleetPhone = FleetDocument['phones'][number];
export type OfflineAfterReason = z.output<typeof offlineAfterReason>;
export type FleetSpell = z.output<typeof spell>;
export type FleetCause = FleetDocument['causes'][number];
export type FleetMaintenance = FleetDocument['maintenance'][number];
export type FleetIncident = FleetDocument['incidents'][number];
export type FleetLeftPhone = FleetDocument['left'][number];
export type FleetDocumentEvent = FleetDocument['events'][number];
