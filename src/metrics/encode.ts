import { MAX_BYTES_PER_CHARACTER, MAX_BYTES_PER_NUMBER, writeTexts, writeThousandths } from './bytes.ts';
import type { Row, Sample } from './row.ts';
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

/**
 * Encodes the samples of rows in the text exposition (format 0.0.4), batch by batch. It has a room of its own to write
 * in, since one made anew each time is garbage. The identities of a batch stand at the start of it, as the same room is
 * the fastest place to copy from. A class: see docs/decisions/0019.
 */
export class Encoder {
  #room = Buffer.alloc(0);
  #ends = new Uint32Array(0);

  /**
   * Begins a batch: what is encoded then is of its subjects.
   *
   * @param identities the text of the labels that identify each subject
   */
  begin(identities: readonly string[]): void {
    const characters = identities.reduce((sum, { length }) => sum + length, 0);
    this.#room = withRoom(this.#room, 0, characters * MAX_BYTES_PER_CHARACTER);
    this.#ends = writeTexts(this.#room, identities);
  }

  /** Encodes what a row says of the subjects of the batch. */
  encode<Subject>(row: Row<Subject>, subjects: readonly Subject[]): Piece {
    const name = Buffer.from(`${row.name}{`);
    const ownLabels = new OwnLabels(row.labels);
    const ends = this.#ends;
    const start = ends.at(-1) ?? 0;
    let room = this.#room;
    let end = start;
    let series = 0;
    for (let index = 0; index < subjects.length; index += 1) {
      const subject = subjects[index];
      if (subject === undefined) continue;
      const samples = row.read(subject);
      const [identityStart = 0, identityEnd = 0] = [index === 0 ? 0 : ends[index - 1], ends[index]];
      for (const sample of samples) {
        const labels = ownLabels.of(sample);
        const identityAt = end + name.length;
        const labelsAt = identityAt + identityEnd - identityStart;
        room = withRoom(room, end, labelsAt + labels.length + MAX_BYTES_PER_NUMBER + 1);
        room.set(name, end);
        room.copyWithin(identityAt, identityStart, identityEnd);
        room.set(labels, labelsAt);
        end = writeNumber(room, labelsAt + labels.length, sample[0]);
        room[end] = NEW_LINE;
        end += 1;
      }
      series += samples.length;
    }
    this.#room = room;
    return { bytes: room.subarray(start, end), series };
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

const NO_LABELS = Buffer.from('} ');

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

  of(sample: Sample): Uint8Array {
    if (this.#starts.length === 0) return NO_LABELS;
    if (this.#starts.length > 1) return this.#write(sample);
    const known = this.#known.get(sample[1]);
    if (known !== undefined) return known;
    const text = this.#write(sample);
    this.#known.set(sample[1], text);
    return text;
  }

  #write(sample: Sample): Uint8Array {
    let text = '';
    for (const [index, start] of this.#starts.entries()) {
      text += `${start}${escapeLabelValue(String(sample[index + 1] ?? ''))}"`;
    }
    return Buffer.from(`${text}} `);
  }
}
