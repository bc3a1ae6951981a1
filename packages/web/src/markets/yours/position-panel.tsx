import { Flex, Text } from '@chakra-ui/react';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { isNothing, type Price } from '@pilotfish/core/money/figure';
import { formatMoney, formatPrice } from '@pilotfish/core/money/format';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BotMode } from '../../auto-trades/bot-marks.tsx';
import { reasonsOf } from '../../positions/open/held-cells.tsx';
import { PositionBadges } from '../../positions/position-state.tsx';
import { Segments, TextLink } from '../../ui/controls.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { BotLines } from './bot-lines.tsx';
import { heldOfPair } from './pair-held.ts';
import { FINGER, Nothing, Part, Rows, SIDES } from './parts.tsx';
import { useBothHeld } from './use-pair-held.ts';

/** The position in a pair, live or on paper but never their sum, and the bots that trade it. */
export function PositionPanel({ pair }: { pair: Pair }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<TradeMode>();
  const { live, paper, first } = useBothHeld(pair.symbol);
  const hasBoth = (live.data?.length ?? 0) > 0 && (paper.data?.length ?? 0) > 0;
  const mode = hasBoth ? (chosen ?? first) : first;
  // Whether there is none is known once both have answered.
  const shown = mode === 'paper' || (live.data?.length === 0 && !paper.data) ? paper : live;
  const rows = shown.data ?? [];
  return (
    <TitledPanel
      title={t('markets.yours.title', { coin: pair.baseAsset })}
      flush
      actions={
        hasBoth && mode ? (
          <Segments
            label={t('markets.yours.money')}
            value={mode}
            options={(['live', 'paper'] as const).map((value) => ({ value, label: t(`autoTrades.mode.${value}`) }))}
            onChange={setChosen}
          />
        ) : (
          mode && (
            <Flex pe="2">
              <BotMode mode={mode} />
            </Flex>
          )
        )
      }
    >
      <Part query={shown} rows={4}>
        {rows.length === 0 ? (
          <Nothing>{t('markets.yours.none', { coin: pair.baseAsset })}</Nothing>
        ) : (
          <Held rows={rows} pair={pair} mode={mode ?? 'live'} />
        )}
      </Part>
      <BotLines pair={pair} live={live.data} paper={paper.data} />
    </TitledPanel>
  );
}

/** Where positions are looked at: one is chosen there, several are found by their pair. */
function placeOf(rows: readonly HeldPositionRow[], mode: TradeMode): string {
  const query = new URLSearchParams(mode === 'paper' ? { mode } : {});
  const [first, ...others] = rows;
  if (first && others.length === 0) query.set('position', first.positionId);
  else query.set('search', first?.symbol ?? '');
  return `/positions?${query.toString()}`;
}

function Held({ rows, pair, mode }: { rows: readonly HeldPositionRow[]; pair: Pair; mode: TradeMode }) {
  const { t } = useTranslation();
  const held = heldOfPair(rows);
  const [first] = rows;
  if (!held || !first) return null;
  const reasons = reasonsOf(rows.length === 1 ? first : { ...first, broken: [] }, t);
  const price = (value: Price | null) => (value === null ? <Unknown reason={reasons.cost} /> : formatPrice(value, pair.pricePrecision));
  const isSeveral = rows.length > 1;
  return (
    <>
      {!isSeveral && (first.broken.length > 0 || first.excludedFromTotals) && (
        <Flex {...SIDES} pb="1.5">
          <PositionBadges broken={first.broken} excludedFromTotals={first.excludedFromTotals} />
        </Flex>
      )}
      <Rows
        rows={[
          {
            key: 'result',
            label: t('positions.result'),
            value: (
              <TextLink
                to={placeOf(rows, mode)}
                color="fg"
                textDecoration="none"
                _hover={{ textDecoration: 'underline' }}
                fontWeight="620"
                {...FINGER}
              >
                <span className="visually-hidden">{t('markets.yours.open', { count: rows.length })} </span>
                <Result value={held.result} percent={held.resultPct} currency={pair.quoteAsset} reason={reasons.result} />
              </TextLink>
            ),
          },
          {
            key: 'value',
            label: t('positions.value'),
            value: held.value === null ? <Unknown reason={reasons.price} /> : formatMoney(held.value, pair.quoteAsset),
          },
          { key: 'averageCost', label: t('positions.averageCost'), value: price(held.averageCost) },
          {
            key: 'breakEven',
            label: t('positions.breakEven'),
            value:
              held.breakEven !== null && isNothing(held.breakEven) ? (
                <span title={t('positions.recoveredHint')}>{t('positions.recovered')}</span>
              ) : (
                price(held.breakEven)
              ),
          },
        ]}
      />
      {isSeveral && (
        <Text {...SIDES} mt="-1.5" pb="3" fontSize="12px" color="fg.muted">
          {t('markets.yours.several', { count: rows.length - held.leftOut })}
          {held.leftOut > 0 && ` ${t('markets.yours.leftOut', { count: held.leftOut })}`}
        </Text>
      )}
    </>
  );
}
