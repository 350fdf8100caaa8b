import { type AlikeTexts, MAX_BYTES_PER_NUMBER, mostBytesOf, writeTexts, writeThousandths } from './bytes.ts';
import type { Row } from './row.ts';
import type { SampleTaker } from './sample.ts';
import { escapeHelp, escapeLabelValue, formatValue } from './text.ts';

/** A stretch of an exposition that ends at a line end, and the number of samples in it. */
export type Piece = {
  /** Only until the next piece is encoded, which is written over them. */
  readonly bytes: Uint8Array;
  readonly series: number;
};

/** What the lines ahead of the samples say. */
export type Heading = { readonly name: string; readonly help: string; readonly type: string };

/** The lines that stand ahead of the samples of a family, whether it has any or not. */
export function encodeHeading({ name, help, type }: Heading): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
}

const NEW_LINE = 0x0a;

const NO_LABELS = Buffer.from('} ');

/**
 * Encodes the samples of rows in the text exposition (format 0.0.4), batch by batch. It has a room of its own to write
 * in, since one made anew each time is garbage. The identities of a batch stand at the start of it, as the same room is
 * the fastest place to copy from. A class: see docs/decisions/0019.
 */
export class Encoder {
  readonly #lines = new Lines();

  /**
   * Begins a batch: what is encoded then is of its subjects.
   *
   * @param identities the text of the labels that identify each subject
   */
  begin(identities: AlikeTexts): void {
    this.#lines.identify(identities);
  }

  /** Encodes what a row says of the subjects of the batch. */
  encode<Subject>(row: Row<Subject>, subjects: readonly Subject[]): Piece {
    const lines = this.#lines;
    lines.begin(row);
    for (let index = 0; index < subjects.length; index += 1) {
      const subject = subjects[index];
      if (subject === undefined) continue;
      lines.turnTo(index);
      row.read(subject, lines);
    }
    return lines.piece();
  }
}

/** Writes the lines of one row after the other. */
class Lines implements SampleTaker {
  #room = Buffer.alloc(0);
  /** Where each identity ends; all of them stand at the start of the room. */
  #identityEnds = new Uint32Array(0);
  #name: Uint8Array = Buffer.alloc(0);
  #ownLabels = new OwnLabels([]);
  #identityStart = 0;
  #identityEnd = 0;
  #end = 0;
  #series = 0;

  identify(identities: AlikeTexts): void {
    this.#room = withRoom(this.#room, 0, mostBytesOf(identities));
    this.#identityEnds = writeTexts(this.#room, identities);
  }

  begin({ name, labels }: Pick<Row<never>, 'name' | 'labels'>): void {
    this.#name = Buffer.from(`${name}{`);
    this.#ownLabels = new OwnLabels(labels);
    this.#end = this.#identityEnds.at(-1) ?? 0;
    this.#series = 0;
  }

  /** What is taken from now on is said of this subject, by its place in the batch. */
  turnTo(index: number): void {
    this.#identityStart = index === 0 ? 0 : (this.#identityEnds[index - 1] ?? 0);
    this.#identityEnd = this.#identityEnds[index] ?? 0;
  }

  take(value: number, labelValues: readonly string[]): void {
    const name = this.#name;
    const labels = this.#ownLabels.of(labelValues);
    const identityAt = this.#end + name.length;
    const labelsAt = identityAt + this.#identityEnd - this.#identityStart;
    const room = withRoom(this.#room, this.#end, labelsAt + labels.length + MAX_BYTES_PER_NUMBER + 1);
    room.set(name, this.#end);
    room.copyWithin(identityAt, this.#identityStart, this.#identityEnd);
    room.set(labels, labelsAt);
    const newLineAt = writeNumber(room, labelsAt + labels.length, value);
    room[newLineAt] = NEW_LINE;
    this.#room = room;
    this.#end = newLineAt + 1;
    this.#series += 1;
  }

  piece(): Piece {
    return { bytes: this.#room.subarray(this.#identityEnds.at(-1) ?? 0, this.#end), series: this.#series };
  }
}

function writeNumber(room: Buffer, at: number, value: number): number {
  return writeThousandths(room, at, value) ?? at + room.write(formatValue(value), at);
}

/** The room, or, where it is not so long, a longer one with the first `end` bytes of it. */
function withRoom(room: Buffer<ArrayBuffer>, end: number, length: number): Buffer<ArrayBuffer> {
  if (length <= room.length) return room;
  const longer = Buffer.allocUnsafeSlow(2 * length);
  room.copy(longer, 0, 0, end);
  return longer;
}

/**
 * What stands between the labels that identify a subject and the value. A single label has few different values, so its
 * texts are kept: most lines of a batch are made of what is there already.
 */
class OwnLabels {
  readonly #starts: readonly string[];
  readonly #known = new Map<string | undefined, Uint8Array>();

  constructor(names: readonly string[]) {
    this.#starts = names.map((name) => `,${name}="`);
  }

  of(values: readonly string[]): Uint8Array {
    if (this.#starts.length === 0) return NO_LABELS;
    if (this.#starts.length > 1) return this.#write(values);
    const [value] = values;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const text = this.#write(values);
    this.#known.set(value, text);
    return text;
  }

  #write(values: readonly string[]): Uint8Array {
    let text = '';
    for (const [index, start] of this.#starts.entries()) {
      text += `${start}${escapeLabelValue(values[index] ?? '')}"`;
    }
    return Buffer.from(`${text}} `);
  }
}
