import type { Board } from '../../dashboard.ts';
import { byRentalChange } from '../../queries/phones.ts';
import { rows, shown, silentAfter } from '../../variables.ts';
import { attention } from './attention.ts';
import { list } from './list.ts';
import { makeUp } from './make-up.ts';
import { now } from './now.ts';
import { rentals } from './rentals.ts';

/** Is anything wrong, which phone is it, and does the fleet earn? */
export const fleetBoard: Board = {
  name: 'fleet',
  title: 'Hoster / Fleet',
  description: 'Whether anything is wrong, which phones need a hand, and how much of the fleet is rented.',
  from: 'now-24h',
  variables: [rows(), silentAfter(), shown(byRentalChange())],
  rows: [now, attention, rentals, list, makeUp],
};
