import * as z from 'zod';
import type { Log } from '../../base/log.ts';
import type { AccountChange, Changes } from '../../daemon/changes.ts';
import { MAX_BODY_BYTES } from '../../http/limits.ts';
import { authorOf, notSaved, readChange } from '../../http/permission.ts';
import { jsonReply, type Reply, type RouteRequest, type Sender, textReply } from '../../http/reply.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { cleanName, cleanText, MAX_NAME, parseJson } from '../../model/text.ts';
import { adviceFor } from '../../state/keeper.ts';
import { type Logbook, type LogbookEffect, MAX_NOTE, type Note, withNote } from './memory.ts';
import { type KeptIncident, notesOf } from './store.ts';
import { WORDS } from './words.ts';

/*
 * `POST /api/v1/incidents`: acknowledges an incident, or adds a note to an incident or a phone.
 */

type ChangeSources = {
  readonly accounts: () => readonly AccountSnapshot[];
  readonly changes: Changes<Logbook, LogbookEffect>;
  /** Returns the refusal for a sender who may not change anything. */
  readonly refusal: (sender: Sender) => Reply | undefined;
  readonly log: Log;
  /** Changes incidents of the files, one request at a time. Resolves to their number. */
  readonly rewrite: (change: (kept: KeptIncident) => readonly KeptIncident[]) => Promise<number>;
};

const text = z.string().transform(cleanName).pipe(z.string().min(1).max(MAX_NAME));

const SENDER = { account: text.optional(), by: z.string().max(MAX_BODY_BYTES).default('') };
const NOTE = z.string().max(MAX_BODY_BYTES);

const BODY = z.union([
  z.strictObject({ ...SENDER, incident: text, acknowledge: z.literal(true) }),
  z.strictObject({ ...SENDER, incident: text, note: NOTE }),
  z.strictObject({ ...SENDER, device: text, note: NOTE }),
]);

const EXPECTED =
  'expected JSON with incident and acknowledge, or with note and one of incident and device; account and by are optional';

/** Answers the request. */
export async function changeLogbook(request: RouteRequest, sources: ChangeSources): Promise<Reply> {
  const refusal = sources.refusal(request.sender);
  if (refusal !== undefined) return refusal;
  const content = await readChange(request);
  if (typeof content !== 'string') return content;
  const { data } = BODY.safeParse(parseJson(content));
  if (data === undefined) return textReply(400, EXPECTED);
  const signature = { by: authorOf(data.by, request.sender), at: sources.changes.now() };
  if ('acknowledge' in data) return await acknowledged(data, signature, sources);
  const clean = cleanText(data.note.replace(/\s+/g, ' '), MAX_BODY_BYTES).trim();
  if (clean === '' || [...clean].length > MAX_NOTE)
    return textReply(400, `expected a note of 1 to ${MAX_NOTE} characters, got ${[...clean].length}`);
  const note = { ...signature, text: clean };
  return 'device' in data
    ? await notedOnPhone(data, note, sources)
    : await notedOnIncident(data, note, sources);
}

type Wanted = { readonly account?: string | undefined; readonly incident: string };

/** Returns the accounts that have an incident, open or resolved. */
function accountsWith({ account, incident }: Wanted, { accounts }: ChangeSources, isOpen = false) {
  return accounts().filter(({ name, known: { incidents } }) => {
    if (account !== undefined && account !== name) return false;
    return [...incidents.open, ...(isOpen ? [] : incidents.ended)].some(({ id }) => id === incident);
  });
}

async function acknowledged(
  wanted: Wanted,
  signature: Omit<Note, 'text'>,
  sources: ChangeSources,
): Promise<Reply> {
  const found = accountsWith(wanted, sources, true);
  if (found.length === 0) return textReply(404, WORDS.notOpen);
  return await made(
    found.map(({ name, known: { incidents } }) => {
      // Our clock may be behind that of the API, which is unknown between a start and the first list.
      const { openedAt = 0 } = incidents.open.find(({ id }) => id === wanted.incident) ?? {};
      const acknowledged = { ...signature, at: Math.max(signature.at, openedAt) };
      return { name, effect: { incident: wanted.incident, acknowledged } };
    }),
    WORDS.isOnIt(signature.by),
    sources,
  );
}

async function notedOnIncident(wanted: Wanted, note: Note, sources: ChangeSources): Promise<Reply> {
  const found = accountsWith(wanted, sources);
  if (found.length > 0)
    return await made(
      found.map(({ name }) => ({ name, effect: { incident: wanted.incident, note } })),
      WORDS.noted,
      sources,
    );
  try {
    // The account has forgotten it: a day has passed since its end.
    const count = await sources.rewrite((kept) => {
      const { id, account, notes = [] } = kept.incident;
      if (id !== wanted.incident || (wanted.account ?? account) !== account) return [];
      return [{ ...kept, incident: { ...kept.incident, notes: withNote(notes, ...notesOf([note])) } }];
    });
    return count === 0 ? textReply(404, WORDS.noSuchIncident) : done(WORDS.noted);
  } catch (error) {
    return notSaved(adviceFor(error));
  }
}

async function notedOnPhone(
  { account, device }: { readonly account?: string | undefined; readonly device: string },
  note: Note,
  sources: ChangeSources,
): Promise<Reply> {
  const found = sources
    .accounts()
    .filter(({ name }) => account === undefined || account === name)
    .flatMap(({ name, known }) =>
      Array.from(known.fleet?.devices.values() ?? [], ({ device: { id, label } }) => ({ name, id, label })),
    )
    .filter(({ id, label }) => id === device || label === device);
  const [first, second] = found;
  if (first === undefined) return textReply(404, WORDS.noSuchPhone);
  if (second !== undefined) return textReply(400, WORDS.severalPhones(found.length));
  return await made([{ name: first.name, effect: { phone: first.id, note } }], WORDS.noted, sources);
}

/** Makes changes and answers with a sentence, or with the reason why nothing was saved. */
async function made(
  changes: readonly AccountChange<LogbookEffect>[],
  sentence: string,
  sources: ChangeSources,
): Promise<Reply> {
  const failure = await sources.changes.make(changes);
  if (failure !== undefined) return notSaved(failure);
  for (const { name: account, effect } of changes) {
    if ('acknowledged' in effect)
      sources.log.info(
        { account, incident: effect.incident, by: effect.acknowledged.by },
        'incident acknowledged',
      );
    else if ('note' in effect) {
      const subject = 'phone' in effect ? { device: effect.phone } : { incident: effect.incident };
      sources.log.info({ account, ...subject, by: effect.note.by }, 'note saved');
    }
  }
  return done(sentence);
}

const done = (sentence: string): Reply => jsonReply(200, JSON.stringify({ text: sentence }));
