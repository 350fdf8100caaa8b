/** Terms below this share of the sum, in natural logarithms, change nothing. */
const NEGLIGIBLE = -40;

/** From this number on, Stirling's series is exact to twelve digits. */
const STIRLING_FROM = 20;

function lnFactorial(number: number): number {
  if (number >= STIRLING_FROM)
    return (
      (number + 0.5) * Math.log(number) -
      number +
      0.5 * Math.log(2 * Math.PI) +
      1 / (12 * number) -
      1 / (360 * number ** 3) +
      1 / (1_260 * number ** 5)
    );
  let product = 1;
  for (let factor = 2; factor <= number; factor += 1) product *= factor;
  return Math.log(product);
}

/** Returns the natural logarithm of the number of ways to choose `some` of `all` items. */
export function lnChoose(all: number, some: number): number {
  return lnFactorial(all) - lnFactorial(some) - lnFactorial(all - some);
}

/**
 * Returns the natural logarithm of the probability that at least `overlap` of `drawn` items are marked, where they are
 * drawn from `all` items of which `marked` are marked: the upper tail of the hypergeometric distribution, exact but for
 * rounding.
 */
export function lnHypergeometricTail(overlap: number, all: number, marked: number, drawn: number): number {
  const most = Math.min(marked, drawn);
  if (overlap <= Math.max(0, marked + drawn - all)) return 0;
  if (overlap > most) return Number.NEGATIVE_INFINITY;
  const first = lnChoose(marked, overlap) + lnChoose(all - marked, drawn - overlap) - lnChoose(all, drawn);
  // Terms relative to the first one, by their quotient.
  let sum = 1;
  let term = 0;
  for (let count = overlap; count < most; count += 1) {
    term += Math.log(
      ((marked - count) * (drawn - count)) / ((count + 1) * (all - marked - drawn + count + 1)),
    );
    sum += Math.exp(term);
    if (term < NEGLIGIBLE) break;
  }
  return Math.min(0, first + Math.log(sum));
}
