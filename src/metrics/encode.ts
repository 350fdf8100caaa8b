import type { Sample } from './row.ts';

/*
 * The text exposition format 0.0.4 (Prometheus documentation, "Exposition formats").
 */

/** The media type of the text exposition; Prometheus 3 refuses a scrape without it. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Encodes the lines ahead of the samples of a family. */
export function encodeHeading(name: string, help: string, type: string): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
}

/** Encodes a label as `name="value"`. */
export function encodeLabel(name: string, value: string): string {
  return `${name}="${escapeLabelValue(value)}"`;
}

/**
 * Creates the encoder of the samples of one family: a line for each sample.
 *
 * @param ownLabels names of the labels behind the ones that identify the subject
 * @returns a function of the encoded labels that identify the subject, and of its samples
 */
export function createEncoder(
  name: string,
  ownLabels: readonly string[],
): (identity: string, samples: readonly Sample[]) => string {
  const encodeOwnLabels = ownLabelsEncoder(ownLabels);
  return (identity, samples) => {
    let lines = '';
    for (const sample of samples) {
      lines += `${name}{${identity}${encodeOwnLabels(sample)}} ${formatValue(sample[0])}\n`;
    }
    return lines;
  };
}

/** Maximum number of encoded label values that are kept; statuses are few, texts are not kept at all. */
const MAX_KEPT_LABELS = 100;

/** Returns a function that encodes the own labels of a sample. The values of a single label are few, and are kept. */
function ownLabelsEncoder(names: readonly string[]): (sample: Sample) => string {
  if (names.length === 0) return () => '';
  const encode = ([, ...values]: Sample): string =>
    names.map((name, index) => `,${encodeLabel(name, values[index] ?? '')}`).join('');
  if (names.length > 1) return encode;
  const kept = new Map<string | undefined, string>();
  return (sample) => {
    const known = kept.get(sample[1]);
    if (known !== undefined) return known;
    const text = encode(sample);
    if (kept.size < MAX_KEPT_LABELS) kept.set(sample[1], text);
    return text;
  };
}

const LABEL_SPECIAL = /["\\\n]/;

/** Escapes backslash, quote and line feed. */
function escapeLabelValue(value: string): string {
  if (!LABEL_SPECIAL.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Escapes backslash and line feed. */
function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** Formats a sample value; the format spells the infinities +Inf and -Inf. */
export function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}
