import { Text } from '@chakra-ui/react';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import type { Price as PriceFigure } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../../prices/use-prices.ts';
import { type LevelItem, LevelList } from '../../../ui/kit/level-list.tsx';
import { Result } from '../../../ui/kit/result.tsx';
import { TitledPanel } from '../../../ui/kit/titled-panel.tsx';
import { useMoment } from '../../../ui/use-moment.ts';
import { useWaiting } from '../../bot-marks.tsx';
import type { BotCoin } from './chosen-coin.ts';
import { type LevelRow, levelRows, placeOfPrice } from './chosen-levels.ts';
import { levelWords } from './level-words.ts';
import { type Cockpit, useCoinName, usePresentPrice } from './use-cockpit.ts';

/** The levels of the chosen coin, with the present price among them, how far each is and what it brings. */
export function LevelsPanel({
  cockpit,
  coin,
  isInForce,
  list,
}: {
  cockpit: Cockpit;
  coin: BotCoin;
  isInForce: boolean;
  list: Ref<HTMLUListElement>;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const name = useCoinName()(coin.symbol);
  const waiting = useWaiting(coin.symbol);
  const price = usePresentPrice(cockpit.bot, coin);
  const rows = levelRows(coin);
  const items = useItems(cockpit, coin, rows, price);
  const { waitsFor } = coin.evaluation ?? { waitsFor: null };
  const timeStop = coin.position?.lines.timeStopAt;
  return (
    <TitledPanel
      title={t('autoTrades.cockpit.levels', { coin: name })}
      flush
      actions={
        <Text as="span" fontSize="12px" color="fg.subtle" pe="2" display={{ base: 'none', lg: 'inline' }}>
          {t('autoTrades.cockpit.levelsKey')}
        </Text>
      }
    >
      {items.length > 0 && (
        <LevelList
          key={coin.symbol}
          ref={list}
          label={t('autoTrades.cockpit.levels', { coin: name })}
          items={items}
          isStale={cockpit.isStale || !isInForce}
        />
      )}
      {rows.length === 0 && (
        <Text px="4" py="3" fontSize="13px" color="fg.muted">
          {waitsFor ? waiting(waitsFor) : t('autoTrades.cockpit.noLevels')}
        </Text>
      )}
      {timeStop && (
        <Text px="4" py="2" fontSize="12px" color="fg.muted" borderTopWidth="1px" borderColor="border.subtle">
          {t('autoTrades.position.timeStop')}: {moment(timeStop)}
        </Text>
      )}
    </TitledPanel>
  );
}

function useItems({ bot }: Cockpit, coin: BotCoin, rows: readonly LevelRow[], price: PriceFigure | null): LevelItem[] {
  const { t } = useTranslation();
  const places = usePairs()?.get(coin.symbol)?.pricePrecision;
  const reason = t('autoTrades.cockpit.unknown');
  const items = rows.map((row): LevelItem => {
    const { name, note } = levelWords(t, row, { rows, position: coin.position, currency: bot.currency });
    const result = row.kind === 'breakEven' ? '0' : row.level?.result;
    return {
      id: row.id,
      name,
      ...(note !== undefined && { note }),
      price: formatPrice(row.price, places),
      tone: row.tone,
      distance: distancePct(price, row.price),
      ...(result != null && { outcome: <Result value={result} currency={bot.currency} reason={reason} /> }),
    };
  });
  if (price === null) return items;
  const present = {
    id: 'price',
    name: t('autoTrades.cockpit.price'),
    price: formatPrice(price, places),
    tone: 'neutral',
    isPresent: true,
  } as const;
  return items.toSpliced(placeOfPrice(rows, price), 0, present);
}
