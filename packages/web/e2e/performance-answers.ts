import type { Answer } from '@pilotfish/core/http/endpoint';
import type { performanceContract } from '@pilotfish/core/performance/performance-contract';

// One invented account, told in whole cents: whatever is asked of it, every part of the answer is a sum of the same exits.

type Performance = Answer<(typeof performanceContract)['getPerformance']>;
type Exit = Readonly<{
  day: string;
  hour: number;
  bot: string;
  coin: string;
  reason: Performance['reasons'][number]['reason'];
  cents: number;
  fee: number;
}>;

const ID = (n: number) => `01890000-0000-7000-8000-00000000000${n}`;
export const TREND = ID(1);
const BOTS: Record<string, { name: string | null; wallet: string | null }> = {
  [TREND]: { name: 'Majors trend', wallet: 'Main' },
  [ID(2)]: { name: 'Dip ladder', wallet: 'Main' },
  [ID(3)]: { name: 'RSI reversal', wallet: 'Experiments' },
  hand: { name: null, wallet: null },
};
const COINS = ['BTC', 'ETH', 'SOL', 'BNB', 'ADA', 'LINK'];
const REASONS = ['TakeProfit', 'TrailingCost', 'StopLoss', 'TakeProfit', 'Conditions', 'StopLoss', 'TimeStop'] as const;
const DAY = 86_400_000;
const START_CENTS = 1_162_000;

const dayName = (at: number) => new Date(at).toISOString().slice(0, 10);
const money = (cents: number) => (cents / 100).toFixed(2);
const sumOf = (exits: readonly Exit[]) => exits.reduce((sum, { cents }) => sum + cents, 0);

/** 300 days until today, with one to three exits on most of them; the same ones in every run. */
function exitsUntil(today: string): Exit[] {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const last = Date.parse(today);
  const found: Exit[] = [];
  for (let at = last - 299 * DAY; at <= last; at += DAY)
    for (let count = at === last ? 2 : next(4); count > 0; count -= 1) {
      const bots = Object.keys(BOTS);
      const bot = bots[next(10) % bots.length]!;
      const reason = bot === 'hand' ? 'hand' : REASONS[next(REASONS.length)]!;
      const size = 400 + next(3800);
      const isLoss = reason === 'StopLoss' || reason === 'TimeStop' || (reason === 'Conditions' && next(2) === 0);
      found.push({
        day: dayName(at),
        hour: next(24),
        bot,
        coin: COINS[next(36) % COINS.length]!,
        reason,
        cents: isLoss ? -size : size,
        fee: 20 + next(150),
      });
    }
  return found;
}

function tally(exits: readonly Exit[]) {
  const won = sumOf(exits.filter(({ cents }) => cents > 0));
  const lost = -sumOf(exits.filter(({ cents }) => cents < 0));
  const wins = exits.filter(({ cents }) => cents > 0).length;
  return {
    exits: exits.length,
    wins,
    winRatePct: exits.length === 0 ? null : ((wins / exits.length) * 100).toFixed(2),
    profitFactor: lost === 0 ? null : (won / lost).toFixed(4),
    net: money(won - lost),
  };
}

function grouped<Key extends string | number>(exits: readonly Exit[], keyOf: (exit: Exit) => Key): [Key, Exit[]][] {
  const groups = new Map<Key, Exit[]>();
  for (const exit of exits) groups.set(keyOf(exit), [...(groups.get(keyOf(exit)) ?? []), exit]);
  return [...groups].sort(([, one], [, other]) => sumOf(other) - sumOf(one));
}

/** What the server would answer to the query of a call. @param exits all there are; none for a newcomer */
export function performanceAnswer(query: URLSearchParams, today: string, all = exitsUntil(today)): Performance {
  const mode = query.get('mode') === 'paper' ? 'paper' : 'live';
  const listed = (key: string) => query.get(key)?.split(',');
  const hour = query.get('hour');
  const isNarrowed = ['bots', 'coins', 'reasons', 'hour'].some((key) => query.has(key));
  const fits = (exit: Exit) =>
    (listed('bots')?.includes(exit.bot) ?? true) &&
    (listed('coins')?.includes(exit.coin) ?? true) &&
    (listed('reasons')?.includes(exit.reason) ?? true) &&
    (hour === null || exit.hour === Number(hour));
  const first = all[0]?.day ?? null;
  const from = query.get('from') ?? first ?? today;
  const to = query.get('to') ?? today;
  const chosen = all.filter(fits);
  const exits = chosen.filter(({ day }) => day >= from && day <= to);
  const won = exits.filter(({ cents }) => cents > 0);
  const lost = exits.filter(({ cents }) => cents < 0);
  const feeCents = exits.reduce((sum, { fee }) => sum + fee, 0);
  let peak = 0;
  const days: Performance['days'] = [];
  for (let at = Date.parse(from); at <= Math.min(Date.parse(to), Date.parse(today)); at += DAY) {
    const day = dayName(at);
    const ofDay = exits.filter((exit) => exit.day === day);
    const equity = START_CENTS + sumOf(all.filter((exit) => exit.day <= day));
    peak = Math.max(peak, equity);
    const index = days.length;
    days.push({
      day,
      ...tally(ofDay),
      fees: money(ofDay.reduce((sum, { fee }) => sum + fee, 0)),
      equity: isNarrowed ? null : money(equity),
      flow: '0',
      drawdownPct: isNarrowed ? null : ((equity / peak - 1) * 100).toFixed(4),
      benchmark: isNarrowed
        ? null
        : money(Number(days[0]?.equity ?? money(equity)) * 100 * (1 + index * 0.0004 + Math.sin(index / 5) * 0.02)),
    });
  }
  const withExit = days.filter((day) => day.exits > 0).sort((one, other) => Number(other.net) - Number(one.net));
  const deepest = days.toSorted((one, other) => Number(one.drawdownPct) - Number(other.drawdownPct))[0];
  const year = to.slice(0, 4);
  const months = Array.from(
    { length: Number((to < today ? `${year}-12` : today).slice(5, 7)) },
    (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`,
  );
  const ofYear = chosen.filter(({ day }) => day.startsWith(year) && day <= today);
  const pick = (day: (typeof withExit)[number] | undefined) => (day ? { day: day.day, net: day.net } : null);
  return {
    mode,
    currency: 'USDT',
    timeZone: 'UTC',
    from,
    to,
    ...tally(exits),
    returnPct: isNarrowed ? null : ((sumOf(exits) / START_CENTS) * 100).toFixed(2),
    losses: lost.length,
    won: money(sumOf(won)),
    lost: money(-sumOf(lost)),
    averageExit: exits.length === 0 ? null : money(sumOf(exits) / exits.length),
    averageWin: won.length === 0 ? null : money(sumOf(won) / won.length),
    averageLoss: lost.length === 0 ? null : money(sumOf(lost) / lost.length),
    fees: money(feeCents),
    feesPct: won.length === 0 ? null : ((feeCents / (sumOf(won) + feeCents)) * 100).toFixed(2),
    open: { result: '14.1', positions: 5 },
    benchmark: isNarrowed ? null : { asset: 'BTC', pct: '3.9', equityPct: '7.4' },
    drawdown: isNarrowed || !deepest ? null : { pct: deepest.drawdownPct ?? '0', from, to: deepest.day, days: 13, recovered: true },
    sharpe: isNarrowed || days.length < 14 ? null : '1.92',
    sortino: isNarrowed || days.length < 14 ? null : '2.71',
    days,
    year: {
      year: Number(year),
      net: money(sumOf(ofYear)),
      months: months.map((month) => {
        const ofMonth = ofYear.filter(({ day }) => day.startsWith(month));
        return { month, exits: ofMonth.length, net: money(sumOf(ofMonth)) };
      }),
    },
    bots: grouped(exits, ({ bot }) => bot).map(([id, ofBot]) => ({ id, name: BOTS[id]!.name, ...tally(ofBot) })),
    wallets: grouped(exits, ({ bot }) => BOTS[bot]!.wallet ?? '').map(([name, ofWallet]) => ({
      id: name === '' ? null : ID(name === 'Main' ? 8 : 9),
      name: name === '' ? null : name,
      ...tally(ofWallet),
    })),
    coins: grouped(exits, ({ coin }) => coin).map(([asset, ofCoin]) => ({ asset, ...tally(ofCoin) })),
    reasons: grouped(exits, ({ reason }) => reason).map(([reason, ofReason]) => ({ reason, ...tally(ofReason) })),
    hours: Array.from({ length: 24 }, (_, each) => ({ hour: each, ...tally(exits.filter((exit) => exit.hour === each)) })),
    more: {
      averageHoldMs: exits.length === 0 ? null : 42_000_000,
      longestLosingRun: 4,
      daysWithGain: withExit.filter(({ net }) => Number(net) > 0).length,
      daysWithExit: withExit.length,
      best: pick(withExit[0]),
      worst: pick(withExit.at(-1)),
    },
    leftOut: [{ cause: 'cost-unknown', count: 2 }],
    choices: {
      bots: all.length === 0 ? [] : Object.entries(BOTS).map(([id, { name }]) => ({ id, name })),
      coins: all.length === 0 ? [] : COINS,
      reasons: [...new Set(all.map(({ reason }) => reason))],
      first,
    },
    asOf: `${today}T12:00:00.000Z`,
  };
}
