import { Box, chakra, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, negate } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import { formatMoney, formatPercentNumber, formatPrice, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import type { LadderRung } from './ladder-chart.tsx';

type Ladder = AutoTradeDetail['ladder'];

const CELL = { px: { base: '1', sm: '2' }, py: '1.5', textAlign: 'end', verticalAlign: 'middle' } as const;
/** Figures do not break. */
const FIGURE = { ...CELL, whiteSpace: 'nowrap' } as const;
/** On a phone what a step costs stands below its name, and its stop below the loss: six columns have no room. */
const FROM_SM = { display: { base: 'none', sm: 'table-cell' } } as const;
const STEP_KEYS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Every sell and every buy of one coin's plan. A buy can be chosen, by a press or by arrows: sells, and what the chart shows,
 * are as they are once it is bought.
 */
export function LadderTable({
  ladder: { currency },
  exits,
  rungs,
  chosen,
  onChoose,
}: {
  ladder: Ladder;
  exits: Ladder['exits'];
  rungs: readonly LadderRung[];
  chosen: LadderRung;
  onChoose: (level: number) => void;
}) {
  const { t } = useTranslation();
  const pricePrecision = usePairs()?.get(chosen.symbol)?.pricePrecision;
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const hasStop = chosen.stopPrice !== null;
  const shown = (price: Price) => formatPrice(price, pricePrecision);
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const next = rungs[index + (STEP_KEYS[event.key] ?? 0)];
    if (STEP_KEYS[event.key] === undefined || !next) return;
    event.preventDefault();
    onChoose(next.level);
    buttons.current.get(next.level)?.focus();
  };
  const head = (key: string, more: object = {}) => (
    <chakra.th scope="col" {...CELL} fontWeight="550" {...more}>
      {t(`autoTrades.ladder.${key}`)}
    </chakra.th>
  );
  return (
    // Absurd amounts are shown, too, while they are typed: they are moved into sight here, not with the page.
    <Box overflowX="auto">
      <chakra.table w="100%" fontSize={{ base: '12px', sm: '13px' }} css={{ fontVariantNumeric: 'tabular-nums' }}>
        <chakra.caption captionSide="top" textAlign="start" mb="1" color="fg.muted" fontSize="12px">
          {rungs.length > 1 && `${t('autoTrades.ladder.choose')} `}
          {t('autoTrades.ladder.amounts', { currency })}
        </chakra.caption>
        <thead>
          <chakra.tr color="fg.muted">
            {head('step', { textAlign: 'start' })}
            {head('price')}
            {head('quote', FROM_SM)}
            {head('invested')}
            {hasStop && head('stop', FROM_SM)}
            {hasStop && head('atStop')}
          </chakra.tr>
        </thead>
        <tbody>
          {exits
            .flatMap((exit) => {
              const sell = chosen.sells[exit.level];
              return sell ? [{ ...exit, ...sell }] : [];
            })
            .toReversed()
            .map(({ level, gainPct, price, quote }) => (
              <chakra.tr key={`exit${level}`} borderTopWidth="1px" borderColor="border.subtle">
                <chakra.th scope="row" {...FIGURE} textAlign="start" fontWeight="550" className="gain">
                  {t('autoTrades.ladder.exit', { level: level + 1, gain: formatPercentNumber(gainPct) })}
                  {quote === null ? (
                    <Note>{t('autoTrades.ladder.merged', { level: level + 2 })}</Note>
                  ) : (
                    <Note only="phone">{formatMoney(quote, currency)}</Note>
                  )}
                </chakra.th>
                <chakra.td {...FIGURE}>{shown(price)}</chakra.td>
                <chakra.td {...FIGURE} {...FROM_SM}>
                  {quote === null ? '–' : formatMoney(quote, currency)}
                </chakra.td>
                <td colSpan={hasStop ? 3 : 1} />
              </chakra.tr>
            ))}
          {rungs.map((rung, index) => {
            const isChosen = rung.level === chosen.level;
            return (
              <chakra.tr
                key={rung.level}
                position="relative"
                h={{ base: '11', md: '9' }}
                borderTopWidth="1px"
                borderColor="border.subtle"
                bg={isChosen ? 'bg.raised' : undefined}
                boxShadow={isChosen ? 'inset 3px 0 0 var(--chakra-colors-fg-muted)' : undefined}
                _hover={{ bg: 'bg.raised' }}
              >
                <chakra.th scope="row" {...FIGURE} textAlign="start" fontWeight="550">
                  <chakra.button
                    type="button"
                    ref={(button: HTMLButtonElement | null) => {
                      if (button) buttons.current.set(rung.level, button);
                      else buttons.current.delete(rung.level);
                    }}
                    textAlign="start"
                    cursor="pointer"
                    fontWeight={isChosen ? '650' : '550'}
                    aria-pressed={isChosen}
                    tabIndex={isChosen ? 0 : -1}
                    // The whole row can be pressed.
                    _after={{ content: '""', position: 'absolute', inset: '0' }}
                    onClick={() => onChoose(rung.level)}
                    onKeyDown={(event) => onKeyDown(event, index)}
                  >
                    {rung.level === 0 ? t('autoTrades.ladder.entry') : t('autoTrades.ladder.rebuy', { level: rung.level })}
                  </chakra.button>
                  <Note only="phone">{formatMoney(rung.quote, currency)}</Note>
                </chakra.th>
                <chakra.td {...FIGURE}>{shown(rung.price)}</chakra.td>
                <chakra.td {...FIGURE} {...FROM_SM}>
                  {formatMoney(rung.quote, currency)}
                </chakra.td>
                <chakra.td {...FIGURE}>{rung.invested === undefined ? UNKNOWN : formatMoney(rung.invested, currency)}</chakra.td>
                {rung.stopPrice !== null && rung.lossAtStop !== null && (
                  <>
                    <chakra.td {...FIGURE} {...FROM_SM}>
                      {shown(rung.stopPrice)}
                    </chakra.td>
                    <chakra.td {...FIGURE}>
                      <span className="loss">{formatSigned(negate(decimal(rung.lossAtStop)), currency)}</span>
                      <Note only="phone">{shown(rung.stopPrice)}</Note>
                    </chakra.td>
                  </>
                )}
              </chakra.tr>
            );
          })}
        </tbody>
      </chakra.table>
    </Box>
  );
}

const Note = ({ children, only }: { children: string; only?: 'phone' }) => (
  <Text
    as="span"
    display={only === 'phone' ? { base: 'block', sm: 'none' } : 'block'}
    color="fg.muted"
    fontSize="12px"
    lineHeight="16px"
    fontWeight="400"
    whiteSpace="normal"
  >
    {children}
  </Text>
);
