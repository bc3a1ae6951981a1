import { digits } from '@pilotfish/core/money/figure';
import { formatPercent, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../../prices/use-prices.ts';
import type { Fill, PriceLevel, PriceZone } from '../../../ui/charts/price-chart.tsx';
import { useFills } from '../../use-auto-trades.ts';
import { type BotCoin, isHeld } from './chosen-coin.ts';
import { type LevelRow, levelRows } from './chosen-levels.ts';
import { levelWords } from './level-words.ts';

const LOOKS: Readonly<Record<LevelRow['kind'], PriceLevel['look']>> = {
  stopLoss: 'dashed',
  protectedCost: 'solid',
  protectiveStop: 'dashed',
  arm: 'dotted',
  target: 'dashed',
  takeProfit: 'dashed',
  rebuy: 'dotted',
  entry: 'dashed',
  entryLow: 'dotted',
  order: 'dotted',
  breakEven: 'dotted',
};

const NONE: { has(id: string): boolean } = new Set<string>();

/**
 * The levels as the chart draws them: the average with what it has gained, and each level with what it does. Floats, for drawing.
 * @param row what is held of it, where that is known
 * @param movable levels that have a grip
 * @param previewed the level that is being moved
 */
export function useLevelMarks(
  coin: BotCoin,
  {
    currency,
    row,
    isInForce,
    movable = NONE,
    previewed,
  }: {
    currency: string;
    row: Pick<HeldPositionRow, 'result' | 'resultPct'> | undefined;
    isInForce: boolean;
    movable?: { has(id: string): boolean };
    previewed?: string | undefined;
  },
): PriceLevel[] {
  const { t } = useTranslation();
  const base = usePairs()?.get(coin.symbol)?.baseAsset ?? '';
  const [result, resultPct] = [row?.result ?? null, row?.resultPct ?? null];
  return useMemo(() => {
    const rows = levelRows(coin);
    const drawn = rows
      .filter(({ kind }) => kind !== 'breakEven')
      .map((each): PriceLevel => {
        const { name, short, note, outcome } = levelWords(t, each, { rows, position: coin.position, currency: currency });
        const says = [note, outcome].filter((text) => text !== undefined).join(' · ');
        return {
          id: each.id,
          label: each.id === previewed ? t('autoTrades.draft.now', { name }) : name,
          short: each.id === previewed ? t('autoTrades.draft.now', { name: short }) : short,
          ...(says && { note: says }),
          price: Number(digits(each.price)),
          tone: each.tone,
          look: LOOKS[each.kind],
          faded: !isInForce,
          grip: movable.has(each.id),
        };
      });
    if (!coin.position || !isHeld(coin.position) || coin.position.averageCost === null) return drawn;
    const quantity = `${formatQuantity(coin.position.quantity)} ${base}`.trim();
    const shown = result === null ? undefined : formatSigned(result, currency);
    const percent = resultPct === null ? '' : ` (${formatPercent(resultPct)})`;
    const average: PriceLevel = {
      id: 'average',
      label: quantity,
      ...(shown !== undefined && { short: `${quantity} · ${shown}`, note: `${shown}${percent}` }),
      price: Number(digits(coin.position.averageCost)),
      tone: 'neutral',
      look: 'solid',
    };
    return [average, ...drawn];
  }, [t, coin, currency, base, result, resultPct, isInForce, movable, previewed]);
}

/** What lies between the average and the outermost levels since the first buy: the gain above, the loss below. */
export function useZones({ position }: BotCoin): PriceZone[] {
  return useMemo(() => {
    if (!position || !isHeld(position) || position.averageCost === null || position.openedAt === null) return [];
    const from = Date.parse(position.openedAt) / 1000;
    const average = Number(digits(position.averageCost));
    const sales = (position.levels ?? []).filter(({ quantity }) => quantity !== null).map(({ price }) => Number(digits(price)));
    const [top, bottom] = [Math.max(average, ...sales), Math.min(average, ...sales)];
    return [
      ...(top > average ? [{ from, low: average, high: top, tone: 'gain' as const }] : []),
      ...(bottom < average ? [{ from, low: bottom, high: average, tone: 'loss' as const }] : []),
    ];
  }, [position]);
}

const NO_FILLS: readonly never[] = [];

/** The fills of a bot's position, as the chart points at them. */
export function useFillMarks(botId: string, positionId: string | undefined): readonly Fill[] {
  const { t } = useTranslation();
  const { data } = useFills(botId, positionId ?? '', { enabled: positionId !== undefined });
  return useMemo(
    () =>
      data?.map(({ at, price, side, quantity }) => ({
        time: Date.parse(at) / 1000,
        price: Number(digits(price)),
        side: side === 'Buy' ? ('buy' as const) : ('sell' as const),
        label: t('prices.orderLine', { side: t(`prices.side.${side}`), quantity: formatQuantity(quantity) }),
      })) ?? NO_FILLS,
    [data, t],
  );
}
