import { Text } from '@chakra-ui/react';
import { fieldOf } from '@pilotfish/core/auto-trades/levels-draft';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import { digits, type Price as PriceFigure } from '@pilotfish/core/money/figure';
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
import { useDraftWords } from './draft-words.ts';
import { levelWords } from './level-words.ts';
import { isPreviewed } from './levels-bar.tsx';
import { type Cockpit, useCoinName, usePresentPrice } from './use-cockpit.ts';
import type { LevelsDraft } from './use-levels-draft.ts';

/** The levels of the chosen coin, with the present price among them, how far each is and what it brings. */
export function LevelsPanel({
  cockpit,
  coin,
  isInForce,
  draft,
  list,
}: {
  cockpit: Cockpit;
  coin: BotCoin;
  isInForce: boolean;
  draft: LevelsDraft;
  list: Ref<HTMLUListElement>;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const name = useCoinName()(coin.symbol);
  const waiting = useWaiting(coin.symbol);
  const price = usePresentPrice(cockpit.bot, coin);
  const rows = levelRows(coin);
  const items = useItems(cockpit, coin, rows, { price, draft });
  const { waitsFor } = coin.evaluation ?? { waitsFor: null };
  const timeStop = coin.position?.lines.timeStopAt;
  return (
    <TitledPanel
      title={t('autoTrades.cockpit.levels', { coin: name })}
      flush
      actions={
        <Text as="span" fontSize="12px" color="fg.subtle" pe="2" display={{ base: 'none', lg: 'inline' }}>
          {t(draft.movable.size > 0 ? 'autoTrades.draft.dragOrKey' : 'autoTrades.cockpit.levelsKey')}
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
          moves={{ onTake: (id, byKey) => draft.take(id, !byKey), onKeyDown: draft.press, hint: t('autoTrades.draft.hint') }}
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

function useItems(
  cockpit: Cockpit,
  coin: BotCoin,
  rows: readonly LevelRow[],
  { price, draft }: { price: PriceFigure | null; draft: LevelsDraft },
): LevelItem[] {
  const { t } = useTranslation();
  const { bot } = cockpit;
  const wordsOf = useDraftWords(cockpit, coin, draft);
  const { open, movable } = draft;
  const places = usePairs()?.get(coin.symbol)?.pricePrecision;
  const reason = t('autoTrades.cockpit.unknown');
  const items = rows.map((row): LevelItem => {
    const { name, note } = levelWords(t, row, { rows, position: coin.position, currency: bot.currency });
    const isTaken = row.id === open?.id && open.phase !== 'lost';
    const to = isTaken && isPreviewed(open) ? open.price : null;
    const result = row.kind === 'breakEven' ? '0' : row.level?.result;
    const words = movable.has(row.id) ? wordsOf(row.id) : undefined;
    const field = row.level && fieldOf(row.level);
    const isByHand = field !== undefined && (coin.position?.lines.moved ?? []).includes(field);
    const says = [isByHand ? t('autoTrades.draft.byHand') : undefined, note].filter((text) => text !== undefined).join(', ');
    return {
      id: row.id,
      name,
      ...(says && { note: says }),
      price: formatPrice(row.price, places),
      tone: row.tone,
      distance: distancePct(price, to ?? row.price),
      isTaken,
      ...(to !== null && { draft: formatPrice(to, places) }),
      ...(words && { grip: { label: words.name, value: words.value, now: Number(digits(to ?? row.price)) } }),
      ...(result != null && to === null && { outcome: <Result value={result} currency={bot.currency} reason={reason} /> }),
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
