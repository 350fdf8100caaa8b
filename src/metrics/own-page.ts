import type { Registry } from 'prom-client';
import { encodeHeading } from './encode.ts';
import type { SelfFamily } from './instrument-kit.ts';
import { COMPRESSED_FROM, createCompressor, joined, type Stretch, store } from './stretch.ts';
import { escapeLabelValue, formatValue } from './text.ts';

/** What our own instruments print, each anew only when one of its values has changed. */
export type OwnPage = {
  /** To be told, by the name of the instrument, of every change. */
  readonly changed: (name: string) => void;
  /** The instruments as of now. */
  readonly stretch: () => Promise<Stretch>;
  /** Prints what has changed ahead of the next scrape, and pauses in between. */
  readonly refresh: (pause: () => Promise<void>) => Promise<void>;
};

/** What an instrument printed. Kept as a promise, so that a change while it is being printed is not missed. */
type Print = { readonly stretch: Promise<Stretch>; readonly isAhead: boolean };

/**
 * Fifty accounts have more than ten thousand series of our own, most of which stand still between two scrapes; printing
 * and compressing all of them each time would take longer than sending the fleet. What a scrape has to print itself it
 * does not compress: to set zlib up takes longer than sending some kilobytes.
 *
 * @param families the instruments that are printed, in this order
 */
export function createOwnPage(registry: Registry, families: readonly SelfFamily[]): OwnPage {
  const compress = createCompressor();
  const prints = new Map<string, Print>();
  /** All of them laid together, while none has changed. */
  let whole: Promise<Stretch> | undefined;
  const print = (family: SelfFamily, isAhead: boolean): Print => {
    const stretch = textsOf(registry, family).then((texts) => {
      const characters = texts.reduce((length, text) => length + text.length, 0);
      return isAhead && characters >= COMPRESSED_FROM ? compress.texts(texts) : store(texts.join(''));
    });
    const made = { stretch, isAhead };
    prints.set(family.name, made);
    return made;
  };
  const stretch = (): Promise<Stretch> => {
    const stretches = families.map((family) => (prints.get(family.name) ?? print(family, false)).stretch);
    return Promise.all(stretches).then(joined);
  };
  return {
    changed: (name) => {
      if (prints.delete(name)) whole = undefined;
    },
    stretch: () => {
      whole ??= stretch();
      return whole;
    },
    refresh: async (pause) => {
      for (const family of families) {
        if (prints.get(family.name)?.isAhead === true) continue;
        await print(family, true).stretch;
        await pause();
      }
      whole = stretch();
      await whole;
    },
  };
}

/** An instrument as of now: its heading, and its samples. */
export async function textsOf(registry: Registry, family: SelfFamily): Promise<readonly string[]> {
  return [encodeHeading(family), ...(await linesOf(registry, family.name))];
}

/** The samples of a metric. Printed by ourselves, since prom-client takes two to five times as long for a line. */
async function linesOf(registry: Registry, name: string): Promise<readonly string[]> {
  const metric = await registry.getSingleMetric(name)?.get();
  return (metric?.values ?? []).map((sample) => {
    const sampleName = 'metricName' in sample ? sample.metricName : name;
    const labels = Object.entries(sample.labels).map(
      ([label, value]) => `${label}="${escapeLabelValue(String(value))}"`,
    );
    return `${sampleName}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${formatValue(sample.value)}\n`;
  });
}
