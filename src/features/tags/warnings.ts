import { spreadsheetDamage } from '../../base/spreadsheet.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { SHOWN_WARNINGS, type TagBook, type TagLine, tagLineFinder } from './book.ts';

/** Lists what of the file of tags has no effect: a line of a phone that nobody has, too, once all accounts are known. */
export function tagWarnings(book: TagBook, snapshot: Snapshot): readonly string[] {
  const lines = unmatched(book, snapshot);
  const shown = lines.slice(0, SHOWN_WARNINGS - book.warnings.length).map(unmatchedText);
  const more = book.moreWarnings + lines.length - shown.length;
  return [...book.warnings, ...shown, ...(more === 0 ? [] : [`tags.file: and ${more} more`])];
}

/** Reports whether the first line of the file names a phone, so that the names of its columns are missing. */
export function hasNoTitles({ firstTitle }: TagBook, { accounts }: Snapshot): boolean {
  if (firstTitle === undefined || firstTitle === '') return false;
  return accounts.some(({ known }) => {
    const devices = known.fleet?.devices;
    if (devices === undefined) return false;
    return (
      devices.has(firstTitle) ||
      [...devices.values()].some(({ device }) => device.label.trim() === firstTitle)
    );
  });
}

/** Lists the lines that no phone takes its tags from, in their order. */
function unmatched(book: TagBook, { accounts }: Snapshot): readonly TagLine[] {
  if (!book.lines?.size || accounts.some(({ known }) => known.fleet === undefined)) return [];
  const found = new Set<TagLine | undefined>();
  for (const { name, known } of accounts) {
    const find = tagLineFinder(book, name);
    for (const [id, { device }] of known.fleet?.devices ?? []) found.add(find(id, device.label));
  }
  const lines = [...book.lines.values()].flatMap((ofAccount) => [...ofAccount.values()]);
  return lines.filter((line) => !found.has(line)).sort((one, other) => one.line - other.line);
}

function unmatchedText({ line, phone, account }: TagLine): string {
  const where = account === '' ? '' : ` of account "${account}"`;
  const damage = spreadsheetDamage(phone);
  const advice = damage === undefined ? '' : `: it looks like ${damage}, so format the column as text`;
  return `tags.file: line ${line}: no phone${where} has the id or the label "${phone}", or another line names it${advice}`;
}
