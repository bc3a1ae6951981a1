import { formatFixed, formatQuantity } from '@pilotfish/core/money/format';

/** Numbers that are read against each other, with as many decimals as the one that needs most of them. */
export function samePlaces(values: readonly string[]): string[] {
  const places = Math.max(0, ...values.map((value) => formatQuantity(value).split('.')[1]?.length ?? 0));
  return values.map((value) => formatFixed(value, places));
}
