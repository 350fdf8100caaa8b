import { spreadsheetDamage } from '../../base/spreadsheet.ts';
import type { Properties } from '../../model/fleet.ts';
import type { Snapshot } from '../../model/snapshot.ts';

export type TagLine = {
  readonly line: number;
  /** The id or label of its phone. */
  readonly phone: string;
  /** Empty for phones of all accounts. */
  readonly account: string;
  readonly tags: Properties;
  /** The column `# note`; empty if there is none. */
  readonly note: string;
};

/** The tags file (`tags.file`) as it was read. */
export type TagBook = {
  /** Title of the first column, whatever it is. In a file without titles, it is the name of a phone. */
  readonly firstTitle?: string;
  readonly names: readonly string[];
  /** The lines by account, then by phone; undefined while the file cannot be read, which keeps the known tags. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<string, TagLine>> | undefined;
  /** The first warnings about input without effect that follow from the file alone, and the number of others. */
  readonly warnings: readonly string[];
  readonly moreWarnings: number;
};

export const NO_TAG_BOOK: TagBook = { names: [], lines: new Map(), warnings: [], moreWarnings: 0 };

export const SHOWN_WARNINGS = 20;

export const MAX_TAGS = 8;

/** Labels of our metrics and alerts, and kinds of causes and months. No tag may have such a name. */
const RESERVED: ReadonlySet<string> = new Set(
  `abbreviation about account acknowledged_by alert alertname alertstate api app_version brand code collector column
  covers currency device_id endpoint escalated field file group host https_port incident instance job kind label le
  maintenance major marketplace_status minor model node_version patch path phone problem quantile reason rental_id
  rental_status revision scope severity socks5_port sold source space started_by state status subject tag text
  time_zone title transparent_socks5_port tunnel_host tunnel_id type url value version why`.split(/\s+/),
);

/** Returns what was expected instead of a name; undefined if a tag may have it. */
export function tagNameProblem(name: string): string | undefined {
  if (RESERVED.has(name)) return 'another name: this one is taken by a label of the metrics';
  if (/^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name)) return undefined;
  const nearest = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '');
  return `letters (a to z), digits and _, such as ${nearest === '' ? 'carrier' : nearest.slice(0, 64)}`;
}

/** Returns a function that finds the line of an account's phone by its id, or else by its label. */
export function tagLineFinder(
  { lines }: TagBook,
  account: string,
): (id: string, label: string) => TagLine | undefined {
  const [own, all] = [lines?.get(account), lines?.get('')];
  return (id, label) => {
    const name = label.trim();
    return own?.get(id) ?? own?.get(name) ?? all?.get(id) ?? all?.get(name);
  };
}

/** Lists what has no effect in the tags file, including lines for unknown phones once all accounts are known. */
export function tagWarnings(book: TagBook, snapshot: Snapshot): readonly string[] {
  const lines = unmatched(book, snapshot);
  const shown = lines.slice(0, SHOWN_WARNINGS - book.warnings.length).map(unmatchedText);
  const more = book.moreWarnings + lines.length - shown.length;
  return [...book.warnings, ...shown, ...(more === 0 ? [] : [`tags.file: and ${more} more`])];
}

/** Reports whether the first line of the file names a phone, which means that the column names are missing. */
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

/** Lists the lines that no phone takes its tags from, in order. */
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
