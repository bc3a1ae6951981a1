import type { Difference } from './balance-check.ts';

/** Which differences of balances were looked into already: they are asked about again only when they change. */
export function examinedDifferences() {
  const examined = new Map<string, ReadonlyMap<string, string>>();
  const sizeOf = ({ difference }: Difference): string => `${difference.units}/${difference.scale}`;
  return {
    /**
     * Those that were not looked into, and whether any of the account ever were.
     * @param canLook false while a history is read: what differs then is mended by it, or differs still at its end
     */
    fresh(accountId: string, differences: Iterable<Difference>, canLook: boolean): { fresh: readonly Difference[]; isFirst: boolean } {
      const found = [...differences];
      const known = examined.get(accountId);
      if (canLook) examined.set(accountId, new Map(found.map((each) => [each.asset, sizeOf(each)])));
      return { fresh: found.filter((each) => known?.get(each.asset) !== sizeOf(each)), isFirst: known === undefined };
    },
    forget: (accountId: string): void => void examined.delete(accountId),
  };
}
