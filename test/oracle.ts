import type { Family } from '../src/metrics/catalog.ts';
import type { View } from '../src/metrics/view.ts';

/**
 * The exposition as the format's document words it, one line at a time and with nothing clever: what the fast encoder
 * must print, byte for byte.
 */
export function plainExposition(families: readonly Family[], view: View): string {
  const lines: string[] = [];
  for (const family of families) {
    lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    for (const { identity, samples } of family.groups(view)) {
      for (const [value, ...labelValues] of samples) {
        const own = family.ownLabels.map(
          (name, index) => `${name}="${plainEscape(labelValues[index] ?? '')}"`,
        );
        lines.push(`${family.name}{${[identity, ...own].join(',')}} ${value}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

function plainEscape(value: string): string {
  return [...value]
    .map((character) => ({ '\\': '\\\\', '"': '\\"', '\n': '\\n' })[character] ?? character)
    .join('');
}
