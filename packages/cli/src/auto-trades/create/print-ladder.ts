import { decimal, negate } from '@pilotfish/core/money/decimal';
import { formatMoney, formatPercentNumber, formatQuantity, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import type { Context } from '../../app/context.ts';
import { printRows, type Resource } from '../../ui/output.ts';
import type { Ladder } from '../bot-check.ts';

type Rung = Ladder['rungs'][number];
const rungs = (currency: string): Resource<Rung> => ({
  empty: 'ladder',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol },
    { key: 'level', value: ({ level }) => String(level), right: true },
    { key: 'price', value: ({ price }) => price, pair: ({ symbol }) => symbol, right: true },
    { key: 'quantity', value: ({ quantity }) => quantity, shown: ({ quantity }) => formatQuantity(quantity), right: true },
    { key: 'quote', value: ({ quote }) => quote, shown: ({ quote }) => formatMoney(quote, currency), right: true },
    { key: 'invested', value: ({ invested }) => invested ?? null, shown: ({ invested }) => paid(invested, currency), right: true },
    { key: 'stopPrice', value: ({ stopPrice }) => stopPrice, pair: ({ symbol }) => symbol, right: true },
    { key: 'lossAtStop', value: ({ lossAtStop }) => lossAtStop, shown: ({ lossAtStop }) => lost(lossAtStop, currency), right: true },
  ],
});
const paid = (invested: Rung['invested'], currency: string) => (invested === undefined ? UNKNOWN : formatMoney(invested, currency));
const lost = (loss: Rung['lossAtStop'], currency: string) => (loss === null ? UNKNOWN : formatSigned(negate(decimal(loss)), currency));

/** What enabling would buy at present prices, what stands after each step, the most it could tie up, and the worst loss. */
export async function printLadder(context: Context, ladder: Ladder): Promise<void> {
  context.stdout.write('\n');
  await printRows(context, rungs(ladder.currency), ladder.rungs);
  for (const { symbol, gainPct, mergedInto } of ladder.exits)
    if (mergedInto !== null) await context.say('cli.bots.merged', { symbol, gain: formatPercentNumber(gainPct) });
  await context.say('cli.bots.worstCase', { total: formatMoney(ladder.worstCaseTotal, ladder.currency), currency: ladder.currency });
  if (ladder.worstLoss === null) await context.say('cli.bots.noStop');
  else await context.say('cli.bots.worstLoss', { loss: formatMoney(ladder.worstLoss, ladder.currency), currency: ladder.currency });
}
