import type { Board } from '../../dashboard.ts';
import { byCost, byRentalChange, bySilence } from '../../queries/phones.ts';
import { choiceOfPhones, rows } from '../../variables.ts';
import { attention } from './attention.ts';
import { list } from './list.ts';
import { makeUp } from './make-up.ts';
import { now } from './now.ts';
import { rentals } from './rentals.ts';

/** Is anything wrong, which phone is it, and does the fleet earn? */
export const fleetBoard: Board = {
  name: 'fleet',
  title: 'Hoster / Fleet',
  description: 'Whether anything is wrong, which phones need attention, and how much of the fleet is rented.',
  from: 'now-24h',
  variables: [
    rows(),
    choiceOfPhones('problem', byCost()),
    choiceOfPhones('changed', byRentalChange()),
    choiceOfPhones('silent', bySilence()),
  ],
  rows: [now, attention, rentals, list, makeUp],
};
