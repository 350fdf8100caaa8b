import { endOfObject, LARGEST_UNSEEN_BYTES } from '../json.ts';
import { MAX_ITEMS } from './device-page.ts';
import { type Bytes, bytesOf, type Found, findItem, type KnownItems } from './known-items.ts';

/** An item that says something new, by where its bytes begin and end. */
export type Stranger = { readonly from: number; readonly to: number };

/** An item of a page as bytes. */
export type SeenItem = Found | Stranger;

/** The items of a page, in order. */
export type Sight = {
  readonly bytes: Bytes;
  readonly items: readonly SeenItem[];
  /** How many of them say something new. */
  readonly strangers: number;
  /** The body with these alone. */
  readonly rest: Uint8Array;
};

/** No text in JSON can hold this, as a quote within a text has a backslash before it: where it stands, it is a key. */
const ITEMS = Buffer.from('"items":[');

const COMMA = Buffer.from(',');
const OPENING_BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;

/**
 * Looks for known items in a page, each behind the one found before. Undefined where the list is empty, or spelled in a
 * way that this does not follow, with blanks between items or with anything else than objects: such a body has to be
 * decoded as it is.
 */
export function lookForItems(body: Uint8Array, known: KnownItems): Sight | undefined {
  if (body.length > LARGEST_UNSEEN_BYTES) return undefined;
  const bytes = bytesOf(body);
  const key = bytes.buffer.indexOf(ITEMS);
  if (key < 0) return undefined;
  const start = key + ITEMS.length;
  const items = itemsAt(bytes, start, known);
  const end = items?.at(-1)?.to;
  if (items === undefined || end === undefined) return undefined;
  const strangers: SeenItem[] = [];
  for (const item of items) if (!isFound(item)) strangers.push(item);
  const isNothingKnown = strangers.length === items.length;
  const rest = isNothingKnown ? body : replaced(bytes.buffer, start, end, strangers);
  return { bytes, items, strangers: strangers.length, rest };
}

export function isFound(item: SeenItem): item is Found {
  return 'place' in item;
}

/** The items of the list that begins at `start`; undefined where they are not spelled as is expected. */
function itemsAt(bytes: Bytes, start: number, known: KnownItems): readonly SeenItem[] | undefined {
  const { buffer } = bytes;
  const items: SeenItem[] = [];
  for (let from = start, next = 0; buffer[from] === OPENING_BRACE && items.length < MAX_ITEMS; ) {
    const item = findItem(known, next, bytes, from) ?? strangerAt(buffer, from);
    if (item === undefined) return undefined;
    items.push(item);
    if (isFound(item)) next = item.place + 1;
    if (buffer[item.to] === CLOSING_BRACKET) return items;
    if (buffer[item.to] !== COMMA[0]) return undefined;
    from = item.to + COMMA.length;
  }
  return undefined;
}

function strangerAt(buffer: Buffer, from: number): Stranger | undefined {
  const to = endOfObject(buffer, from);
  return to === undefined ? undefined : { from, to };
}

/** The bytes with some items alone in place of what is there from `from` to `to`. */
function replaced(buffer: Buffer, from: number, to: number, items: readonly SeenItem[]): Buffer {
  const pieces = [buffer.subarray(0, from)];
  for (const item of items) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(buffer.subarray(item.from, item.to));
  }
  return Buffer.concat([...pieces, buffer.subarray(to)]);
}
