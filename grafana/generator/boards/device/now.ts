import type { Row } from '../../layout.ts';
import {
  HEARTBEAT,
  LIMITS,
  MARKETPLACE,
  NO_ROTATION,
  NO_TUNNEL,
  orUnread,
  RENTAL,
  ROTATION,
  SETUP,
  type State,
  TUNNEL,
} from '../../palette.ts';
import { stat } from '../../panels/stat.ts';
import { table } from '../../panels/table.ts';
import type { Tile } from '../../panels/tile.ts';
import { ofAccount, perPhone, THIS_PHONE } from '../../promql.ts';
import { lastSuccess } from '../../queries/exporter.ts';
import * as phones from '../../queries/phones.ts';
import { ACCOUNT, alertTable, ID } from '../columns.ts';

/** Text in place of a fact that the API does not give of this phone. */
const UNSAID = 'Unknown';

const SMALL = { noValue: UNSAID, width: 4, height: 4 } as const;

function state(
  title: string,
  description: string,
  expression: string,
  states: Readonly<Record<string, State>>,
): Tile {
  return stat(
    { ...SMALL, title, description, unit: 'none', targets: [{ expression }] },
    { states: orUnread(states) },
  );
}

/** Panels of the present state and the model of the phone. */
export const now: Row = {
  title: 'Now',
  tiles: [
    state(
      'Heartbeat',
      'Whether the phone reports, as the exporter judges it by its silence limit. Unknown, as everything in this row, once the API was not read for 3 minutes. Silent: check power, network and the app on the phone.',
      phones.heartbeatState(THIS_PHONE),
      HEARTBEAT,
    ),
    state(
      'Rental',
      'Who has the phone: a customer (sold), you yourself (self-rented) or nobody (idle). Do not restart a sold phone without need.',
      phones.rentalState(THIS_PHONE),
      RENTAL,
    ),
    state(
      'Marketplace',
      'Whether customers can find the phone. An idle phone that is not listed earns nothing: list it.',
      phones.marketplaceState(THIS_PHONE),
      MARKETPLACE,
    ),
    state(
      'Set-up',
      'How far the set-up has come. Neither complete nor active: finish it in the dashboard of the marketplace.',
      phones.setupState(THIS_PHONE),
      SETUP,
    ),
    state(
      'Tunnel',
      'The tunnel of a self-rented phone. Down or missing: your own traffic does not flow; renew the self-rent or the tunnel.',
      phones.orElse(phones.tunnelState(THIS_PHONE), NO_TUNNEL, THIS_PHONE),
      { ...TUNNEL, none: NO_TUNNEL },
    ),
    state(
      'Rotation',
      'Whether the IP address rotates. Stopped on a sold phone: the customer may have paid for fresh addresses.',
      phones.orElse(phones.rotationState(THIS_PHONE), NO_ROTATION, THIS_PHONE),
      { ...ROTATION, none: NO_ROTATION },
    ),
    table({
      title: 'What it is',
      description:
        'The texts that the marketplace has of this phone, and how long ago they and all the rest were read. Compare the version of the app with the rest of the fleet.',
      noValue: 'Unknown now: no data, or the phone is no longer in the list.',
      width: 14,
      height: 5,
      columns: [
        { title: 'Label', label: 'label', minWidth: 130 },
        { title: 'Brand', label: 'brand', width: 80 },
        { title: 'Model', label: 'model', width: 115 },
        { title: 'App', label: 'app_version', width: 65 },
        {
          title: 'Data, ago',
          target: { expression: dataAge() },
          unit: 's',
          decimals: 0,
          limits: LIMITS.dataAge,
          width: 80,
        },
        ACCOUNT,
        ID,
      ],
      labelsOf: [{ expression: phones.descriptionColumns(THIS_PHONE) }],
      sortBy: ['Label', 'ascending'],
    }),
    alertTable('Firing alerts', 10, 5, [THIS_PHONE]),
  ],
};

function dataAge(): string {
  const readAt = `max by (account) (${lastSuccess('collector="devices"')})`;
  return `${perPhone(ofAccount('hoster_device_info', THIS_PHONE))} * on (account) group_left () (time() - ${readAt})`;
}
