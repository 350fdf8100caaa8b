/** The unit of money: the API names no currency, so the series is called by it instead. */
export const MONEY = 'currency:';
