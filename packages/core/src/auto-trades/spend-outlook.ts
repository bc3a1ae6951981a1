import { formatCurrency, formatPercentNumber } from '../money/format.ts';
import type { AutoTradeConfig } from './config/auto-trade-config.ts';

type Spending = { readonly config: Pick<AutoTradeConfig, 'entry' | 'rebuys' | 'maxOpenPositions'>; readonly currency: string };
type Translate = (key: string, values?: Record<string, string | number>) => string;

/**
 * What a bot may buy once it is let go, before anybody agrees to that: how many positions, what each is begun with, and
 * how often more is bought of it. The same in browser, terminal, dashboard and chat.
 */
export function spendWords(t: Translate, { config, currency }: Spending): string {
  const { entry, rebuys, maxOpenPositions: count } = config;
  const begun =
    entry.size.mode === 'fixed'
      ? t('autoTrades.spend.fixed', { count, amount: formatCurrency(entry.size.value, currency) })
      : t('autoTrades.spend.part', { count, percent: formatPercentNumber(entry.size.value) });
  const more = rebuys.generator?.count ?? rebuys.levels.length;
  return more === 0 ? begun : `${begun} ${t('autoTrades.spend.rebuys', { count: more })}`;
}
