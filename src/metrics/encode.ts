import type { Row, Sample } from './row.ts';
import { escapeHelp, escapeLabelValue, formatValue } from './text.ts';
import type { Part } from './view.ts';

/** Characters of a text: V8 takes twice as long to lay out one long string as several short ones. */
const TEXT_LENGTH = 16 * 1024;

/** A stretch of an exposition that ends at a line end, in texts of some 16 KiB, and the number of samples in it. */
export type Piece = { readonly texts: readonly string[]; readonly series: number };

/** The lines that stand ahead of the samples of a family, whether it has any or not. */
export function encodeHeading({ name, help, type }: Pick<Row<never>, 'name' | 'help' | 'type'>): Piece {
  return { texts: [`# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`], series: 0 };
}

/**
 * The samples of a row in the text exposition (format 0.0.4).
 *
 * @param identityLabels names of the labels that identify a subject: `account`, and maybe a second one
 * @param from place in the part of the first subject
 * @param to place behind the last one
 */
export function encodeShard<Subject>(
  row: Row<Subject>,
  identityLabels: readonly string[],
  part: Part<Subject>,
  from: number,
  to: number,
): Piece {
  const account = `${row.name}{account="${escapeLabelValue(part.account)}"`;
  const second = `${account},${identityLabels[1]}="`;
  const ownLabels = row.labels.map((name) => `,${name}="`);
  const texts: string[] = [];
  let text = '';
  let series = 0;
  part.subjects.slice(from, to).forEach((subject, offset) => {
    const samples = row.read(subject);
    if (samples.length === 0) return;
    const start = part.id === undefined ? account : `${second}${escapeLabelValue(part.id(from + offset))}"`;
    for (const sample of samples) text += start + encodeSample(ownLabels, sample);
    series += samples.length;
    if (text.length >= TEXT_LENGTH) {
      texts.push(text);
      text = '';
    }
  });
  texts.push(text);
  return { texts, series };
}

function encodeSample(ownLabels: readonly string[], sample: Sample): string {
  let labels = '';
  for (let index = 0; index < ownLabels.length; index += 1) {
    labels += `${ownLabels[index]}${escapeLabelValue(String(sample[index + 1] ?? ''))}"`;
  }
  return `${labels}} ${formatValue(sample[0])}\n`;
}
