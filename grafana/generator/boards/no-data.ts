/** Text in place of missing facts about phones. */
export const NO_PHONES = 'No phones read yet: see the Exporter dashboard.';

/** Text in place of missing facts about money. */
export const NO_BALANCE = 'No balance read yet: see the Exporter dashboard.';

/** Text in place of missing facts about the exporter. */
export const NO_EXPORTER = 'Nothing scraped: is the exporter running, and does Prometheus know its address?';

/** Text in place of missing facts about tunnels. */
export const NO_TUNNELS = 'No tunnels: no phone is self-rented.';
