import type { Family } from '../src/metrics/families.ts';
import type { Snapshot } from '../src/model/snapshot.ts';

/**
 * The exposition as the format's document words it, one line at a time and with nothing clever: the encoder must print
 * the same, byte for byte.
 */
export function plainExposition(families: readonly Family[], { accounts }: Snapshot): string {
  const lines: string[] = [];
  for (const family of families) {
    lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
    for (const { identity, samples } of accounts.flatMap((account) => [...family.samples(account)])) {
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
