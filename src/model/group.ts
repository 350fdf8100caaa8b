/** Position of the group, such as a rack, in a label (`groups` of the configuration). */
export type GroupSettings = {
  /** Text between the parts of a label. */
  readonly separator: string;
  /** Number of leading parts that name the group. */
  readonly levels: number;
};

/** `rack-07/slot-04` is in group `rack-07`. */
export const DEFAULT_GROUPS: GroupSettings = { separator: '/', levels: 1 };

/**
 * Returns the group of a label: its first parts, without the last one, which names the device. A label without a separator
 * has the group `''`.
 */
export function groupOf(label: string, { separator, levels }: GroupSettings): string {
  let end = -1;
  for (let level = 0; level < levels; level += 1) {
    const next = label.indexOf(separator, end === -1 ? 0 : end + separator.length);
    if (next === -1) break;
    end = next;
  }
  return end === -1 ? '' : label.slice(0, end).trim();
}
