import type { Row, Sample } from './row.ts';
import { escapeHelp, escapeLabelValue, formatValue } from './text.ts';

/** Characters of a text: V8 takes twice as long to lay out one long string as several short ones. */
const TEXT_LENGTH = 16 * 1024;

/** A stretch of an exposition that ends at a line end, in texts of some 16 KiB, and the number of samples in it. */
export type Piece = { readonly texts: readonly string[]; readonly series: number };

/** What the lines ahead of the samples say. */
export type Heading = { readonly name: string; readonly help: string; readonly type: string };

/** The lines that stand ahead of the samples of a family, whether it has any or not. */
export function encodeHeading({ name, help, type }: Heading): Piece {
  return { texts: [`# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`], series: 0 };
}

/**
 * The samples of a row in the text exposition (format 0.0.4).
 *
 * @param identities text of the labels that identify each subject
 */
export function encodeBatch<Subject>(
  row: Row<Subject>,
  subjects: readonly Subject[],
  identities: readonly string[],
): Piece {
  const name = `${row.name}{`;
  const ownLabels = ownLabelsOf(row.labels);
  const texts: string[] = [];
  let text = '';
  let series = 0;
  for (let index = 0; index < subjects.length; index += 1) {
    const subject = subjects[index];
    if (subject === undefined) continue;
    const samples = row.read(subject);
    const start = name + identities[index];
    for (const sample of samples) text += `${start}${ownLabels(sample)}${formatValue(sample[0])}\n`;
    series += samples.length;
    if (text.length < TEXT_LENGTH) continue;
    texts.push(text);
    text = '';
  }
  texts.push(text);
  return { texts, series };
}

/**
 * What stands between the labels that identify a subject and the value. A single label has few different values, so its
 * texts are kept: most lines of a batch are made of what is there already.
 */
function ownLabelsOf(names: readonly string[]): (sample: Sample) => string {
  const starts = names.map((name) => `,${name}="`);
  const [only] = starts;
  if (only === undefined) return () => '} ';
  const write = (sample: Sample): string =>
    `${starts.map((start, index) => `${start}${escapeLabelValue(String(sample[index + 1] ?? ''))}"`).join('')}} `;
  if (starts.length > 1) return write;
  const known = new Map<string | undefined, string>();
  return (sample) => {
    const kept = known.get(sample[1]);
    if (kept !== undefined) return kept;
    const text = write(sample);
    known.set(sample[1], text);
    return text;
  };
}
