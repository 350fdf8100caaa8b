/** What stands in place of facts about phones that are not there. */
export const NO_PHONES = 'No phones read yet: see the Exporter dashboard.';

/** What stands in place of facts about money that are not there. */
export const NO_BALANCE = 'No balance read yet: see the Exporter dashboard.';

/** What stands in place of facts about the exporter that are not there. */
export const NO_EXPORTER = 'Nothing scraped: is the exporter running, and does Prometheus know its address?';

/** What stands in place of facts about tunnels that are not there. */
export const NO_TUNNELS = 'No tunnels: no phone is self-rented.';
