/** Pieces of the text exposition format 0.0.4 (Prometheus documentation, "Exposition formats"). */

const LABEL_SPECIAL = /["\\\n]/;

/** A label value between its quotes: backslash, quote and line feed are escaped. */
export function escapeLabelValue(value: string): string {
  if (!LABEL_SPECIAL.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** A help text: backslash and line feed are escaped. */
export function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** A sample value; the format spells the infinities +Inf and -Inf. */
export function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

/** `name="value",…` for labels in the given order, without the braces. */
export function formatLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabelValue(values[index] ?? '')}"`).join(',');
}
