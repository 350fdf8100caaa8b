/** The unit of money: every cent, and no symbol, since the series is called by its currency. */
export const MONEY = 'locale';
