import { listAutoTrades, listAutoTradeTraces } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Money } from '@pilotfish/core/money/figure';
import { formatSigned } from '@pilotfish/core/money/format';
import { listClosedPositions } from '@pilotfish/core/positions/positions-contract';
import { recentResults } from '@pilotfish/core/positions/recent-results';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { tint } from '../ui/colour.ts';
import { printRows, type Resource } from '../ui/output.ts';

const DAY_MS = 86_400_000;
const SPANS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, gün: 1, hafta: 7, ay: 30 };

type Result = { source: 'bots' | 'paperBots' | 'closed'; amount: Money; currency: string };

/** What was realised in the last 24 hours, 7 or 30 days: of bots, of paper bots, of closed positions. */
export async function pnl(context: Context, { span = 'day' }: { span?: string }): Promise<void> {
  const days = SPANS[span.toLowerCase()];
  if (days === undefined) throw new UsageError('invalidValue', { word: 'span', allowed: 'day, week, month' });
  const client = await context.client({ listAutoTrades, listAutoTradeTraces, listClosedPositions });
  const found = await recentResults(
    {
      bots: () => client.listAutoTrades(),
      sales: async (id, page, pageSize) =>
        (await client.listAutoTradeTraces({ params: { id }, query: { kind: 'Sell', page, pageSize } })).items,
      closed: async (page, pageSize) => (await client.listClosedPositions({ query: { order: 'closedAt-desc', page, pageSize } })).items,
    },
    context.now() - days * DAY_MS,
  );
  const t = await context.texts();
  const rows: Resource<Result> = {
    empty: 'results',
    columns: [
      { key: 'source', value: ({ source }) => source, shown: ({ source }) => t(`cli.everyday.${source}`) },
      {
        key: 'amount',
        value: ({ amount }) => amount,
        shown: ({ amount, currency }, paint) => tint(paint, formatSigned(amount, currency)),
        right: true,
      },
      { key: 'currency', value: ({ currency }) => currency },
    ],
  };
  const of = (source: Result['source']) => found[source].map(({ total, currency }): Result => ({ source, amount: total, currency }));
  await printRows(context, rows, [...of('bots'), ...of('paperBots'), ...of('closed')]);
  if (found.unknown > 0) await context.say('cli.everyday.unknown', { count: found.unknown });
}
