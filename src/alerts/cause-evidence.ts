import { DAY } from '../model/time.ts';

/*
 * Evidence that a value failed, such as the group rack-03: a likelihood ratio, as in a scan statistic (Kulldorff, "A spatial
 * scan statistic", 1997; Neill, Moore and Cooper, "A Bayesian spatial scan statistic", 2005). Stopped devices are evidence for
 * a failure, devices that have reported since are evidence against it, and devices that are not yet due are neither.
 */

/** Numbers of devices that stopped within a period, and that have reported since. */
export type StopCounts = { readonly stopped: number; readonly reported: number };

/** Prior for the share of devices that stop, as counts that are added to the observed ones. */
type Expectation = StopCounts;

/** A value that failed: nearly all its devices stop. */
const FAILED: Expectation = { stopped: 4, reported: 0.5 };

/** An unknown cause, such as a mobile network, may stop any share of the devices. */
const UNNAMED: Expectation = { stopped: 1, reported: 1 };

/** Each device fails on its own: one in a hundred. */
const CHANCE: Expectation = { stopped: 0.05, reported: 4.95 };

/** Mean number of days between false causes. Ten times as many would require half a device more for a cause of five. */
const DAYS_PER_FALSE_NAME = 1_000;

/**
 * Returns the evidence that a value failed: the natural logarithm of its likelihood relative to the best other
 * explanation. Above 0, it failed.
 *
 * @param withValue devices with the value
 * @param others devices whose values have not failed
 * @param devices total number of devices, used as the number of values that may have been tried
 * @param window time in which the devices stopped, in milliseconds
 */
export function evidenceOf(
  withValue: StopCounts,
  others: StopCounts,
  devices: number,
  window: number,
): number {
  const tries = Math.log(devices);
  const share =
    (CHANCE.stopped + others.stopped) / (CHANCE.stopped + CHANCE.reported + others.stopped + others.reported);
  // By Markov's inequality, chance reaches a ratio of x at most once in x tries.
  const byChance =
    withValue.stopped * Math.log(share) +
    withValue.reported * Math.log(1 - share) +
    tries +
    Math.log((DAYS_PER_FALSE_NAME * DAY) / window);
  const rate = { stopped: UNNAMED.stopped + others.stopped, reported: UNNAMED.reported + others.reported };
  // If all devices have the value, it is the only one that was tried.
  const hasOthers = others.stopped + others.reported > 0;
  const byUnnamed = lnLikelihood(withValue, rate) + (hasOthers ? tries : 0);
  return lnLikelihood(withValue, FAILED) - Math.max(byChance, byUnnamed);
}

/** Returns the natural logarithm of the counts' likelihood. The share has a beta distribution. */
function lnLikelihood({ stopped, reported }: StopCounts, expected: Expectation): number {
  return (
    lnBeta(expected.stopped + stopped, expected.reported + reported) -
    lnBeta(expected.stopped, expected.reported)
  );
}

function lnBeta(alpha: number, beta: number): number {
  return lnGamma(alpha) + lnGamma(beta) - lnGamma(alpha + beta);
}

/** Stirling's series, exact to ten digits. */
function lnGamma(number: number): number {
  if (number < 10) return lnGamma(number + 1) - Math.log(number);
  const square = number * number;
  return (
    (number - 0.5) * Math.log(number) -
    number +
    0.5 * Math.log(2 * Math.PI) +
    (1 / 12 - (1 / 360 - 1 / (1_260 * square)) / square) / number
  );
}
