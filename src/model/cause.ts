/** Properties that devices can share, the more physical first: of two explanations that fit alike, the first one wins. */
export const CAUSE_KINDS = ['group', 'tunnel_host', 'account', 'app_version', 'model'] as const;

export type CauseKind = (typeof CAUSE_KINDS)[number];

/** A property that explains why devices fell silent at the same time. Instants are milliseconds since 1970. */
export type CommonCause = {
  readonly kind: CauseKind;
  /** The shared value. The host of a tunnel is written out: see {@link shownValue}. */
  readonly value: string;
  /** Number of silent devices that it explains, of all accounts. */
  readonly devices: number;
  /** Number of devices with this value that reported until then: `devices`, and those that still report. */
  readonly ownDevices: number;
  /** Number of other devices that fell silent at the same time and that no cause explains. */
  readonly others: number;
  /** First and last of the last heartbeats. */
  readonly startAt: number;
  readonly endAt: number;
};

/** A common cause, and the devices of one account that it explains. */
export type AccountCause = {
  readonly cause: CommonCause;
  readonly deviceIds: readonly string[];
};

/**
 * Returns the value as outputs show it. A host that can be reached is replaced by a name that stays the same, made of
 * its FNV-1a hash.
 */
export function shownValue({ kind, value }: Pick<CommonCause, 'kind' | 'value'>): string {
  if (kind !== 'tunnel_host') return value;
  let hash = 0x811c9dc5;
  for (let index = 0; index < value.length; index += 1)
    hash = Math.imul(hash ^ value.charCodeAt(index), 0x01000193);
  return `host-${(hash >>> 0).toString(16).padStart(8, '0')}`;
}
