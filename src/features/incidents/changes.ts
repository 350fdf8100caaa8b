import * as z from 'zod';
import type { Log } from '../../base/log.ts';
import { localText, type TimeZone, zoneFor } from '../../base/time-zone.ts';
import type { AccountChange, Changes } from '../../daemon/changes.ts';
import { personOf } from '../../fleet/words.ts';
import { MAX_BODY_BYTES } from '../../http/limits.ts';
import { authorOf, notSaved, readChange } from '../../http/permission.ts';
import { jsonReply, type Reply, type RouteRequest, type Sender, textReply } from '../../http/reply.ts';
import type { Account } from '../../model/account.ts';
import { shownValue } from '../../model/cause.ts';
import type { Incident } from '../../model/incident.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { cleanName, cleanText, MAX_NAME, parseJson } from '../../model/text.ts';
import { adviceFor } from '../../state/keeper.ts';
import { say } from '../../text/say.ts';
import {
  acknowledgementOf,
  type Logbook,
  type LogbookEffect,
  MAX_NOTE,
  type Note,
  type NoteChange,
  notesAfter,
  type Signature,
} from './memory.ts';
import { type KeptIncident, notesOf } from './store.ts';

/*
 * `POST /api/v1/incidents`: acknowledges an incident or takes that back, or adds, corrects or removes a note on an incident or
 * a phone.
 */

type ChangeSources = {
  readonly accounts: () => readonly AccountSnapshot[];
  readonly changes: Changes<Logbook, LogbookEffect>;
  /** Returns the refusal for a sender who may not change anything. */
  readonly refusal: (sender: Sender) => Reply | undefined;
  readonly log: Log;
  readonly timeZone: () => TimeZone;
  /** Changes incidents in the files, one request at a time. */
  readonly rewrite: (change: (kept: KeptIncident) => readonly KeptIncident[]) => Promise<void>;
};

const text = z.string().transform(cleanName).pipe(z.string().min(1).max(MAX_NAME));

const SENDER = { account: text.optional(), by: z.string().max(MAX_BODY_BYTES).default('') };
/** A note. `replaces` is the time of an earlier note, or `last`: it is replaced, or removed by an empty text. */
const NOTE = {
  note: z.string().max(MAX_BODY_BYTES),
  replaces: z.union([z.literal('last'), z.iso.datetime().transform(Date.parse)]).optional(),
};

const BODY = z.union([
  z.strictObject({ ...SENDER, incident: text, acknowledge: z.boolean() }),
  z.strictObject({ ...SENDER, incident: text, ...NOTE }),
  z.strictObject({ ...SENDER, device: text, ...NOTE }),
]);

const EXPECTED =
  'expected JSON with incident and acknowledge, or with note and one of incident and device; account, by and replaces are optional';

/** Answers the request. */
export async function changeLogbook(request: RouteRequest, sources: ChangeSources): Promise<Reply> {
  const refusal = sources.refusal(request.sender);
  if (refusal !== undefined) return refusal;
  const content = await readChange(request);
  if (typeof content !== 'string') return content;
  const { data } = BODY.safeParse(parseJson(content));
  if (data === undefined) return textReply(400, EXPECTED);
  const signature = { by: authorOf(data.by, request.sender), at: sources.changes.now() };
  if ('acknowledge' in data) {
    const timeZone = () => zoneFor(request.query, sources.timeZone());
    return await acknowledge(data, signature, { ...sources, timeZone });
  }
  const clean = cleanText(data.note.replace(/\s+/g, ' '), MAX_BODY_BYTES).trim();
  const { replaces } = data;
  if ((clean === '' && replaces === undefined) || [...clean].length > MAX_NOTE)
    return textReply(400, say('incidents-note-length', { max: MAX_NOTE, count: [...clean].length }));
  const note = { ...signature, text: clean };
  const changeOf: ChangeOf = (notes) => {
    const last = notes.at(-1);
    // A request that is sent twice concerns the same note.
    if (replaces === undefined)
      return { note: last?.text === note.text && last.by === note.by ? last : note };
    const at = replaces === 'last' ? last?.at : replaces;
    if (at === undefined || notes.every((each) => each.at !== at)) return undefined;
    return { note: clean === '' ? undefined : note, replaces: { at } };
  };
  return 'device' in data
    ? await notedOnPhone(data, changeOf, sources)
    : await notedOnIncident(data, changeOf, sources);
}

/** Returns the change to some notes; undefined if the note to replace is not there. */
type ChangeOf = (notes: readonly Note[]) => NoteChange | undefined;

/** Says that a note is saved, and gives its time, which is needed to correct it. */
const noted = ({ note, replaces }: NoteChange): Reply => {
  const at = new Date(replaces?.at ?? note?.at ?? 0).toISOString();
  const done = replaces === undefined ? 'saved' : note === undefined ? 'removed' : 'corrected';
  return jsonReply(200, JSON.stringify({ text: say(`incidents-noted-${done}`), at }));
};

const noNote = (): Reply => textReply(404, say('incidents-note-gone'));

type Wanted = { readonly account?: string | undefined; readonly incident: string };

/**
 * Finds the accounts that have an incident. A common cause is one incident in each account with phones of it. Any other ID that
 * several accounts share stands for different incidents.
 *
 * @param isOpen finds only open incidents, including those of the same cause that began at another time and so have another ID
 */
function accountsWith({ account, incident }: Wanted, { accounts }: ChangeSources, isOpen = false) {
  const all = accounts().flatMap(({ name, known }) => {
    const { open, ended } = known.incidents;
    return [...open, ...(isOpen ? [] : ended)].map((own) => {
      return { name, known, incident: own, cause: isOpen ? causeOf(own, known) : undefined };
    });
  });
  const named = all.filter((each) => each.incident.id === incident && each.name === (account ?? each.name));
  const causes = new Set(named.flatMap(({ cause }) => cause ?? []));
  const isAmbiguous = named.length > 1 && named.some((each) => each.incident.problem !== 'common_cause');
  return {
    found: all.filter((each) => named.includes(each) || causes.has(each.cause ?? '')),
    ambiguity: isAmbiguous ? textReply(400, say('incidents-several-accounts')) : undefined,
  };
}

/** Names an incident's current cause, with the account if it is an unshared group; undefined if there is none. */
function causeOf({ problem, kind, value }: Incident, { causes }: Account): string | undefined {
  const own = causes.find(({ cause }) => cause.kind === kind && shownValue(cause) === value)?.cause;
  return problem === 'common_cause' && own ? `${kind} ${own.value}` : undefined;
}

type Found = ReturnType<typeof accountsWith>['found'][number];

/** Returns the acknowledgement of an open incident. */
function acknowledgementIn({ name, known, incident }: Found, { changes }: ChangeSources) {
  const facts = changes.of(name, known).incidents.get(incident.id);
  // Our clock may be behind the API's, which is unknown between a start and the first list.
  return facts && acknowledgementOf(facts, incident.openedAt);
}

/**
 * Acknowledges an incident, or takes that back. The first person stays: the answer to the second says who is already on it.
 */
async function acknowledge(
  wanted: Wanted & { readonly acknowledge: boolean },
  signature: Signature,
  sources: ChangeSources,
): Promise<Reply> {
  const { found, ambiguity } = accountsWith(wanted, sources, true);
  if (found.length === 0) return textReply(404, say('incidents-not-open'));
  if (ambiguity !== undefined) return ambiguity;
  const all = found.map((each) => ({ ...each, first: acknowledgementIn(each, sources) }));
  const taken = all.filter(({ first }) => first !== undefined);
  if (!wanted.acknowledge) {
    if (taken.length === 0) return done(say('incidents-nobody'));
    const effects = taken.map(({ name, incident: { id } }) => ({
      name,
      effect: { incident: id, acknowledged: undefined },
    }));
    return await made(effects, done(say('incidents-nobody-any-more')), sources, signature.by);
  }
  const free = all.filter(({ first }) => first === undefined);
  const [known] = taken.flatMap(({ first }) => first ?? []);
  const somebody = say('incidents-somebody');
  if (free.length === 0 && known !== undefined) {
    const time = localText(sources.timeZone(), known.at);
    return done(say('incidents-has-been-on-it', { person: personOf(known.by, somebody), time }));
  }
  const effects = free.map(({ name, incident: { id, openedAt } }) => ({
    name,
    effect: {
      incident: id,
      acknowledged: { ...signature, at: Math.max(sources.changes.now(name), openedAt) },
    },
  }));
  return await made(
    effects,
    done(say('incidents-is-on-it', { person: personOf(signature.by, somebody) })),
    sources,
  );
}

async function notedOnIncident(wanted: Wanted, changeOf: ChangeOf, sources: ChangeSources): Promise<Reply> {
  const { found, ambiguity } = accountsWith(wanted, sources);
  if (ambiguity !== undefined) return ambiguity;
  if (found.length > 0) {
    const notes = found.flatMap(
      ({ name, known, incident: { id } }) => sources.changes.of(name, known).incidents.get(id)?.notes ?? [],
    );
    const change = changeOf(notes.toSorted((one, other) => one.at - other.at));
    if (change === undefined) return noNote();
    return await made(
      found.map(({ name, incident: { id } }) => ({ name, effect: { incident: id, ...change } })),
      noted(change),
      sources,
    );
  }
  try {
    // The account has forgotten it, since it ended more than a day ago.
    let change: NoteChange | undefined;
    let isIncident = false;
    await sources.rewrite((kept) => {
      const { id, account } = kept.incident;
      if (id !== wanted.incident || (wanted.account ?? account) !== account) return [];
      const notes = (kept.incident.notes ?? []).map(({ text, by = '', at = '' }) => ({
        ...{ text, by, at: Date.parse(at) },
      }));
      isIncident = true;
      const own = changeOf(notes);
      change ??= own;
      return own === undefined
        ? []
        : [{ ...kept, incident: { ...kept.incident, notes: notesOf(notesAfter(notes, own)) } }];
    });
    if (change !== undefined) return noted(change);
    return isIncident ? noNote() : textReply(404, say('incidents-no-such-id'));
  } catch (error) {
    return notSaved(adviceFor(error));
  }
}

async function notedOnPhone(
  { account, device }: { readonly account?: string | undefined; readonly device: string },
  changeOf: ChangeOf,
  sources: ChangeSources,
): Promise<Reply> {
  const found = sources
    .accounts()
    .flatMap((own) => {
      const devices = account === undefined || account === own.name ? own.known.fleet?.devices : undefined;
      return Array.from(devices?.values() ?? [], (entry) => ({ own, ...entry.device }));
    })
    .filter(({ id, label }) => id === device || label === device);
  const [first, second] = found;
  if (first === undefined) return textReply(404, say('incidents-no-phone'));
  if (second !== undefined) return textReply(400, say('incidents-several-phones', { count: found.length }));
  const { id, own } = first;
  const change = changeOf(sources.changes.of(own.name, own.known).phones.get(id) ?? []);
  if (change === undefined) return noNote();
  return await made([{ name: own.name, effect: { phone: id, ...change } }], noted(change), sources);
}

/** Makes changes and answers, or gives the reason why nothing was saved. */
async function made(
  changes: readonly AccountChange<LogbookEffect>[],
  reply: Reply,
  sources: ChangeSources,
  by?: string,
): Promise<Reply> {
  const failure = await sources.changes.make(changes);
  if (failure !== undefined) return notSaved(failure);
  for (const { name: account, effect } of changes) {
    if ('acknowledged' in effect)
      sources.log.info(
        { account, incident: effect.incident, by: effect.acknowledged?.by ?? by },
        effect.acknowledged === undefined ? 'acknowledgement taken back' : 'incident acknowledged',
      );
    else if ('note' in effect) {
      const subject = 'phone' in effect ? { device: effect.phone } : { incident: effect.incident };
      const what = effect.replaces === undefined ? 'saved' : effect.note ? 'corrected' : 'removed';
      sources.log.info({ account, ...subject, by: effect.note?.by ?? by }, `note ${what}`);
    }
  }
  return reply;
}

const done = (sentence: string): Reply => jsonReply(200, JSON.stringify({ text: sentence }));
