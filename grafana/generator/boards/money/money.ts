import type { Board } from '../../dashboard.ts';
import { idleFor, soldAndSilent } from '../../queries/phones.ts';
import { choiceOfPhones, rows } from '../../variables.ts';
import { balance } from './balance.ts';
import { missed } from './missed.ts';
import { models } from './models.ts';
import { now } from './now.ts';
import { use } from './use.ts';

/** Dashboard of the earnings of the fleet, and of the money lost by its problems. */
export const moneyBoard: Board = {
  name: 'money',
  title: 'Hoster / Money',
  description:
    'The balance and its movements, what the phones are used for, and what idle or silent ones cost.',
  from: 'now-30d',
  variables: [rows(), choiceOfPhones('idle', idleFor()), choiceOfPhones('sold_silent', soldAndSilent())],
  rows: [now, balance, missed, use, models],
};
