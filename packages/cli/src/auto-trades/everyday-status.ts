import { type AutoTrade, listAutoTrades } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { add, decimal, toText } from '@pilotfish/core/money/decimal';
import { digits, type Money } from '@pilotfish/core/money/figure';
import { formatSigned } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { tint } from '../ui/colour.ts';
import { type Column, printOne } from '../ui/output.ts';

const TROUBLE: ReadonlySet<string> = new Set(['Blocked', 'Halted', 'Paused']);

type Standing = {
  botsByState: Record<string, number>;
  openPositions: number;
  realisedToday: { currency: string; amount: Money }[];
  trouble: { name: string; state: AutoTrade['state']; reason: string | null }[];
};

/** How many bots are in which state, what they hold and made today, and which of them stand still. */
export async function status(context: Context): Promise<void> {
  const client = await context.client({ listAutoTrades });
  const bots = await client.listAutoTrades();
  const byState: Record<string, number> = {};
  const today = new Map<string, string>();
  for (const { state, currency, realisedToday } of bots) {
    byState[state] = (byState[state] ?? 0) + 1;
    today.set(currency, toText(add(decimal(today.get(currency) ?? '0'), decimal(realisedToday))));
  }
  const row: Standing = {
    botsByState: byState,
    openPositions: bots.reduce((sum, bot) => sum + bot.openPositions, 0),
    realisedToday: [...today].map(([currency, amount]) => ({ currency, amount })),
    trouble: bots
      .filter(({ state }) => TROUBLE.has(state))
      .map(({ name, state, stateReason }) => ({ name, state, reason: stateReason ?? null })),
  };
  const t = await context.texts();
  const states = (name: (state: string) => string) =>
    Object.entries(byState)
      .map(([state, count]) => `${name(state)} ${count}`)
      .join(', ');
  const why = ({ state, reason }: Standing['trouble'][number]) =>
    reason === null ? t(`botStates.${state}`) : t([`botReasons.${reason}`], { defaultValue: reason });
  const columns: Column<Standing>[] = [
    { key: 'botsByState', value: () => states((state) => state), shown: () => states((state) => t(`botStates.${state}`)) || '0' },
    { key: 'openPositions', value: ({ openPositions }) => String(openPositions) },
    {
      key: 'realisedToday',
      value: ({ realisedToday }) => realisedToday.map(({ amount, currency }) => `${digits(amount)} ${currency}`).join(', '),
      shown: ({ realisedToday }, paint) =>
        realisedToday.map(({ amount, currency }) => `${tint(paint, formatSigned(amount, currency))} ${currency}`).join(', '),
    },
    {
      key: 'trouble',
      value: ({ trouble }) => trouble.map(({ name, state }) => `${name} ${state}`).join(', '),
      shown: ({ trouble }, paint) => trouble.map((each) => paint.yellow(`${each.name}: ${why(each)}`)).join(', '),
    },
  ];
  await printOne(context, { columns }, row);
}
