/** The hoster's balance in cents of a currency that the API does not name. Safe integers; absent is undefined. */
export type Balance = {
  readonly availableCents: number | undefined;
  readonly pendingCents: number | undefined;
  readonly totalCents: number | undefined;
};
