import type { MarketRest } from '@pilotfish/core/admin/market-choice-contract';
import { useTranslation } from 'react-i18next';

const KINDS = ['bots', 'openPositions', 'wallets', 'priceAlerts', 'ledgerEntries'] as const satisfies readonly (keyof MarketRest)[];

/** What lies at a market, in one line; empty where nothing does. */
export function useRestText(): (rest: MarketRest | undefined) => string {
  const { t } = useTranslation();
  return (rest) =>
    rest === undefined
      ? ''
      : KINDS.filter((kind) => rest[kind] > 0)
          .map((kind) => t(`marketChoice.rests.${kind}`, { count: rest[kind] }))
          .join(' · ');
}
