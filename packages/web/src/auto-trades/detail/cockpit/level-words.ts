import type { AutoTradeDetail, PositionLevel } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { formatMoney, formatPercentNumber, formatSigned } from '@pilotfish/core/money/format';
import type { BotCoin } from './chosen-coin.ts';
import { type LevelRow, saleAt } from './chosen-levels.ts';

export type Translate = (key: string | string[], values?: Record<string, string | number>) => string;
export type LevelWords = { readonly name: string; readonly short: string; readonly note?: string; readonly outcome?: string };

/**
 * A level in words: what it is, what happens there, and what that brings.
 * @param rows all levels of the coin: one of several is numbered
 */
export function levelWords(
  t: Translate,
  row: LevelRow,
  { rows, position, currency }: { rows: readonly LevelRow[]; position: BotCoin['position']; currency: AutoTradeDetail['currency'] },
): LevelWords {
  const { kind, level } = row;
  const isOneOfMany = rows.filter((each) => each.kind === kind).length > 1 || (level?.number ?? 1) > 1;
  const number = level?.number != null && isOneOfMany ? ` ${level.number}` : '';
  const name = `${t(`autoTrades.cockpit.level.${kind}`)}${number}`;
  const short = `${t([`autoTrades.cockpit.shortLevel.${kind}`, `autoTrades.cockpit.level.${kind}`])}${number}`;
  const note = noteOf(t, row, position, currency);
  const outcome = level?.result == null ? undefined : formatSigned(level.result, currency);
  return { name, short, ...(note !== undefined && { note }), ...(outcome !== undefined && { outcome }) };
}

function noteOf(t: Translate, row: LevelRow, position: BotCoin['position'], currency: string): string | undefined {
  const { kind, level } = row;
  if (kind === 'breakEven') return t('autoTrades.cockpit.afterFees');
  if (kind === 'protectiveStop') return t('autoTrades.cockpit.rests');
  if (!level || !position) return undefined;
  if (kind === 'arm') return level.distancePct === null ? undefined : followsAt(t, level.distancePct);
  if (kind === 'rebuy')
    return level.quote === null ? undefined : t('autoTrades.cockpit.buys', { amount: formatMoney(level.quote, currency) });
  const sale = saleAt(level, position);
  if (sale === undefined) return undefined;
  if (sale === 'merged') return t('autoTrades.cockpit.merged');
  const sells =
    sale === 'share' && level.sellPct !== null
      ? t('autoTrades.cockpit.sellsShare', { percent: formatPercentNumber(level.sellPct) })
      : t('autoTrades.cockpit.sellsAll');
  return row.isAtExchange ? `${sells}, ${t('autoTrades.cockpit.rests')}` : sells;
}

const followsAt = (t: Translate, percent: NonNullable<PositionLevel['distancePct']>): string =>
  t('autoTrades.cockpit.follows', { percent: formatPercentNumber(percent) });

/** A level in one line, for who does not see where it stands: `Stop 95,900.00, sells all, result −9.25 USDT`. */
export const levelSentence = (
  t: Translate,
  { name, note, outcome }: Pick<LevelWords, 'name' | 'note' | 'outcome'>,
  price: string,
  currency: string,
): string =>
  [`${name} ${price}`, note, outcome === undefined ? undefined : t('autoTrades.draft.result', { result: outcome, currency })]
    .filter((text) => text !== undefined)
    .join(', ');
