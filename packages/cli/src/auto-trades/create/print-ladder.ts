import { formatMoney, formatPercentNumber, formatQuantity } from '@pilotfish/core/money/format';
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
  ],
});

/** What enabling would buy at present prices, the most it could tie up, and the worst loss. */
export async function printLadder(context: Context, ladder: Ladder): Promise<void> {
  context.stdout.write('\n');
  await printRows(context, rungs(ladder.currency), ladder.rungs);
  for (const { symbol, gainPct, mergedInto } of ladder.exits)
    if (mergedInto !== null) await context.say('cli.bots.merged', { symbol, gain: formatPercentNumber(gainPct) });
  await context.say('cli.bots.worstCase', { total: formatMoney(ladder.worstCaseTotal, ladder.currency), currency: ladder.currency });
  if (ladder.worstLoss === null) await context.say('cli.bots.noStop');
  else await context.say('cli.bots.worstLoss', { loss: formatMoney(ladder.worstLoss, ladder.currency), currency: ladder.currency });
}
