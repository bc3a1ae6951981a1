import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { CLOSED_ORDERS, type ClosedOrder, closedExit, listClosedPositions } from '@pilotfish/core/positions/positions-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { formatOf, pickedRows, printRows } from '../ui/output.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { closedRows } from './position-columns.ts';
import { brokenLines, totalLines } from './position-notes.ts';

type ClosedFlags = {
  mode?: TradeMode;
  currency?: string;
  order: string;
  hideFrom?: string;
  hideTo?: string;
  onlyBroken?: true;
  coin?: string;
  bot?: string;
  exit?: string;
  result?: string;
  from?: string;
  to?: string;
  limit?: string;
  page?: string;
  watch?: true;
};

const LARGEST_PAGE = 200;

const given = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };

function amount(text: string | undefined, flag: string): string | undefined {
  if (text !== undefined && !isDecimalText(text)) throw new UsageError('amount', { flag, value: text });
  return text;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
function day(text: string | undefined, flag: string): string | undefined {
  if (text !== undefined && !DAY.test(text)) throw new UsageError('day', { flag, value: text });
  return text;
}
function oneOf<Value extends string>(text: string | undefined, flag: string, allowed: readonly Value[]): Value | undefined {
  const found = allowed.find((each) => each.toLowerCase() === text?.toLowerCase());
  if (text !== undefined && found === undefined) throw new UsageError('invalidValue', { word: flag, allowed: allowed.join(', ') });
  return found;
}

/** What the options ask of the server; not the bot, whose name the server does not know. @throws UsageError naming the option */
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
    ...given('mode', flags.mode),
    ...(flags.currency === undefined ? {} : { currency: flags.currency.toUpperCase() }),
    ...(min === undefined ? {} : { 'excludedPnl.min': min }),
    ...(max === undefined ? {} : { 'excludedPnl.max': max }),
    ...(flags.onlyBroken ? { onlyBrokenPositions: 'true' } : {}),
    ...(flags.coin === undefined ? {} : { coins: flags.coin.toUpperCase() }),
    ...given('exits', oneOf(flags.exit, '--exit', closedExit.options)),
    ...given('result', oneOf(flags.result, '--result', ['win', 'loss'] as const)),
    ...given('from', day(flags.from, '--from')),
    ...given('to', day(flags.to, '--to')),
  };
}

/** What was sold again, with the totals of what is listed and of everything: filters never change results unseen. */
export async function listClosed(context: Context, flags: ClosedFlags): Promise<void> {
  const asked = closedQuery(flags);
  const client = await context.client({ listClosedPositions });
  const query = { ...asked, ...given('bots', flags.bot === undefined ? undefined : await botOf(flags.bot)) };
  async function botOf(wanted: string): Promise<string> {
    if (wanted.toLowerCase() === BY_HAND) return BY_HAND;
    const { bots } = (
      await client.listClosedPositions({ query: { ...given('mode', flags.mode), page: 1, pageSize: 1, order: 'closedAt-desc' } })
    ).choices;
    const known = bots.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
    if (known === undefined)
      throw new UsageError('invalidValue', { word: '--bot', allowed: [...bots.map(({ name }) => name), BY_HAND].join(', ') });
    return known.id;
  }
  const t = await context.texts();
  const resource = closedRows({
    byHand: t('overview.byHand'),
    exit: (exit) => (exit === 'hand' || exit === 'gone' ? t(`positions.exits.${exit}`) : t(`exitReasons.${exit}`)),
    span: (ms) => formatSpan(ms, context.language),
  });
  let answer = await client.listClosedPositions({ query });
  const more = async (): Promise<string> => {
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
    return watchRows(context, resource, load, ['positions'], more);
  }
  if (formatOf(context) === 'json') {
    const items = pickedRows(context, resource, answer.items);
    context.stdout.write(`${JSON.stringify({ ...answer, items }, null, context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  await printRows(context, resource, answer.items);
  if (formatOf(context) === 'table') context.stdout.write(`\n${await more()}\n`);
}
