import { shippedText } from './rules/shipped.ts';

const MEGABYTE = 1e6;

/** Rows of "Memory" in docs/PERFORMANCE.md. The first two columns are with the shipped limit. */
const ROW = /^\| (?<phones>[\d,]+) \| (?<limited>\d+ MB, at most \d+ MB \| \d+ MB, at most \d+ MB) \|/gm;

/** Resident bytes that the daemon was measured to take with the shipped limit, by the number of phones: on any Node, the most. */
export const MEASURED_MEMORY: ReadonlyMap<number, { readonly resident: number; readonly peak: number }> =
  new Map(
    Array.from(
      shippedText('docs/PERFORMANCE.md').matchAll(ROW),
      ({ groups: { phones = '', limited = '' } = {} }) => {
        const most = (pattern: RegExp): number =>
          MEGABYTE *
          Math.max(...Array.from(limited.matchAll(pattern), ([figure]) => Number.parseInt(figure, 10)));
        const measured = { resident: most(/\d+(?= MB,)/g), peak: most(/(?<=at most )\d+/g) };
        return [Number(phones.replaceAll(',', '')), measured] as const;
      },
    ),
  );

export function measuredMemory(phones: number): { readonly resident: number; readonly peak: number } {
  const measured = MEASURED_MEMORY.get(phones);
  if (measured === undefined) throw new Error(`docs/PERFORMANCE.md has no memory of ${phones} phones`);
  return measured;
}
