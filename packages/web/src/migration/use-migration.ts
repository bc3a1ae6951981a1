import { formatSigned } from '@pilotfish/core/money/format';
import { useQuery } from '../app/use-query.ts';

export const useMigration = () =>
  useQuery('migration', (client, _: null, signal) => client.getMigration(undefined, { signal, quiet: true }), null);
export type Gap = NonNullable<ReturnType<typeof useMigration>['data']>[number];

/** `0.50000000` → `+0.5`. */
export const signedQuantity = (text: string): string => {
  const signed = formatSigned(text, 8);
  return signed.includes('.') ? signed.replace(/\.?0+$/, '') : signed;
};
