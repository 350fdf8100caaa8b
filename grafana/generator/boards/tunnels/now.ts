import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { countOfRead, ofAccount, ofReadAccounts, perPhone } from '../../promql.ts';
import { rentalIs } from '../../queries/phones.ts';
import { hasTunnel, isUp, unread } from '../../queries/tunnels.ts';
import { count } from '../count.ts';

const activeLogins = perPhone(ofAccount('hoster_tunnel_credentials', 'status="active"'));

/** The tunnels of this moment, in numbers. */
export const now: Row = {
  title: 'Now',
  tiles: [
    count(
      'Self-rented',
      'Phones that you rent yourself. Each costs its rental and should have a tunnel that is up.',
      ofReadAccounts(countOfRead(rentalIs('self_rented'))),
      LIMITS.none,
    ),
    count(
      'Tunnels up',
      'Tunnels that the marketplace says are up. It is its opinion: probe from outside to be sure.',
      ofReadAccounts(countOfRead(`${isUp()} == 1`, 'tunnels'), 'tunnels'),
      LIMITS.none,
    ),
    count(
      'Down',
      'Tunnels that are there and not up. Check the phone first: without a heartbeat there is no tunnel.',
      ofReadAccounts(countOfRead(`${isUp()} == 0`, 'tunnels'), 'tunnels'),
      LIMITS.anyIsBad,
    ),
    count(
      'Missing',
      'Self-rented phones that have no tunnel although you pay for them: create the tunnel or end the rental.',
      ofReadAccounts(countOfRead(`${hasTunnel()} == 0`, 'tunnels'), 'tunnels'),
      LIMITS.anyIsBad,
    ),
    count(
      'Not read',
      'Self-rented phones of whose tunnel nothing is known yet: normal just after a rental began, otherwise see the Exporter dashboard.',
      ofReadAccounts(countOfRead(unread(), 'tunnels'), 'tunnels'),
      LIMITS.anyIsPoor,
    ),
    count(
      'No login',
      'Tunnels that nobody can log in to: enable a login in the dashboard of the marketplace.',
      ofReadAccounts(countOfRead(`${activeLogins} == 0`, 'tunnels'), 'tunnels'),
      LIMITS.anyIsPoor,
    ),
  ],
};
