/** 12345.6 as "12,346". */
export function whole(number: number): string {
  return Math.round(number).toLocaleString('en');
}

/** Two figures of a small number, a large one whole: "0.50", "1.3", "1,234". */
export function short(number: number): string {
  return number < 10 ? number.toPrecision(2) : whole(number);
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** 12345678 as "12 MB". */
export function bytes(number: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, number)) / 3));
  return `${short(number / 1000 ** power)} ${UNITS[power]}`;
}
