import {
  type ChatAnswer,
  type ChatButton,
  type ChatExporter,
  type ChatRequest,
  quote,
} from '../../fleet/chat.ts';
import { parseCode } from '../../fleet/code.ts';
import { nameIn } from '../../fleet/describe.ts';
import type { FleetDocument, FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { findGroups, findPhones, phonesOf } from '../../fleet/find.ts';
import type { TimeText } from '../../fleet/freshness.ts';
import { indexPhones } from '../../fleet/phones.ts';
import type { FleetView } from '../../fleet/trust.ts';
import { listText, personOf } from '../../fleet/words.ts';
import { splitFirstName } from '../../model/text.ts';
import { say } from '../../text/say.ts';
import {
  change,
  incidentSubjects,
  incidentsNamed,
  incidentsOf,
  type NoteTarget,
  type Subject,
  subjectsOf,
} from './subjects.ts';

/* Notes in a chat: replies to alerts and answers, /note, and /notes. The last note can be corrected and removed. */

/** A reply to an alert or to an answer is a note on what that message is about. */
export async function noteReply(request: ChatRequest): Promise<ChatAnswer> {
  return await noteOnQuoted(request, (text) => text);
}

/** `/note rack-03/slot-04 battery swollen`, or as a reply. */
export async function addNote(request: ChatRequest): Promise<ChatAnswer> {
  const { exporter, words, quoted, choose, absent } = request;
  const textOf = (text: string): string => text.replace(/^\s*\/?note(?:@\w+)?\s*/i, '');
  if (quoted !== undefined) return await noteOnQuoted(request, textOf);
  const view = await exporter.view(true);
  const isName = (text: string): boolean => findPhones(view.fleet, text).some(({ isWhole }) => isWhole);
  const { name, rest } = splitFirstName(words.join(' '), isName);
  const found = findPhones(view.fleet, name);
  if (found.length === 0) return { text: absent(view, name) };
  if (rest === '') return { text: say('incidents-note-after-name') };
  const buttons = found.map(({ title, item: { account, id } }): ChatButton => {
    const subject = { title, note: { account, device: id } };
    const tap = (who: string) =>
      saveNote(exporter, subject, rest, who, (edited) => {
        const again = splitFirstName(textOf(edited), isName);
        const [only, ...others] = findPhones(view.fleet, again.name).map(({ item }) => item.id);
        return others.length === 0 && only === id ? again.rest : undefined;
      });
    return { label: title, tap };
  });
  const isSure = found.every(({ isWhole }) => isWhole) || found.length > 1;
  return await choose(buttons, isSure ? undefined : say('incidents-is-it-this-phone'));
}

/** @param textOf returns the note in an edited message */
async function noteOnQuoted(request: ChatRequest, textOf: (text: string) => string): Promise<ChatAnswer> {
  const { exporter, words, choose } = request;
  const text = words.join(' ');
  if (text === '') return { text: say('incidents-note-after-command') };
  const { subjects } = await subjectsOf(request);
  const buttons = subjects.map(
    ({ title, note }): ChatButton => ({
      label: title,
      tap: (who) => saveNote(exporter, { title, note }, text, who, textOf),
    }),
  );
  if (buttons.length === 0) return { text: say('incidents-no-subject') };
  return await choose(buttons, buttons.length > 1 ? say('incidents-which-note') : undefined);
}

type Noted = { readonly title: string; readonly note: NoteTarget };

/** Saves a note, or replaces an earlier one with it. The answer can remove it, and editing the message corrects it. */
async function saveNote(
  exporter: ChatExporter,
  { title, note: target }: Noted,
  note: string,
  by: string,
  textOf: (edited: string) => string | undefined,
  replaces?: string,
): Promise<ChatAnswer> {
  const body = { ...target, note, by, ...(replaces !== undefined && { replaces }) };
  const { text, at } = await change(exporter, body);
  if (at === undefined) return { text: `${quote(title)}: ${text}` };
  const correct = async (edited: string, who: string): Promise<ChatAnswer> => {
    const next = textOf(edited);
    if (next === undefined || next === '') return { text: say('incidents-not-corrected') };
    return await saveNote(exporter, { title, note: target }, next, who, textOf, at);
  };
  return {
    text: `${quote(title)}: ${text}${replaces === undefined ? ` ${say('incidents-edit-note')}` : ''}`,
    buttons: [removeButton(exporter, { title, note: target }, at, say('incidents-remove-it'))],
    correct,
  };
}

const removeButton = (
  exporter: ChatExporter,
  { title, note }: Noted,
  replaces: string,
  label: string,
): ChatButton => ({
  label,
  tap: async (by) => {
    const { text } = await change(exporter, { ...note, note: '', replaces, by });
    return { text: `${quote(title)}: ${text}` };
  },
});

/** Maximum number of notes in a message. */
const SHOWN = 15;

/** `/notes`, `/notes rack-03`, `/notes_1764288123_sop04a7b2`, or as a reply: newest first. */
export async function listNotes(request: ChatRequest): Promise<ChatAnswer> {
  const { exporter, words, quoted, absent } = request;
  const name = words.join(' ');
  const named = parseCode(words.join('_'));
  if (named !== undefined) {
    const view = await exporter.view(true);
    const found = await incidentsNamed(exporter, view, [named.code]);
    if (found.length === 0) return { text: say('incidents-no-such-code') };
    return notesAnswer(exporter, incidentSubjects(found, view), view);
  }
  if (quoted !== undefined && name === '') {
    const { view, subjects } = await subjectsOf(request);
    return subjects.length === 0
      ? { text: say('incidents-no-subject') }
      : notesAnswer(exporter, subjects, view);
  }
  const view = await exporter.view(true);
  const { fleet } = view;
  const phones = name === '' ? fleet.phones : phonesOf(fleet, name);
  if (phones.length === 0) return { text: name === '' ? say('incidents-no-notes') : absent(view, name) };
  const found: FleetIncident[] = [];
  for (const selection of name === '' ? [{}] : selectionsOf(fleet, name, phones)) {
    const document = await incidentsOf(exporter, `?${new URLSearchParams(selection)}`);
    if (typeof document === 'string') return { text: document };
    const isNew = ({ account, id }: FleetIncident): boolean =>
      found.every((each) => each.id !== id || each.account !== account);
    found.push(...document.incidents.filter(isNew));
  }
  const wanted = new Set(phones);
  const onPhones = indexPhones(fleet.phones)
    .entries.filter(({ phone }) => wanted.has(phone))
    .map(({ name: own, phone: { account, id, notes = [] } }) => ({
      title: nameIn(fleet, own, account),
      note: { account, device: id },
      notes,
      incidents: [],
    }));
  const onIncidents = incidentSubjects(
    found.filter(({ notes = [] }) => notes.length > 0),
    view,
  );
  return notesAnswer(exporter, [...onPhones, ...onIncidents], view);
}

/** Maximum number of phones whose incidents are requested. */
const PHONES = 8;

/** Returns the parameters that select the incidents of the groups that a name refers to, or else of its phones. */
function selectionsOf(fleet: FleetDocument, name: string, phones: readonly FleetPhone[]) {
  const groups = findGroups(fleet, name).map(({ item: { account, group } }) => ({ account, group }));
  const isOfGroups = phones.every((phone) =>
    groups.some(({ account, group }) => phone.account === account && phone.group === group),
  );
  return isOfGroups ? groups : phones.slice(0, PHONES).map(({ account, id }) => ({ account, device: id }));
}

/** Writes the last notes on a phone, newest first. */
export async function phoneNotes(exporter: ChatExporter, { account, id }: FleetPhone): Promise<string> {
  const { fleet, time } = await exporter.view(true);
  const phone = fleet.phones.find((each) => each.id === id && each.account === account);
  return (phone?.notes ?? [])
    .slice(-NOTES_OF_PHONE)
    .reverse()
    .map((note) => say('incidents-note', { text: noteText(note, time) }))
    .join('\n');
}

/** Maximum number of notes in the answer about a phone. */
const NOTES_OF_PHONE = 3;

function noteText({ text, by, at }: Subject['notes'][number], time: TimeText): string {
  const who = personOf(by);
  const details = [who && quote(who), at && time(at)].filter(Boolean).join(', ');
  return `${quote(text)}${details === '' ? '' : ` (${details})`}`;
}

/** Lists notes. The newest one on each subject can be removed. Notes from the tags file have no time. */
function notesAnswer(exporter: ChatExporter, subjects: readonly Subject[], { time }: FleetView): ChatAnswer {
  const all = subjects
    .flatMap((subject) => subject.notes.map((note) => ({ ...note, subject })))
    .toSorted((one, other) => ((one.at ?? '') < (other.at ?? '') ? 1 : -1));
  if (all.length === 0) return { text: say('incidents-no-notes') };
  const lines = all.map(({ subject: { title }, ...note }) => `${quote(title)}: ${noteText(note, time)}`);
  const last = subjects.flatMap(({ title, note, notes }) => {
    const { at, text = '' } = notes.at(-1) ?? {};
    return at === undefined ? [] : [{ title, note, at, text }];
  });
  const buttons = last
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, REMOVABLE)
    .map(({ at, text, ...noted }) =>
      removeButton(exporter, noted, at, say('incidents-remove-text', { text })),
    );
  return { text: listText(lines, SHOWN, '\n', ': /notes rack-03'), buttons };
}

/** Maximum number of notes that a message offers to remove. */
const REMOVABLE = 3;
