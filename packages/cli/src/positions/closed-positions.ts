import { isDecimalText } from '@pilotfish/core/money/decimal';
import { CLOSED_ORDERS, type ClosedOrder, listClosedPositions } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { formatOf, pickedRows, printRows } from '../ui/output.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { closedPositions } from './position-columns.ts';
import { brokenLines, totalLines } from './position-notes.ts';

type ClosedFlags = {
  currency?: string;
  order: string;
  hideFrom?: string;
  hideTo?: string;
  onlyBroken?: true;
  limit?: string;
  page?: string;
  watch?: true;
};

const LARGEST_PAGE = 200;

function amount(text: string | undefined, flag: string): string | undefined {
  if (text !== undefined && !isDecimalText(text)) throw new UsageError('amount', { flag, value: text });
  return text;
}

/** What the options ask of the server. @throws UsageError naming the option */
export function closedQuery(flags: ClosedFlags) {
  if (!(CLOSED_ORDERS as readonly string[]).includes(flags.order))
    throw new UsageError('invalidValue', { word: '--order', allowed: CLOSED_ORDERS.join(', ') });
  const pageSize = wholeNumber(flags.limit, '--limit') ?? 25;
  if (pageSize > LARGEST_PAGE) throw new UsageError('atMost', { flag: '--limit', most: LARGEST_PAGE });
  const [min, max] = [amount(flags.hideFrom, '--hide-from'), amount(flags.hideTo, '--hide-to')];
  return {
    page: wholeNumber(flags.page, '--page') ?? 1,
    pageSize,
    order: flags.order as ClosedOrder,
    ...(flags.currency === undefined ? {} : { currency: flags.currency.toUpperCase() }),
    ...(min === undefined ? {} : { 'excludedPnl.min': min }),
    ...(max === undefined ? {} : { 'excludedPnl.max': max }),
    ...(flags.onlyBroken ? { onlyBrokenPositions: 'true' } : {}),
  };
}

/** What was sold again, with the totals of what is listed and of everything: filters never change results unseen. */
export async function listClosed(context: Context, flags: ClosedFlags): Promise<void> {
  const query = closedQuery(flags);
  const client = await context.client({ listClosedPositions });
  let answer = await client.listClosedPositions({ query });
  const more = async (): Promise<string> => {
    const t = await context.texts();
    const pages = Math.max(1, Math.ceil(answer.total / answer.pageSize));
    return [
      ...(await brokenLines(context, answer.items)),
      ...(await totalLines(context, t('cli.positions.listed'), answer.totalsListed)),
      ...(await totalLines(context, t('cli.positions.all'), answer.totalsAll)),
      ...(pages > 1 ? [t('cli.screen.page', { page: answer.page, pages })] : []),
    ].join('\n');
  };
  if (flags.watch) {
    const { watchRows } = await import('../ui/watch-rows.ts');
    const load = async () => {
      answer = await client.listClosedPositions({ query });
      return answer.items;
    };
    return watchRows(context, closedPositions, load, ['positions'], more);
  }
  if (formatOf(context) === 'json') {
    const items = pickedRows(context, closedPositions, answer.items);
    context.stdout.write(`${JSON.stringify({ ...answer, items }, null, context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  await printRows(context, closedPositions, answer.items);
  if (formatOf(context) === 'table') context.stdout.write(`\n${await more()}\n`);
}
