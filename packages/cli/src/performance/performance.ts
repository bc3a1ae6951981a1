import type { TradeMode } from '@pilotfish/core/http/wire';
import { decimal, isZero } from '@pilotfish/core/money/decimal';
import { formatCurrency, formatPercent, formatRatio, formatShare, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { type Performance, performanceContract } from '@pilotfish/core/performance/performance-contract';
import type { Context } from '../app/context.ts';
import { findByName } from '../app/find.ts';
import type { Translate } from '../app/texts.ts';
import { type Colours, colours, tint } from '../ui/colour.ts';
import { type Column, formatOf, printRows, type Resource, table } from '../ui/output.ts';

type Options = {
  readonly mode: TradeMode;
  readonly from?: string;
  readonly to?: string;
  readonly bot?: readonly string[];
  readonly coin?: readonly string[];
  readonly reason?: readonly string[];
};
/** What no bot did, as the address names it. */
const BY_HAND = 'hand';

/** What was earned over a range: key figures, by bot, coin and reason, and the days with a result. */
export async function performance(context: Context, { mode, from, to, bot = [], coin = [], reason = [] }: Options): Promise<void> {
  const client = await context.client(performanceContract);
  const byName = async (): Promise<string[]> => {
    const { choices } = await client.getPerformance({ query: { mode } });
    const bots = choices.bots.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }]));
    return bot.map((wanted) => (wanted === BY_HAND ? BY_HAND : findByName('bot', bots, wanted).id));
  };
  const list = (items: readonly string[]): string => items.join(',');
  const found = await client.getPerformance({
    query: {
      mode,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(bot.length === 0 ? {} : { bots: list(await byName()) }),
      ...(coin.length === 0 ? {} : { coins: list(coin.map((each) => each.toUpperCase())) }),
      ...(reason.length === 0 ? {} : { reasons: list(reason) }),
    },
  });
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') {
    context.stdout.write(`${JSON.stringify(found, null, format === 'json' && context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  const t = await context.texts();
  if (format === 'table' && context.globals.fields === undefined) return printSections(context, t, found);
  await printRows(context, { empty: 'performance', columns: columnsOf(found.currency, false) } satisfies Resource<Row>, rowsOf(t, found));
}

type Kind = 'total' | 'bot' | 'wallet' | 'coin' | 'reason' | 'day' | 'month';
type Tally = Performance['days'][number];
/** One line of one of the lists. */
type Row = { readonly kind: Kind; readonly name: string; readonly exits: number; readonly net: Tally['net'] } & Partial<
  Pick<Tally, 'wins' | 'winRatePct' | 'profitFactor' | 'fees'>
>;

/** @param alone each list stands under a heading of its own */
function columnsOf(currency: string, alone: boolean): readonly Column<Row>[] {
  return [
    ...(alone ? [] : [{ key: 'kind', value: ({ kind }: Row) => kind }]),
    { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
    { key: 'exits', value: ({ exits }) => String(exits), right: true },
    { key: 'wins', value: ({ wins }) => (wins === undefined ? null : String(wins)), right: true, rank: 3 },
    {
      key: 'winRatePct',
      value: ({ winRatePct }) => winRatePct ?? null,
      shown: ({ winRatePct }) => (winRatePct == null ? UNKNOWN : formatShare(winRatePct, 0)),
      right: true,
      rank: 1,
    },
    {
      key: 'profitFactor',
      value: ({ profitFactor }) => profitFactor ?? null,
      shown: ({ profitFactor }) => (profitFactor == null ? UNKNOWN : formatRatio(profitFactor)),
      right: true,
      rank: 2,
    },
    { key: 'net', value: ({ net }) => net, shown: ({ net }, paint) => tint(paint, formatSigned(net, currency)), right: true },
  ];
}

const reasonText = (t: Translate, reason: Performance['reasons'][number]['reason']): string =>
  t(reason === BY_HAND || reason === 'conversion' ? `performance.reason.${reason}` : `exitReasons.${reason}`);

/** Everything that adds up, as rows of one kind. */
function rowsOf(t: Translate, found: Performance): Row[] {
  const row = (kind: Kind, name: string, sums: Omit<Row, 'kind' | 'name'>): Row => ({ ...sums, kind, name });
  const nameOf = ({ id, name }: { readonly id: string | null; readonly name: string | null }): string =>
    id === null || id === BY_HAND ? t('cli.performance.byHand') : (name ?? id);
  const days = found.days.filter(({ exits, net }) => exits > 0 || !isZero(decimal(net)));
  return [
    row('total', '', found),
    ...found.bots.map((each) => row('bot', nameOf(each), each)),
    ...found.wallets.map((each) => row('wallet', nameOf(each), each)),
    ...found.coins.map((each) => row('coin', each.asset, each)),
    ...found.reasons.map((each) => row('reason', reasonText(t, each.reason), each)),
    ...days.map((each) => row('day', each.day, each)),
    ...found.year.months.map((each) => row('month', each.month, each)),
  ];
}

async function printSections(context: Context, t: Translate, found: Performance): Promise<void> {
  const paint = colours(context, context.stdout);
  const write = (text: string) => context.stdout.write(text);
  write(`${figureLines(t, paint, found).join('\n')}\n`);
  if (found.exits === 0) return void write(`\n${paint.dim(t('cli.empty.performance'))}\n`);
  const rows = rowsOf(t, found);
  for (const kind of ['bot', 'coin', 'reason', 'day'] as const) {
    write(`\n${paint.bold(t(`cli.performance.by.${kind}`))}\n`);
    write(
      await table(
        context,
        columnsOf(found.currency, true),
        rows.filter((row) => row.kind === kind),
      ),
    );
  }
}

function figureLines(t: Translate, paint: Colours, found: Performance): string[] {
  const { currency, benchmark, drawdown, open, leftOut } = found;
  const signed = (value: Performance['averageExit']): string => (value === null ? UNKNOWN : tint(paint, formatSigned(value, currency)));
  const part = (key: string, text: string): string => `${paint.dim(t(`cli.performance.${key}`))} ${text}`;
  const line = (...parts: readonly (string | null)[]): string => parts.filter((each) => each !== null).join(' · ');
  const inPercent = (value: Performance['returnPct']): string => (value === null ? '' : ` (${formatPercent(value)})`);
  return [
    line(
      `${part('net', paint.bold(`${signed(found.net)} ${currency}`))}${inPercent(found.returnPct)} ${paint.dim(t(`cli.modes.${found.mode}`))}`,
      `${found.from} – ${found.to}`,
    ),
    line(
      part(
        'won',
        `${t('cli.performance.winsOf', { wins: found.wins, exits: found.exits })}${found.winRatePct === null ? '' : ` (${formatShare(found.winRatePct, 0)})`}`,
      ),
      part('factor', found.profitFactor === null ? UNKNOWN : formatRatio(found.profitFactor)),
      part('average', `${signed(found.averageExit)} (${signed(found.averageWin)} / ${signed(found.averageLoss)})`),
      part('fees', `${formatCurrency(found.fees, currency)}${found.feesPct === null ? '' : ` (${formatShare(found.feesPct, 0)})`}`),
    ),
    line(
      part('open', `${open.result === null ? UNKNOWN : signed(open.result)} ${t('cli.performance.positions', { count: open.positions })}`),
      drawdown && part('drawdown', `${formatPercent(drawdown.pct)} (${drawdown.from} – ${drawdown.to})`),
      benchmark && part('against', `${formatPercent(benchmark.equityPct)} / ${benchmark.asset} ${formatPercent(benchmark.pct)}`),
    ),
    ...leftOut.map(({ cause, count }) => paint.yellow(t(`cli.performance.leftOut.${cause}`, { count }))),
  ];
}
