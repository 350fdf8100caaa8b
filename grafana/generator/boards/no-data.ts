/** Text in place of missing facts about phones. */
export const NO_PHONES = 'Unknown';

/** Text in place of missing facts about money. */
export const NO_BALANCE = 'Unknown';

/** Text in place of missing facts about the exporter. */
export const NO_EXPORTER = 'Unknown: not scraped';

/** Text where none and unknown look the same. */
export const NONE_OR_UNKNOWN = 'None, or unknown';

/** Text of a graph without a line: nothing is known of its time range, or not yet. */
export const NO_HISTORY = 'Nothing known of this time';

/** Text in place of events: that there were none needs data as well. */
export const NO_EVENTS = 'None, or not scraped';
