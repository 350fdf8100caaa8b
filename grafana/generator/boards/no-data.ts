/** Text in place of missing facts about phones. */
export const NO_PHONES = 'Unknown';

/** Text in place of missing facts about money. */
export const NO_BALANCE = 'Unknown';

/** Text in place of missing facts about the exporter. */
export const NO_EXPORTER = 'Unknown: not scraped';

/** Text in place of missing facts about tunnels. */
export const NO_TUNNELS = 'None, or unknown';
