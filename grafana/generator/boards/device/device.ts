import type { Board } from '../../dashboard.ts';
import { device, rows } from '../../variables.ts';
import { history } from './history.ts';
import { now } from './now.ts';
import { optional } from './optional.ts';
import { tunnel } from './tunnel.ts';

/** Everything about one phone: what it is, how it is, and what it did. */
export const deviceBoard: Board = {
  name: 'device',
  title: 'Hoster / Device',
  description: 'One phone: what it is, how it is now, how it has been, and what its tunnel does.',
  from: 'now-24h',
  variables: [device(), rows()],
  alerts: ['device_id=~"$device_id|"'],
  rows: [now, history, tunnel, optional],
};
