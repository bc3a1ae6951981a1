import type { Price } from '@pilotfish/core/money/figure';
import { formatQuantity, formatResult } from '@pilotfish/core/money/format';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PriceLevel } from '../../ui/charts/price-chart.tsx';
import { heldOfPair } from './pair-held.ts';
import { useBothHeld } from './use-pair-held.ts';

/** Average, stops and targets of what is held of a pair, as lines of its chart: live ones, or those on paper where nothing is held live. */
export function useOwnLevels(symbol: string): readonly PriceLevel[] {
  const { t } = useTranslation();
  const { live, paper, first } = useBothHeld(symbol);
  const rows = first === undefined ? undefined : first === 'paper' ? paper.data : live.data;
  return useMemo(() => {
    const held = rows && heldOfPair(rows);
    const [row] = rows ?? [];
    if (!held || !row) return [];
    const levels: PriceLevel[] = [];
    if (held.averageCost !== null)
      levels.push({
        id: 'own-average',
        label: `${formatQuantity(held.quantity)} ${row.baseAsset}`,
        short: t('markets.yours.level.average'),
        ...(held.result === null ? {} : { note: formatResult(held.result, row.quoteAsset) }),
        price: Number(held.averageCost),
        tone: 'neutral',
        look: 'solid',
      });
    return [...levels, ...(rows ?? []).flatMap((each) => exitsOf(each, t))];
  }, [rows, t]);
}

/** What sells a position, or is hoped for. */
function exitsOf({ positionId, botName, stop, target }: HeldPositionRow, t: TFunction): PriceLevel[] {
  const owner = botName ?? t('overview.byHand');
  const line = (kind: 'stop' | 'target', price: Price, tone: 'loss' | 'gain'): PriceLevel => ({
    id: `own-${kind}-${positionId}`,
    label: t(`markets.yours.level.${kind}Of`, { owner }),
    short: t(`markets.yours.level.${kind}`),
    price: Number(price),
    tone,
    look: 'dashed',
  });
  return [...(stop === null ? [] : [line('stop', stop, 'loss')]), ...(target === null ? [] : [line('target', target, 'gain')])];
}
