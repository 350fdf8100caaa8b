import type { Board } from '../../dashboard.ts';
import { byOutage } from '../../queries/tunnels.ts';
import { choiceOfPhones, rows } from '../../variables.ts';
import { history } from './history.ts';
import { list } from './list.ts';
import { now } from './now.ts';

/** Do the tunnels of the self-rented phones work? */
export const tunnelsBoard: Board = {
  name: 'tunnels',
  title: 'Hoster / Tunnels',
  description:
    'Whether the tunnels of the self-rented phones work, which do not, and who may log in to them.',
  from: 'now-24h',
  variables: [rows(), choiceOfPhones('worst', byOutage())],
  rows: [now, list, history],
};
