import type { LevelsOutlook } from '@pilotfish/core/auto-trades/auto-trade-actions-contract';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, UsageError } from '../app/failure.ts';
import { pricePlaces } from '../app/price-places.ts';
import type { Translate } from '../app/texts.ts';
import { printOne } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { positions } from './bot-columns.ts';
import { botsClient } from './find-bot.ts';
import { findBotPosition } from './find-bot-position.ts';
import { askingForSale } from './sale-consent.ts';

const NONE = /^(none|yok|-)$/i;

/** A price as it was typed; null puts the level back. @throws UsageError naming the option */
function priceOf(flag: string, typed: string): string | null {
  if (NONE.test(typed)) return null;
  if (!isDecimalText(typed) || !/[1-9]/.test(typed) || typed.startsWith('-')) throw new UsageError('amount', { flag, value: typed });
  return typed;
}

function takeProfitOf(typed: string): { level: number; price: string | null } {
  const [, level, price] = /^(\d{1,2})=(.+)$/.exec(typed) ?? [];
  if (level === undefined || price === undefined || Number(level) < 1)
    throw new UsageError('takeProfitLevel', { flag: '--take-profit', value: typed });
  return { level: Number(level), price: priceOf('--take-profit', price) };
}

/** What goes elsewhere, a line each: `Stop 94,484.25 → 95,900.00`, and the worst case. */
function changesOf(t: Translate, before: LevelsOutlook, after: LevelsOutlook, currency: string, places: number | undefined): string[] {
  const price = (value: Price | null | undefined) => (value == null ? UNKNOWN : formatPrice(value, places));
  const worst = ({ worst: amount }: LevelsOutlook) => (amount === null ? UNKNOWN : formatSigned(amount, currency));
  const pairs: [string, string, string][] = [
    [t('autoTrades.levels.stop'), price(before.stop), price(after.stop)],
    [t('autoTrades.levels.trailingStart'), price(before.trailingStart), price(after.trailingStart)],
    ...after.takeProfit.map((_, at): [string, string, string] => [
      t('autoTrades.levels.takeProfit', { level: at + 1 }),
      price(before.takeProfit[at]),
      price(after.takeProfit[at]),
    ]),
    [t('autoTrades.levels.worst'), worst(before), worst(after)],
  ];
  return pairs.flatMap(([name, was, is]) => (was === is ? [] : [`${name} ${was} → ${is}`]));
}

/** Moves stop, trailing start and take profits of one position, once what that changes was shown and agreed to. */
export async function levels(
  context: Context,
  {
    bot: wanted,
    coinOrPosition,
    stop,
    trailingStart,
    takeProfit = [],
  }: { bot: string; coinOrPosition: string; stop?: string; trailingStart?: string; takeProfit?: readonly string[] },
): Promise<void> {
  const body = {
    ...(stop === undefined ? {} : { stop: priceOf('--stop', stop) }),
    ...(trailingStart === undefined ? {} : { trailingStart: priceOf('--trailing-start', trailingStart) }),
    ...(takeProfit.length === 0 ? {} : { takeProfit: takeProfit.map(takeProfitOf) }),
  };
  if (Object.keys(body).length === 0) throw new UsageError('noLevels');
  const client = await botsClient(context);
  const { bot, position } = await findBotPosition(client, wanted, coinOrPosition);
  const params = { id: bot.id, positionId: position.id };
  const { before, after } = await client.moveAutoTradePositionLevels({ params, body: { ...body, validateOnly: true } });
  const [t, places] = await Promise.all([context.texts(), pricePlaces(context)]);
  const what = changesOf(t, before, after, bot.currency, places(position.symbol)).join('; ');
  if (what !== '' && !(await confirm(context, 'cli.bots.levels', { name: bot.name, symbol: position.symbol, what })))
    throw new Ended(EXIT.failed);
  const moved = await askingForSale(context, (consent) => client.moveAutoTradePositionLevels({ params, body: { ...body, ...consent } }));
  if (moved.position) await printOne(context, positions(t, bot.currency), moved.position);
}
