import { shortHash } from './text.ts';

/** Properties that devices can share, the more physical first: of two explanations that fit alike, the first one wins. */
export const CAUSE_KINDS = ['group', 'tunnel_host', 'account', 'app_version', 'model'] as const;

/** One of these, or the name of a tag of the owner. */
export type CauseKind = string;

/** Returns the kind as one that each fleet has; undefined for a tag. */
export function ownKind(kind: CauseKind): (typeof CAUSE_KINDS)[number] | undefined {
  return CAUSE_KINDS.find((each) => each === kind);
}

/** A property that explains why devices fell offline together. Instants are milliseconds since 1970. */
export type CommonCause = {
  readonly kind: CauseKind;
  /** The shared value. The host of a tunnel is written out: see {@link shownValue}. */
  readonly value: string;
  /** Number of offline devices that it explains, of all accounts. */
  readonly devices: number;
  /** Number of those that are sold. */
  readonly sold: number;
  /** Number of devices with this value that are in use: set up, with a readable heartbeat, and not given up. */
  readonly ownDevices: number;
  /** Number of other devices that fell offline in the same time and that no cause explains. */
  readonly others: number;
  /** First and last of the last heartbeats. The first one stays the same while the cause lasts. */
  readonly startAt: number;
  readonly endAt: number;
};

/** A common cause, and the devices of one account that it explains. */
export type AccountCause = {
  readonly cause: CommonCause;
  readonly deviceIds: readonly string[];
};

/** A common cause as it is remembered from poll to poll. It explains; it knows nothing of what was told. */
export type Cause = CommonCause & {
  /** The offline devices that it explains, by account. */
  readonly deviceIds: ReadonlyMap<string, readonly string[]>;
  /** Largest number of devices that it explained at a time, without those that nobody can see any more. */
  readonly most: number;
  /** Two polls found it. One that a single poll found is a candidate. */
  readonly isShown: boolean;
};

/** The common causes of all accounts. */
export type Causes = {
  readonly list: readonly Cause[];
  /** When each account was listed, by the clock of its API: it tells the next poll of an account from this one. */
  readonly listedAt: ReadonlyMap<string, number>;
};

export const NO_CAUSES: Causes = { list: [], listedAt: new Map() };

/** Part of the devices of a cause that is offline when it ends: half of them are back. */
const ENDING_SHARE = 0.5;

/** Reports whether a cause ended. Its last offline devices get no other cause for the same silence. */
export function isOver({ devices, most }: Pick<Cause, 'devices' | 'most'>): boolean {
  return devices <= ENDING_SHARE * most;
}

/** Reports whether people see a cause. */
export function isShown(cause: Cause): boolean {
  return cause.isShown && !isOver(cause);
}

/** Returns the value as outputs show it. A host that can be reached is replaced by a name that stays the same. */
export function shownValue({ kind, value }: Pick<CommonCause, 'kind' | 'value'>): string {
  return kind === 'tunnel_host' ? `host-${shortHash(value)}` : value;
}
