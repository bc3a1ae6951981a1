import type { Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCoinFilters } from '../coin-filters/use-coin-filters.ts';
import { useFilterOptions } from '../prices/screener/use-screener.ts';
import { useWallets } from './use-auto-trades.ts';

/**
 * What settings are told with: the language, and the names of wallets, coin filters and fields.
 * @param currency of the wallet, which amounts are told in
 */
export function useWords(currency?: string): Words {
  const { t, i18n } = useTranslation();
  const wallets = useWallets().data;
  const filters = useCoinFilters().data;
  const options = useFilterOptions().byKey;
  return useMemo(
    () => ({
      t: (key, values) => t(key, values ?? {}),
      language: i18n.language,
      names: new Map([...(wallets ?? []), ...(filters ?? [])].map(({ id, name }) => [id, name])),
      options,
      currency,
    }),
    [t, i18n.language, wallets, filters, options, currency],
  );
}
