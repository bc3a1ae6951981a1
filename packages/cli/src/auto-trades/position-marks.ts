import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, equals, HUNDRED } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import { formatPercentNumber, formatPrice } from '@pilotfish/core/money/format';
import type { Translate } from '../app/texts.ts';
import { localTime } from '../ui/times.ts';

/** One line of a position: what it is called, and where it lies. */
export type Mark = { readonly key: string; readonly label: string; readonly text: string };

/**
 * Every line in force for a position, the ones that sell first: the owner's target, the protected cost, levels still
 * to come, stops, time, then the rebuys. Of what is not bought yet, where it waits.
 * @param places how many decimals a price of its pair is read with
 */
export function positionMarks(t: Translate, { averageCost, breakEven, lines }: AutoTradePosition, places?: number): Mark[] {
  const levels = lines.takeProfit.filter(({ done }) => !done);
  const level = ({ price, sellPct }: (typeof levels)[number]) =>
    levels.length === 1 && equals(decimal(sellPct), HUNDRED)
      ? formatPrice(price, places)
      : `${formatPrice(price, places)} (${formatPercentNumber(sellPct)}%)`;
  const price = (value: Price | null) => (value === null ? '' : formatPrice(value, places));
  const marks: [string, string][] = [
    ['target', price(lines.target)],
    ['protectedCost', price(lines.protectedCost)],
    ['peak', lines.protectedCost ? price(lines.peak) : ''],
    ['arm', price(lines.arm)],
    ['takeProfit', levels.map(level).join(', ')],
    ['breakEven', price(breakEven)],
    ['stopLoss', price(lines.stopLoss)],
    ['protectiveStop', price(lines.protectiveStop)],
    ['timeStop', lines.timeStopAt ? localTime(lines.timeStopAt) : ''],
    ['rebuys', lines.rebuys.map((each) => formatPrice(each.price, places)).join(', ')],
    // Of interest until something is bought.
    ['trigger', averageCost ? '' : price(lines.trigger)],
    ['entryLow', averageCost ? '' : price(lines.entryLow)],
  ];
  return marks.filter(([, text]) => text !== '').map(([key, text]) => ({ key, label: t(`cli.lines.${key}`), text }));
}

/** Marks side by side in as many rows as they need; none is cut in two. */
export function rowsOfMarks(marks: readonly Mark[], columns: number): string[] {
  const rows: string[] = [];
  for (const { label, text } of marks) {
    const shown = `${label} ${text}`;
    const last = rows.at(-1);
    if (last !== undefined && last.length + 2 + shown.length <= columns) rows[rows.length - 1] = `${last}  ${shown}`;
    else rows.push(shown);
  }
  return rows;
}

/** What keeps the bot, or a coin of it, from trading: one sentence each. */
export function standstills(
  t: Translate,
  {
    state,
    stateReason,
    exits,
    openPositions,
    pausedUntil,
    coinPauses,
    coinHalts,
    withheld,
    positions,
    unreadPair,
  }: Pick<
    AutoTradeDetail,
    | 'unreadPair'
    | 'withheld'
    | 'state'
    | 'stateReason'
    | 'exits'
    | 'openPositions'
    | 'pausedUntil'
    | 'coinPauses'
    | 'coinHalts'
    | 'positions'
  >,
): string[] {
  const why = (reason: string, detail?: string) => t([`botReasons.${reason}`], { detail, defaultValue: reason });
  const sentences: string[] = [];
  if (unreadPair) sentences.push(t('autoTrades.unreadPair', { pair: unreadPair }));
  if (withheld.length > 0 && stateReason !== 'trading-disabled') sentences.push(t('errors.trading-disabled.detail'));
  if (exits === 'freeze') sentences.push(t('autoTrades.frozen.what', { count: openPositions }));
  if (state === 'Paused' && pausedUntil)
    sentences.push(t('cli.bots.pausedUntil', { at: localTime(pausedUntil), reason: stateReason ? why(stateReason) : '–' }));
  else if ((state === 'Blocked' || state === 'Halted') && stateReason) sentences.push(`${t(`botStates.${state}`)}: ${why(stateReason)}`);
  for (const { symbol, until, reason, detail } of coinPauses)
    sentences.push(t('cli.bots.coinPaused', { symbol, at: localTime(until), reason: why(reason, detail) }));
  for (const { symbol, until, reason } of coinHalts)
    sentences.push(t('cli.bots.coinHaltedUntil', { symbol, at: localTime(until), reason: reason || '–' }));
  for (const { symbol, stopRefused } of positions)
    if (stopRefused)
      sentences.push(
        `${symbol}: ${t([`autoTrades.stopRefusals.${stopRefused}`, 'autoTrades.position.stopRefused'], {
          reason: t([`stopReasons.${stopRefused}`], { defaultValue: stopRefused }),
        })}`,
      );
  return sentences;
}
