import { shortHash } from './text.ts';

/** Properties that devices can share, the more physical first: the first of two equal explanations wins. */
export const CAUSE_KINDS = ['group', 'tunnel_host', 'account', 'app_version', 'model'] as const;

/** One of {@link CAUSE_KINDS}, or the name of a tag. */
export type CauseKind = string;

/** Returns the kind if it is built in; undefined for a tag. */
export function ownKind(kind: CauseKind): (typeof CAUSE_KINDS)[number] | undefined {
  return CAUSE_KINDS.find((each) => each === kind);
}

/** A property that explains why devices went offline at the same time. Instants are milliseconds since 1970. */
export type CommonCause = {
  readonly kind: CauseKind;
  /** The shared value: a group with its account, a tunnel host in full. See {@link shownValue}. */
  readonly value: string;
  /** Number of offline devices that it explains in all accounts, and how many of them are sold. */
  readonly devices: number;
  readonly sold: number;
  /** Number of devices in use with this value: set up, with a readable heartbeat, and not given up. */
  readonly ownDevices: number;
  /** Number of other devices that went offline at the same time without a cause that explains them. */
  readonly others: number;
  /** Earliest and latest last heartbeat. The start stays the same while the cause lasts. */
  readonly startAt: number;
  readonly endAt: number;
};

/** A common cause, and the devices of one account that it explains. */
export type AccountCause = {
  readonly cause: CommonCause;
  readonly deviceIds: readonly string[];
};

/** A common cause as kept from poll to poll. */
export type Cause = CommonCause & {
  /** The offline devices that it explains, by account. */
  readonly deviceIds: ReadonlyMap<string, readonly string[]>;
  /** Largest number of devices that it explained at once, not counting those that left or are muted. */
  readonly most: number;
  /** Two polls found it; otherwise it is a candidate. */
  readonly isShown: boolean;
};

/** The common causes of all accounts. */
export type Causes = {
  readonly list: readonly Cause[];
  /** Time of each account's last list, by its API's clock. */
  readonly listedAt: ReadonlyMap<string, number>;
};

export const NO_CAUSES: Causes = { list: [], listedAt: new Map() };

/** Share of offline devices at which a cause ends. */
const ENDING_SHARE = 0.5;

/** Reports whether a cause ended. Its remaining offline devices get no other cause. */
export function isOver({ devices, most }: Pick<Cause, 'devices' | 'most'>): boolean {
  return devices <= ENDING_SHARE * most;
}

/** Reports whether a cause is shown to people. */
export function isShown(cause: Cause): boolean {
  return cause.isShown && !isOver(cause);
}

/** Returns the value of an account's group, or of one that several accounts share: two accounts may each have a rack-01. */
export function groupValue(group: string, account = ''): string {
  return `${account}\n${group}`;
}

/** Returns the account of a group; undefined if several accounts share it, and for other kinds. */
export function groupAccount({ kind, value }: Pick<CommonCause, 'kind' | 'value'>): string | undefined {
  return kind === 'group' ? value.slice(0, Math.max(0, value.indexOf('\n'))) || undefined : undefined;
}

/** Returns the value as outputs show it: a group without its account, a stable alias for a tunnel host. */
export function shownValue({ kind, value }: Pick<CommonCause, 'kind' | 'value'>): string {
  if (kind === 'group') return value.slice(value.indexOf('\n') + 1);
  return kind === 'tunnel_host' ? `host-${shortHash(value)}` : value;
}
