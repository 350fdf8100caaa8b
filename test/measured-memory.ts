import { shippedText } from './rules/shipped.ts';

const ROW = /^\| (?<phones>[\d,]+) \| \d+ MB \| \d+ MB \| (?<atMost>\d+) MB \|$/gm;

/** Bytes that a process was measured to take at most, by the number of phones ("Memory" in docs/PERFORMANCE.md). */
export const MEASURED_MEMORY: ReadonlyMap<number, number> = new Map(
  Array.from(
    shippedText('docs/PERFORMANCE.md').matchAll(ROW),
    ({ groups: { phones = '', atMost = '' } = {} }) => [
      Number(phones.replaceAll(',', '')),
      Number(atMost) * 1e6,
    ],
  ),
);

export function measuredMemory(phones: number): number {
  const bytes = MEASURED_MEMORY.get(phones);
  if (bytes === undefined) throw new Error(`docs/PERFORMANCE.md has no memory of ${phones} phones`);
  return bytes;
}
