import { isReady, type Phone, type TunnelState } from './fleet.ts';
import { between, pickWeighted, type Random } from './random.ts';

/** The facts about a phone that change of themselves, each at times of its own. */
export const LIVING_FACTS = ['online', 'rentalStatus', 'tunnel'] as const;

export type LivingFact = (typeof LIVING_FACTS)[number];
export type Life = Pick<Phone, LivingFact>;

/** How one fact lives: what it becomes when its time is over, and how long it then stays so. */
type Process = {
  readonly turn: (phone: Phone, life: Life, random: Random) => Life;
  readonly staysMilliseconds: (life: Life, random: Random) => number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Around `mean`, between half and one and a half of it. */
const around = (mean: number, random: Random): number => Math.round(mean * (0.5 + random()));

/**
 * The mean stays make the mix that {@link createFleet} starts with last for ever: a cycle of 10 hours is 2 hours idle and
 * then either sold (three times in four) or self-rented.
 */
const RENTAL_MEANS = { idle: 2 * HOUR, sold: 8.5 * HOUR, self_rented: 6.5 * HOUR } as const;

export const LIFE: Readonly<Record<LivingFact, Process>> = {
  /** A phone falls silent about once a day, mostly for minutes, sometimes for hours. */
  online: {
    turn: (_phone, life) => ({ ...life, online: !life.online }),
    staysMilliseconds: (life, random) => {
      if (life.online) return around(20 * HOUR, random);
      return random() < 0.8 ? around(20 * MINUTE, random) : around(4 * HOUR, random);
    },
  },
  /** Every rental is followed by an idle while; what is not listed can only be rented by its hoster. */
  rentalStatus: {
    turn: (phone, life, random) => ({ ...life, rentalStatus: nextRental(phone, life, random) }),
    staysMilliseconds: (life, random) => around(RENTAL_MEANS[life.rentalStatus], random),
  },
  /** Runs whether or not the phone is self-rented, but can only be seen while it is. */
  tunnel: {
    turn: (_phone, life, random) => ({ ...life, tunnel: nextTunnel(life, random) }),
    staysMilliseconds: (life, random) =>
      life.tunnel === 'up' ? around(8 * HOUR, random) : between(random, 2 * MINUTE, 25 * MINUTE),
  },
};

/** Whether the facts of a phone change of themselves at all: one that is not set up just sits there. */
export const isAlive = isReady;

function nextRental(phone: Phone, life: Life, random: Random): Life['rentalStatus'] {
  if (life.rentalStatus !== 'idle') return 'idle';
  return phone.marketplaceStatus === 'listed' && random() < 0.75 ? 'sold' : 'self_rented';
}

function nextTunnel(life: Life, random: Random): TunnelState {
  if (life.tunnel !== 'up') return 'up';
  return pickWeighted<TunnelState>(random, [
    [2, 'down'],
    [1, 'missing'],
  ]);
}
