import type { Registry } from 'prom-client';
import { encodeHeading } from './encode.ts';
import type { SelfFamily } from './instrument-kit.ts';
import { createCompressor, type Stretch, store } from './stretch.ts';
import { escapeLabelValue, formatValue } from './text.ts';

/** What our own instruments print, each anew only when one of its values has changed. */
export type OwnPage = {
  /** To be told, by the name of the instrument, of every change. */
  readonly changed: (name: string) => void;
  /** The instruments as of now. */
  readonly stretches: (families: readonly SelfFamily[]) => Promise<readonly Stretch[]>;
  /** Prints what has changed ahead of the next scrape, and pauses in between. */
  readonly refresh: (families: readonly SelfFamily[], pause: () => Promise<void>) => Promise<void>;
};

/** Characters from which on it pays to compress. */
const COMPRESSED_FROM = 1024;

/**
 * Fifty accounts have more than ten thousand series of our own, most of which stand still between two scrapes; printing
 * and compressing all of them each time would take longer than sending the fleet.
 */
export function createOwnPage(registry: Registry): OwnPage {
  const compress = createCompressor();
  const printed = new Map<string, Promise<Stretch>>();
  const print = async (family: SelfFamily): Promise<Stretch> => {
    const lines = [...encodeHeading(family).texts, ...(await linesOf(registry, family.name))];
    const characters = lines.reduce((length, line) => length + line.length, 0);
    return characters < COMPRESSED_FROM ? store(lines.join('')) : compress(lines);
  };
  // Kept as a promise, so that a change while it is being printed is not missed.
  const stretchOf = (family: SelfFamily): Promise<Stretch> => {
    const stretch = printed.get(family.name) ?? print(family);
    printed.set(family.name, stretch);
    return stretch;
  };
  return {
    changed: (name) => printed.delete(name),
    stretches: (families) => Promise.all(families.map(stretchOf)),
    refresh: async (families, pause) => {
      for (const family of families.filter(({ name }) => !printed.has(name))) {
        await stretchOf(family);
        await pause();
      }
    },
  };
}

/** The samples of a metric. Printed by ourselves, since prom-client takes two to five times as long for a line. */
export async function linesOf(registry: Registry, name: string): Promise<readonly string[]> {
  const metric = await registry.getSingleMetric(name)?.get();
  return (metric?.values ?? []).map((sample) => {
    const sampleName = 'metricName' in sample ? sample.metricName : name;
    const labels = Object.entries(sample.labels).map(
      ([label, value]) => `${label}="${escapeLabelValue(String(value))}"`,
    );
    return `${sampleName}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${formatValue(sample.value)}\n`;
  });
}
