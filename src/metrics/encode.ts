import type { Sample } from './row.ts';

/*
 * The text exposition format 0.0.4 (Prometheus documentation, "Exposition formats").
 */

/** Media type of the text exposition. Prometheus 3 rejects a scrape without it. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function encodeHeading(name: string, help: string, type: string): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
}

/** Encodes a label as `name="value"`. */
export function encodeLabel(name: string, value: string): string {
  return `${name}="${escapeLabelValue(value)}"`;
}

/**
 * Creates the encoder of a family's samples, one line each.
 *
 * @param ownLabels names of the labels after those that identify the subject
 * @returns a function of a subject's encoded identity and its samples
 */
export function createEncoder(
  name: string,
  ownLabels: readonly string[],
): (identity: string, samples: readonly Sample[]) => string {
  const encodeOwnLabels = ownLabelsEncoder(ownLabels);
  return (identity, samples) => {
    let lines = '';
    for (const sample of samples)
      lines += `${name}{${identity}${encodeOwnLabels(sample)}} ${formatValue(sample[0])}\n`;
    return lines;
  };
}

/** Maximum number of cached label values. */
const MAX_CACHED_LABELS = 100;

/** Returns a function that encodes a sample's own labels. Caches single labels, which have few values. */
function ownLabelsEncoder(names: readonly string[]): (sample: Sample) => string {
  if (names.length === 0) return () => '';
  const encode = ([, ...values]: Sample): string =>
    names.map((name, index) => `,${encodeLabel(name, values[index] ?? '')}`).join('');
  if (names.length > 1) return encode;
  const cache = new Map<string | undefined, string>();
  return (sample) => {
    const cached = cache.get(sample[1]);
    if (cached !== undefined) return cached;
    const text = encode(sample);
    if (cache.size < MAX_CACHED_LABELS) cache.set(sample[1], text);
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

/** Formats a sample value, with infinities as +Inf and -Inf. */
export function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}
