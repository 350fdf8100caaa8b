import { type ChatExporter, type ChatRequest, hasName, quote, refusalText } from '../../fleet/chat.ts';
import { codesIn, codeText, type IncidentCode, isNamedBy } from '../../fleet/code.ts';
import { describeIncident, headText, reasonOf } from '../../fleet/describe.ts';
import type { FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { accountIn, namedIn } from '../../fleet/find.ts';
import type { FleetView } from '../../fleet/trust.ts';
import { openIncidentsAt } from '../../fleet/visits.ts';
import { keysOf } from '../../model/enums.ts';
import { endOf } from '../../model/incident.ts';
import { LANGUAGES, say, speaking } from '../../text/say.ts';
import { INCIDENT_CHANGE, INCIDENTS_DOCUMENT, type IncidentsDocument } from './document.ts';

/*
 * What a message in a chat is about: incidents named by its commands, or incidents, phones and groups named in its text. It
 * needs only the text, so it works for old alerts, for the bot's answers, and after a restart.
 */

export const PATH = '/api/v1/incidents';

/** Days for which a command below an old alert finds its incident: as long as the exporter keeps incidents. */
const OLDEST_DAYS = 400;

export type NoteTarget = {
  readonly account: string;
  readonly incident?: string;
  readonly device?: string;
};

/** A phone or an incident. */
export type Subject = {
  readonly title: string;
  readonly note: NoteTarget;
  readonly notes: NonNullable<FleetPhone['notes']>;
  /** The incident itself, or the open ones of a phone or a group. */
  readonly incidents: readonly FleetIncident[];
};

/** Requests incidents. If the exporter does not send them, resolves to a sentence with the reason. */
export async function incidentsOf(
  exporter: ChatExporter,
  query: string,
): Promise<IncidentsDocument | string> {
  const { status, content } = await exporter.request('GET', `${PATH}${query}`);
  const reason = status === 200 ? say('incidents-other-version') : quote(content.slice(0, 200));
  return parseDocument(INCIDENTS_DOCUMENT, content) ?? say('incidents-failed', { reason: `${reason}.` });
}

/** Requests a change. The text is the exporter's sentence, or why nothing was changed; `at` is the time of a note. */
export async function change(
  exporter: ChatExporter,
  body: object,
): Promise<{ readonly text: string; readonly at?: string | undefined; readonly isDone: boolean }> {
  const { status, content } = await exporter.request('POST', PATH, body);
  if (status >= 300) return { text: refusalText(content), isDone: false };
  const { text, at } = parseDocument(INCIDENT_CHANGE, content) ?? { text: say('incidents-other-version') };
  return { text, at, isDone: true };
}

export const isOpen = ({ endedAt }: FleetIncident): boolean => endedAt === undefined;

/** Names an incident for a button or a sentence: `Sold, offline: rack-01/slot-04`. */
export function titleOf(incident: FleetIncident, { fleet, now, time }: FleetView): string {
  return headText(describeIncident(incident, fleet, now, time));
}

/** Names incidents for a column of buttons. Those with the same title show their start, and ended ones their end. */
export function labelsOf(incidents: readonly FleetIncident[], view: FleetView): readonly string[] {
  const titles = incidents.map((each) => titleOf(each, view));
  return incidents.map(({ since, endedAt, reason, problem }, index) => {
    const title = titles[index] ?? '';
    const isShared = titles.indexOf(title) !== titles.lastIndexOf(title);
    const name = isShared ? say('incidents-name-since', { name: title, time: view.time(since) }) : title;
    return endedAt === undefined
      ? name
      : say(`incidents-label-${endOf(reason, problem)}`, { name, time: view.time(endedAt) });
  });
}

/** Says that an incident is no longer open, how it ended, and under which name it continues. */
export function endText(incident: FleetIncident, view: FleetView): string {
  const { account, phone, since, reason, endedAt, problem } = incident;
  const why = reasonOf(incident) === '' ? '' : `: ${reasonOf(incident)}`;
  const next = view.fleet.incidents.find(
    (each) => isOpen(each) && phone !== undefined && each.phone === phone && each.account === account,
  );
  const goesOn =
    next === undefined || next.since !== since
      ? ''
      : ` ${say('incidents-goes-on', { name: quote(titleOf(next, view)), command: `/ack_${codeText(next)}` })}`;
  const name = quote(titleOf(incident, view));
  return say(`incidents-ended-${endOf(reason, problem)}`, { name, time: view.time(endedAt), why }) + goesOn;
}

/** Lists the incidents that codes name, open and resolved. An outage across several accounts is one in each. */
export async function incidentsNamed(
  exporter: ChatExporter,
  view: FleetView,
  codes: readonly IncidentCode[],
  alert = '',
): Promise<readonly FleetIncident[]> {
  const isMeant = accountIn(view.fleet, alert);
  const withCode = (incidents: readonly FleetIncident[], some: readonly IncidentCode[]) =>
    incidents.filter(
      (incident) => isMeant(incident.account) && some.some((code) => isNamedBy(incident, code)),
    );
  const recent = withCode(view.fleet.incidents, codes);
  // A code with only a second may also name incidents that ended before the last day.
  const unsure = codes.filter(
    (code) => code.subject === undefined || !recent.some((incident) => isNamedBy(incident, code)),
  );
  if (unsure.length === 0) return recent;
  const document = await incidentsOf(exporter, `?days=${OLDEST_DAYS}`);
  if (typeof document === 'string') return recent;
  const known = new Set(recent.map(({ account, id }) => `${account} ${id}`));
  const older = document.incidents.filter(({ account, id }) => !known.has(`${account} ${id}`));
  return [...recent, ...withCode(older, unsure)];
}

const subjectOf = (incident: FleetIncident, title: string): Subject => ({
  title,
  note: { account: incident.account, incident: incident.id },
  notes: incident.notes ?? [],
  incidents: [incident],
});

export function incidentSubjects(incidents: readonly FleetIncident[], view: FleetView): readonly Subject[] {
  const labels = labelsOf(incidents, view);
  return incidents.map((incident, index) => subjectOf(incident, labels[index] ?? ''));
}

/** The beginning of an alert: its severity or its end, in any language. */
const ALERT = /^\[[\p{Lu}\p{M} ]+\]/u;

/** Reports whether an alert has ended, by the words in the Alertmanager templates of each language. */
const isEnd = (alert: string): boolean =>
  keysOf(LANGUAGES).some((language) =>
    speaking(language, () =>
      ['resolved', 'muted', 'changed'].some((kind) => alert.startsWith(say(`alert-kind-${kind}`))),
    ),
  );

/**
 * Lists the incidents of an alert without codes, such as one from an earlier version: for each phone or group it names, the
 * open one, or otherwise the last one that ended.
 */
async function alertedIn(
  exporter: ChatExporter,
  { fleet }: FleetView,
  alert: string,
): Promise<readonly FleetIncident[]> {
  const { phones, groups } = namedIn(fleet, alert);
  const document = phones.length + groups.length === 0 ? '' : await incidentsOf(exporter, '');
  if (typeof document === 'string') return [];
  const lastOf = (isMeant: (incident: FleetIncident) => boolean): readonly FleetIncident[] => {
    const own = document.incidents
      .filter(isMeant)
      .toSorted((one, other) => ((one.openedAt ?? '') < (other.openedAt ?? '') ? 1 : -1));
    const wanted = own.find((incident) => isOpen(incident) !== isEnd(alert)) ?? own[0];
    return wanted === undefined ? [] : [wanted];
  };
  return [
    ...phones.flatMap(({ item }) =>
      lastOf(({ account, phone }) => account === item.account && phone === item.id),
    ),
    ...groups.flatMap(({ item }) =>
      lastOf(
        ({ account, kind, value }) => account === item.account && kind === 'group' && value === item.group,
      ),
    ),
  ];
}

type Quoted = { readonly view: FleetView; readonly subjects: readonly Subject[] };

/** Lists what a message is about. An answer that begins with a phone or a group is about that. */
export async function subjectsOf({ exporter, quoted = '' }: ChatRequest): Promise<Quoted> {
  const view = await exporter.view(true);
  const codes = codesIn(quoted);
  if (codes.length > 0)
    return { view, subjects: incidentSubjects(await incidentsNamed(exporter, view, codes, quoted), view) };
  const { fleet } = view;
  const alerted = ALERT.test(quoted) ? await alertedIn(exporter, view, quoted) : [];
  if (alerted.length > 0) return { view, subjects: incidentSubjects(alerted, view) };
  const named = namedIn(fleet, quoted);
  const plain = quoted.replace(/[\uE000\uE001]/g, '');
  const titled = new Map<string, FleetIncident>();
  for (const incident of named.isPhone ? [] : fleet.incidents) {
    const title = titleOf(incident, view);
    const known = titled.get(title);
    // The open one, or otherwise the last one.
    if (hasName(plain, title) && (known === undefined || isOpen(incident) || !isOpen(known)))
      titled.set(title, incident);
  }
  const incidents = [...titled].map(([title, incident]) => subjectOf(incident, title));
  const groups = named.groups.flatMap(({ item: { group, account } }) => {
    const own = fleet.phones.filter((each) => each.account === account && each.group === group);
    const open = own.flatMap((each) => openIncidentsAt(fleet, each));
    const outage = open.find(({ phone }) => phone === undefined);
    return outage === undefined ? [] : [{ group, account, outage }];
  });
  // A phone of a group with an outage is part of that.
  const isCovered = (phone: FleetPhone): boolean =>
    [...titled.values()].some((each) => each.phone === phone.id && each.account === phone.account) ||
    groups.some(({ group, account }) => group === phone.group && account === phone.account);
  const phones = named.phones
    .filter(({ item }) => !isCovered(item))
    .map(
      ({ title, item: phone }): Subject => ({
        title,
        note: { account: phone.account, device: phone.id },
        notes: phone.notes ?? [],
        incidents: openIncidentsAt(fleet, phone),
      }),
    );
  const outages = new Set(
    groups.map(({ outage }) => outage).filter((each) => ![...titled.values()].includes(each)),
  );
  return { view, subjects: [...incidents, ...phones, ...incidentSubjects([...outages], view)] };
}
