import {
  type ChatAnswer,
  type ChatButton,
  type ChatPart,
  type ChatRequest,
  MUTE_FOR,
  type MuteFor,
  quote,
  Unavailable,
} from '../../fleet/chat.ts';
import { parseCode } from '../../fleet/code.ts';
import { incidentName } from '../../fleet/describe.ts';
import type { FleetDocument, FleetIncident } from '../../fleet/document.ts';
import { parseDocument } from '../../fleet/fields.ts';
import { best, findGroups, findPhones, namedIn, phonesOf } from '../../fleet/find.ts';
import { incidentTarget } from '../../fleet/targets.ts';
import { type FleetView, trustOf } from '../../fleet/trust.ts';
import { openIncidentsAt, openIncidentsOf, type Visit } from '../../fleet/visits.ts';
import { say } from '../../text/say.ts';
import { STATISTICS_DOCUMENT } from './document.ts';
import { addNote, listNotes, noteReply, phoneNotes } from './notes.ts';
import {
  change,
  endText,
  incidentsNamed,
  incidentsOf,
  isOpen,
  labelsOf,
  PATH,
  subjectsOf,
  titleOf,
} from './subjects.ts';
import { comparisonText, incidentsText, weekText } from './words.ts';

/*
 * The logbook in a chat: the incidents of the last 31 days, the week on Mondays, who is on an incident, and notes. Alerts end
 * with commands such as /ack_1764288123_sop04a7b2, which name an incident.
 */

export const incidentsChat: ChatPart = {
  commands: [
    { command: 'log', describe: () => say('incidents-log-command'), answer: log },
    { command: 'ack', describe: () => say('incidents-ack-command'), answer: acknowledge },
    { command: 'note', describe: () => say('incidents-note-command'), answer: addNote },
    { command: 'notes', describe: () => say('incidents-notes-command'), answer: listNotes },
  ],
  reply: noteReply,
  phone: phoneNotes,
  offers,
  morning: async (exporter, date) => {
    if (new Date(date).getUTCDay() !== MONDAY) return undefined;
    const view = await exporter.view(false);
    const document = await incidentsOf(exporter, '?days=14');
    // It will be requested again.
    if (typeof document === 'string') throw new Unavailable(document);
    return { text: weekText(document, view) };
  },
};

const MONDAY = 1;

async function log(request: ChatRequest): Promise<ChatAnswer> {
  const { exporter, words, quoted, choose, absent } = request;
  const name = words.join(' ');
  if (name === '' && quoted === undefined) return await answerAbout({}, request);
  const view = await exporter.view(true);
  const named =
    name === ''
      ? namedIn(view.fleet, quoted ?? '')
      : { groups: findGroups(view.fleet, name), phones: findPhones(view.fleet, name) };
  const groups = named.groups.map(
    ({ title, item: { account, group } }) => [title, { account, group }] as const,
  );
  const phones = named.phones.map(
    ({ title, item: { account, id } }) => [title, { account, device: id }] as const,
  );
  const found = groups.length === 0 ? phones : groups;
  if (found.length === 0 && name === '') return await answerAbout({}, request);
  if (found.length > 0)
    return await choose(found.map(([label, query]) => ({ label, tap: () => answerAbout(query, request) })));
  // It names a phone that left, or that has another name now.
  return await answerAbout({ device: name }, request, absent(view, name));
}

/** Writes the incidents that the parameters select, next to those of the previous period. */
async function answerAbout(
  selection: Readonly<Record<string, string>>,
  { exporter }: ChatRequest,
  none?: string,
): Promise<ChatAnswer> {
  const document = await incidentsOf(exporter, `?${new URLSearchParams(selection)}`);
  if (typeof document === 'string') return { text: document };
  if (none !== undefined && document.incidents.length === 0) return { text: none };
  const view = await exporter.view(false);
  const numbers = await exporter.request(
    'GET',
    `${PATH}?${new URLSearchParams({ ...selection, by: 'group' })}`,
  );
  const statistics = parseDocument(STATISTICS_DOCUMENT, numbers.content);
  const text = incidentsText({ ...document, incidents: openFirst(document.incidents) }, view);
  const compared = statistics === undefined ? [] : comparisonText(statistics, view.fleet, view.now);
  const trust = trustOf(view);
  const age = trust.state === 'fresh' ? [] : [say('data-text', { text: trust.text })];
  return { text: [text, ...compared, ...age].join('\n') };
}

/** Puts open incidents first, and sorts each part by the time that is shown, newest first. */
function openFirst(incidents: readonly FleetIncident[]): readonly FleetIncident[] {
  const start = ({ since = '' }: FleetIncident): number => Date.parse(since) || 0;
  const sorted = incidents.toSorted((one, other) => start(other) - start(one));
  return [...sorted.filter(isOpen), ...sorted.filter((each) => !isOpen(each))];
}

/**
 * `/ack_1764288123_sop04a7b2`, or `/ack` as a reply to an alert. A word after it mutes the phones too (`2h`, `back`), or takes
 * it back (`undo`). Alone, it lists the incidents that nobody has acknowledged, and `/ack rack-03` those of a name.
 */
async function acknowledge(request: ChatRequest): Promise<ChatAnswer> {
  const { words, exporter, quoted } = request;
  const named = parseCode(words.join('_'));
  const [first = ''] = words;
  if (named !== undefined) {
    const view = await exporter.view(true);
    const found = await incidentsNamed(exporter, view, [named.code]);
    if (found.length === 0) return { text: say('incidents-no-such-code') };
    const asked = { ...request, view };
    return await actOn(found, actOf(named.word, asked), asked);
  }
  if (quoted !== undefined && (words.length === 0 || isActWord(first))) {
    const { view, subjects } = await subjectsOf(request);
    const found = [...new Set(subjects.flatMap(({ incidents }) => incidents))];
    if (found.length === 0) return { text: say('incidents-not-about') };
    // If the message names several, it is not certain that the open one is meant.
    const isSure = found.length === 1;
    const open = found.filter(isOpen);
    const asked = { ...request, view };
    const question = isSure ? undefined : say('incidents-which');
    return await actOn(open.length === 0 ? found : open, actOf(first, asked), asked, question);
  }
  const view = await exporter.view(true);
  const asked = { ...request, view };
  const act = actOf('', asked);
  const open = view.fleet.incidents.filter((each) => isOpen(each) && each.severity !== 'info');
  if (words.length > 0) {
    const name = words.join(' ');
    const { items: called, fit } = best(open, name, (incident) => namesOf(incident, view.fleet));
    // A mass outage does not have the name of a phone or rack that is part of it.
    const at = phonesOf(view.fleet, name).flatMap((phone) => openIncidentsAt(view.fleet, phone));
    const items = called.length > 0 ? called : open.filter((each) => at.includes(each));
    if (items.length === 0) return { text: say('incidents-none-called', { name: quote(name) }) };
    const question = fit >= 3 && items.length === 1 ? undefined : say('incidents-which');
    return await actOn(items, act, asked, question);
  }
  const free = open.filter(({ acknowledgedAt }) => acknowledgedAt === undefined);
  if (free.length > 0) return await actOn(free, act, asked, say('incidents-free'));
  const { state, text } = trustOf(view);
  if (state !== 'fresh') return { text: say('incidents-none-known', { text }) };
  return { text: open.length === 0 ? say('incidents-none-open') : say('incidents-all-acknowledged') };
}

const namesOf = (incident: FleetIncident, fleet: FleetDocument): readonly string[] =>
  [incidentName(incident, fleet), incident.label, incident.phone, incident.value, incident.group].flatMap(
    (name) => name || [],
  );

const UNDO = 'undo';

const isActWord = (word: string): boolean => word === UNDO || MUTE_FOR.some((each) => each === word);

type Act = (incident: FleetIncident, who: string) => Promise<ChatAnswer>;

/** A request, and what the exporter showed when it arrived. */
type Asked = ChatRequest & { readonly view: FleetView };

/** Creates a button about an incident. Buttons outlive the document, so the answer says if the incident has ended. */
function buttonOn(
  incident: FleetIncident,
  label: string,
  { exporter }: ChatRequest,
  act: ChatButton['tap'],
): ChatButton {
  const { id, account } = incident;
  const tap: ChatButton['tap'] = async (who) => {
    const view = await exporter.view(false);
    const now = view.fleet.incidents.find((each) => each.id === id && each.account === account) ?? incident;
    return isOpen(now) ? await act(who) : { text: endText(now, view) };
  };
  return { label, tap };
}

/** Acts on the only incident, or asks which one is meant. */
async function actOn(
  found: readonly FleetIncident[],
  act: Act,
  asked: Asked,
  question = found.length > 1 ? say('incidents-which') : undefined,
): Promise<ChatAnswer> {
  const labels = labelsOf(found, asked.view);
  const buttons = found.map((incident, index) =>
    buttonOn(incident, labels[index] ?? '', asked, async (who) => await act(incident, who)),
  );
  return await asked.choose(buttons, question);
}

function actOf(word: string, asked: Asked): Act {
  if (word === UNDO) return async (incident) => await takeBack(incident, asked);
  const length = MUTE_FOR.find((each) => each === word);
  return async (incident, who) => await acknowledgeOne(incident, length, { ...asked, who });
}

async function acknowledgeOne(
  incident: FleetIncident,
  length: MuteFor | undefined,
  asked: Asked,
): Promise<ChatAnswer> {
  const { exporter, mute, who: by, view } = asked;
  const { account, id } = incident;
  const { text, isDone } = await change(exporter, { account, incident: id, acknowledge: true, by });
  const about = `${quote(titleOf(incident, view))}: ${text}`;
  if (!isDone) return { text: about };
  const muting = muteButtons(incident, asked);
  if (length === undefined) return { text: about, buttons: [...muting, undoButton(incident, asked)] };
  const target = incidentTarget(incident, view.fleet);
  const isMutable = muting.length > 0 && target !== undefined && mute !== undefined;
  const muted = isMutable ? await mute(target, length, by) : say('incidents-nothing-to-mute');
  return { text: `${about}\n${muted}` };
}

const undoButton = (incident: FleetIncident, asked: Asked): ChatButton =>
  buttonOn(incident, say('incidents-take-it-back'), asked, () => takeBack(incident, asked));

/** Offers to mute an incident's phones. An incident without phones, such as a refused key, cannot be muted. */
function muteButtons(incident: FleetIncident, asked: Asked): readonly ChatButton[] {
  const { fleet } = asked.view;
  const { mute } = asked;
  const target = fleet.exporter.allowsChanges ? incidentTarget(incident, fleet) : undefined;
  if (target === undefined || mute === undefined) return [];
  return MUTE_FOR.map((each) =>
    buttonOn(incident, say(`mute-${each}`), asked, async (who) => ({ text: await mute(target, each, who) })),
  );
}

async function takeBack(incident: FleetIncident, { exporter, view }: Asked): Promise<ChatAnswer> {
  const { account, id } = incident;
  const { text } = await change(exporter, { account, incident: id, acknowledge: false });
  return { text: `${quote(titleOf(incident, view))}: ${text}` };
}

/** Offers to take the incidents of places. If somebody is already on one, it offers to mute it. */
function offers(request: ChatRequest, view: FleetView, visits: readonly Visit[]): readonly ChatButton[] {
  if (!view.fleet.exporter.allowsChanges) return [];
  const asked = { ...request, view };
  // Several phones may be part of one mass outage.
  const offered = new Set<FleetIncident>();
  return visits.flatMap((visit) => {
    const incidents = openIncidentsOf(visit, view.fleet.incidents).filter((each) => !offered.has(each));
    for (const each of incidents) offered.add(each);
    const free = incidents.find(({ acknowledgedAt }) => acknowledgedAt === undefined);
    const incident = free ?? incidents[0];
    if (incident === undefined) return [];
    const name = incidentName(incident, view.fleet);
    if (free !== undefined) {
      const onIt = (who: string) => acknowledgeOne(free, undefined, { ...asked, who });
      return [buttonOn(free, say('incidents-on-it', { name }), asked, onIt)];
    }
    const muting = muteButtons(incident, asked);
    const text = `${quote(titleOf(incident, view))}: ${say('incidents-mute-phones')}`;
    const buttons = [...muting, undoButton(incident, asked)];
    const label = say('incidents-mute', { name });
    return muting.length === 0 ? [] : [buttonOn(incident, label, asked, async () => ({ text, buttons }))];
  });
}
