/** ln(value / the one before), one shorter than given; a step from or to zero or nothing is NaN. */
export function logReturns(values: ArrayLike<number>): Float64Array {
  const returns = new Float64Array(Math.max(0, values.length - 1));
  for (let index = 1; index < values.length; index += 1) {
    const ratio = values[index]! / values[index - 1]!;
    returns[index - 1] = ratio > 0 && Number.isFinite(ratio) ? Math.log(ratio) : Number.NaN;
  }
  return returns;
}

/** Sample variance (n - 1); NaN of fewer than two values or when one is NaN. */
export function variance(values: ArrayLike<number>): number {
  const { length } = values;
  if (length < 2) return Number.NaN;
  let mean = 0;
  for (let index = 0; index < length; index += 1) mean += values[index]!;
  mean /= length;
  let squares = 0;
  for (let index = 0; index < length; index += 1) squares += (values[index]! - mean) ** 2;
  return squares / (length - 1);
}
/** Sample standard deviation (n - 1); NaN of fewer than two values or when one is NaN. */
export const standardDeviation = (values: ArrayLike<number>): number => Math.sqrt(variance(values));

/**
 * Pearson's correlation of the steps both sides have, -1 to 1. NaN below `least` common steps, or when one side
 * never moved. The newest values stand at the ends; a longer side loses its oldest.
 */
export function correlation(one: ArrayLike<number>, other: ArrayLike<number>, least = 10): number {
  const length = Math.min(one.length, other.length);
  const [fromOne, fromOther] = [one.length - length, other.length - length];
  let count = 0;
  let [sumA, sumB] = [0, 0];
  for (let index = 0; index < length; index += 1) {
    const [a, b] = [one[fromOne + index]!, other[fromOther + index]!];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    count += 1;
    sumA += a;
    sumB += b;
  }
  if (count < least) return Number.NaN;
  const [meanA, meanB] = [sumA / count, sumB / count];
  let [varianceA, varianceB, both] = [0, 0, 0];
  for (let index = 0; index < length; index += 1) {
    const [a, b] = [one[fromOne + index]!, other[fromOther + index]!];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    varianceA += (a - meanA) ** 2;
    varianceB += (b - meanB) ** 2;
    both += (a - meanA) * (b - meanB);
  }
  return varianceA > 0 && varianceB > 0 ? both / Math.sqrt(varianceA * varianceB) : Number.NaN;
}
