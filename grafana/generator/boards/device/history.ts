import type { Row } from '../../layout.ts';
import { HEARTBEAT, LIMITS, MARKETPLACE, RENTAL, ROTATION, TUNNEL } from '../../palette.ts';
import { graph, MINUTES } from '../../panels/graph.ts';
import { ranking } from '../../panels/ranking.ts';
import { stat } from '../../panels/stat.ts';
import type { Tile } from '../../panels/tile.ts';
import { timeline } from '../../panels/timeline.ts';
import { AS_LAST_READ, dated, ofAccount, onlyRead, perPhone, THIS_PHONE } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { NO_HISTORY, NONE_OR_UNKNOWN } from '../no-data.ts';

const STATES = [HEARTBEAT, RENTAL, MARKETPLACE, TUNNEL, ROTATION].flatMap((states) => Object.values(states));

/** 1 while the phone reports, 0 while it is silent. */
const ONLINE = `(0 * ${phones.silent(THIS_PHONE)} or 0 * ${phones.heartbeatAge(THIS_PHONE)} + 1)`;

/** The share of a past time for which the phone reported, looked at every five minutes. */
function availability(range: string, days: string, samples: number): Tile {
  const known = `count_over_time((${phones.heartbeatAge(THIS_PHONE)})[${range}:5m]) / ${samples}`;
  return stat(
    {
      title: `Online, ${days}`,
      description:
        'Share of the time for which the phone was not silent, and how much of the time is known; nothing is said of less than a tenth, and what is not read now is grey. Below 99 % a phone deserves another place, cable or power supply.',
      noValue: 'Not observed.',
      unit: 'percentunit',
      width: 4,
      height: 4,
      targets: [
        {
          expression: dated(`avg_over_time((${ONLINE})[${range}:5m])\nand ${known} >= 0.1`, 'online'),
          legend: '{{as}}',
        },
        {
          expression: known,
          legend: 'known',
        },
      ],
    },
    { limits: LIMITS.availability, named: true, plain: ['known', AS_LAST_READ], decimals: 0 },
  );
}

/** Panels of the past states of the phone. */
export const history: Row = {
  title: 'History',
  tiles: [
    timeline(
      {
        title: 'States',
        description:
          'What the phone was over time. A rental that ends when the heartbeat does was lost to an outage; gaps are times without data.',
        noValue: 'Nothing was observed of this phone in this time.',
        width: 24,
        height: 8,
        targets: [
          { expression: phones.heartbeatState(THIS_PHONE), legend: 'Heartbeat' },
          { expression: phones.rentalState(THIS_PHONE), legend: 'Rental' },
          { expression: phones.marketplaceState(THIS_PHONE), legend: 'Marketplace' },
          { expression: phones.tunnelState(THIS_PHONE), legend: 'Tunnel' },
          { expression: phones.rotationState(THIS_PHONE), legend: 'Rotation' },
        ],
      },
      STATES,
      ofAccount('hoster_device_info', THIS_PHONE),
    ),
    graph({
      title: 'Age of the heartbeat',
      description:
        'Above the silence limit the phone is silent. Regular teeth are normal: the phone sleeps and wakes. A ramp is an outage; where it ends, the phone came back.',
      noValue: NO_HISTORY,
      unit: MINUTES,
      width: 12,
      height: 8,
      targets: [
        { expression: `(${onlyRead(phones.heartbeatAge(THIS_PHONE))}) / 60`, legend: 'Age' },
        {
          expression: `${perPhone(ofAccount('hoster_device_silence_limit_seconds', THIS_PHONE))} / 60`,
          legend: 'Silence limit',
        },
      ],
    }),
    ranking(
      {
        title: 'Time by rental status',
        description:
          'What this phone did with the time range, as far as it was observed. Much idle time: compare its price and model with phones that sell.',
        noValue: 'Nothing was observed of this phone in this time.',
        unit: 's',
        width: 12,
        height: 8,
        targets: [{ expression: rentalTime() }],
      },
      'status',
      Object.values(RENTAL),
    ),
    availability('24h', '24 h', 288),
    availability('7d', '7 d', 2_016),
    availability('30d', '30 d', 8_640),
    stat(
      {
        title: 'Status for ≥',
        description:
          'As far as this exporter saw it: it does not know what was before its start. Idle for days: lower the price or list it.',
        noValue: 'Unknown',
        unit: 's',
        width: 4,
        height: 4,
        targets: [{ expression: phones.rentalStatusFor(THIS_PHONE) }],
      },
      { decimals: 0 },
    ),
    stat({
      title: 'IP lasts',
      description:
        'Time between two rotations of the IP address. Customers who need fresh addresses want it short.',
      noValue: NONE_OR_UNKNOWN,
      unit: 's',
      width: 4,
      height: 4,
      targets: [{ expression: perPhone(ofAccount('hoster_device_rotation_interval_seconds', THIS_PHONE)) }],
    }),
  ],
};

function rentalTime(): string {
  const seconds = ofAccount('hoster_device_rental_status_seconds_total', THIS_PHONE);
  return `max by (status) (increase(${seconds}[$__range]))`;
}
