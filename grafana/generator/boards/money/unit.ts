/**
 * The unit of money: every cent, and a space in place of a symbol, since the series is called by its currency. Grafana
 * has it since 12.1; `locale` drops zeros at the end.
 */
export const MONEY = 'currency:financial: ';
