import type { Properties } from '../../model/fleet.ts';

/** A line of the file of tags. */
export type TagLine = {
  readonly line: number;
  /** The id or the label of its phone. */
  readonly phone: string;
  /** Empty for the phones of all accounts. */
  readonly account: string;
  readonly tags: Properties;
  /** The column `# note`; empty without one. */
  readonly note: string;
};

/** The file of tags (`tags.file`), as it was read. */
export type TagBook = {
  /** Title of the first column, whatever it is; the name of a phone in a file without titles. */
  readonly firstTitle?: string;
  readonly names: readonly string[];
  /** The lines by account, then by phone; undefined while the file cannot be read, so that what was known stays. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<string, TagLine>> | undefined;
  /** The first sentences about what has no effect, as far as the file alone tells, and how many more there are. */
  readonly warnings: readonly string[];
  readonly moreWarnings: number;
};

/** No file of tags. */
export const NO_TAG_BOOK: TagBook = { names: [], lines: new Map(), warnings: [], moreWarnings: 0 };

/** Number of warnings that are shown. */
export const SHOWN_WARNINGS = 20;

/** Maximum number of tags of a phone. */
export const MAX_TAGS = 8;

/** Labels of our metrics and alerts, and kinds of causes and months: no tag has such a name. */
const RESERVED: ReadonlySet<string> = new Set(
  `about abbreviation account alertname alertstate api app_version brand code collector column currency device_id
  endpoint escalated field group host https_port incident instance job kind label le maintenance major marketplace_status minor model
  node_version patch path phone problem quantile reason rental_id rental_status revision scope severity socks5_port sold
  source space started_by state status tag text time_zone transparent_socks5_port tunnel_host tunnel_id type url value version`.split(
    /\s+/,
  ),
);

/** Returns what was expected in place of the name of a tag; undefined for a name that a tag can have. */
export function tagNameProblem(name: string): string | undefined {
  if (RESERVED.has(name)) return 'another name: this one is taken by a label of the metrics';
  if (/^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name)) return undefined;
  const nearest = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '');
  return `letters (a to z), digits and _, such as ${nearest === '' ? 'carrier' : nearest.slice(0, 64)}`;
}

/** Returns a function that finds the line of a phone of an account: by its id, else by its label. */
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
