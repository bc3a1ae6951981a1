import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import type { FixtureStage } from './fixture-stage.ts';

/** A bot of one coin that buys at once at the market and hardly ever sells by itself. */
const BUYS_AT_ONCE = {
  entry: {
    size: { mode: 'fixed', value: '200' },
    trigger: { kind: 'immediate' },
    trailing: { enabled: false },
    order: { type: 'Market' },
    maxSpreadPct: '5',
  },
  takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
  stopLoss: { mode: 'percent', pct: '40' },
  cooldown: { afterWinMin: 600, afterLossMin: 600 },
} as const;
/** A limit order so far from the market that it rests. */
const RESTS = { type: 'Limit', offsetPct: '4', timeoutSec: 86_400 } as const;

/** The market moves by so much at a time: further, and an order on its way would be too old for the exchange. */
const STEP_MS = 2000;

type Over = Readonly<Record<string, unknown>>;
type Plan = { readonly name: string; readonly symbol: string; readonly over?: Over; readonly until?: string };

/** Bots that reach a state of the position machine by themselves once they are enabled. */
const BY_THEMSELVES: readonly Plan[] = [
  { name: 'Waits for its owner', symbol: 'BTCUSDT', over: { entry: { ...BUYS_AT_ONCE.entry, trigger: { kind: 'manual' } } } },
  {
    name: 'Trails its entry',
    symbol: 'ETHUSDT',
    over: {
      entry: {
        ...BUYS_AT_ONCE.entry,
        trigger: { kind: 'drop', dropPct: '0.01', lookbackMin: 240 },
        trailing: { enabled: true, reboundPct: '20', expiryMin: 10_000, maxChasePct: '30' },
      },
    },
    until: 'trailingEntry',
  },
  { name: 'Buys at a limit', symbol: 'BNBUSDT', over: { entry: { ...BUYS_AT_ONCE.entry, order: RESTS } }, until: 'entryPending' },
  { name: 'Holds', symbol: 'SOLUSDT', until: 'open' },
  { name: 'Adds', symbol: 'XRPUSDT', over: { rebuys: { levels: [{ dropPct: '30' }] } }, until: 'open' },
  { name: 'Guards', symbol: 'XRPUSDT', over: { protectiveStop: { enabled: true, limitOffsetPct: '0.5' } }, until: 'open' },
  {
    name: 'Sells a part at a limit',
    symbol: 'ADAUSDT',
    over: {
      takeProfit: {
        levels: [
          { gainPct: '0.3', sellPct: '50' },
          { gainPct: '45', sellPct: '50' },
        ],
      },
      exit: { order: RESTS },
    },
    until: 'reducing',
  },
  {
    name: 'Sells all at a limit',
    symbol: 'ADAUSDT',
    over: { takeProfit: { levels: [{ gainPct: '0.3', sellPct: '100' }] }, exit: { order: RESTS } },
    until: 'exitPending',
  },
];

/** Last, because the market may not move on then: its line lies close below the price. */
const PROTECTS: Plan = {
  name: 'Protects',
  symbol: 'LINKUSDT',
  over: { trailingCost: { enabled: true, armGainPct: '0.6', distancePct: '0.3', stepPct: '0.1' } },
};

/** The bots of one user, and what is done to them. */
export function tradingStory(stage: FixtureStage, user: SignedInUser, wallet: Wallet) {
  const { queries } = stage.server.context.database;
  const body = ({ name, symbol, over }: Plan) => ({ ...BUYS_AT_ONCE, name, walletId: wallet.id, coins: { symbols: [symbol] }, ...over });
  const create = async (plan: Plan): Promise<AutoTrade> =>
    (await stage.ask<{ autoTrade: AutoTrade }>(user, '/bff/v2/auto-trades', { body: body(plan) })).autoTrade;
  const tell = (bot: AutoTrade, what: string, more: object = {}) =>
    stage.ask(user, `/bff/v2/auto-trades/${bot.id}/${what}`, { method: 'POST', body: more });
  const statesOf = async (bot: AutoTrade): Promise<{ id: string; state: string }[]> =>
    queries.selectFrom('auto_trade_positions').select(['id', 'state']).where('auto_trade_id', '=', bot.id).orderBy('number').execute();
  const isIn = (bot: AutoTrade, state: string) => async () => (await statesOf(bot)).some((position) => position.state === state);
  const botIs = (bot: AutoTrade, state: string) => async () =>
    (await queries.selectFrom('auto_trades').select('state').where('id', '=', bot.id).executeTakeFirstOrThrow()).state === state;

  async function enabled(plan: Plan): Promise<AutoTrade> {
    const bot = await create(plan);
    await tell(bot, 'enable');
    if (plan.until !== undefined) await stage.until(`${plan.name}: ${plan.until}`, isIn(bot, plan.until), STEP_MS);
    return bot;
  }
  const sell = async (bot: AutoTrade) => {
    const held = (await statesOf(bot)).at(-1);
    await tell(bot, `positions/${held?.id}/sell`);
  };

  /** `closed` twice, by hand; the second loss pauses the bot. `Paused` is its state then. */
  async function pausesAfterALoss(): Promise<void> {
    const over = { protections: { lossStreak: { count: 1, lookbackHours: 1, pauseHours: 6 } } };
    const bot = await enabled({ name: 'Pauses', symbol: 'SOLUSDT', over, until: 'open' });
    await sell(bot);
    await stage.until('the pause', botIs(bot, 'paused'), STEP_MS);
  }
  async function detaches(): Promise<void> {
    const bot = await enabled({ name: 'Lets go', symbol: 'XRPUSDT', until: 'open' });
    const [held] = await statesOf(bot);
    await tell(bot, `positions/${held?.id}/detach`);
    await stage.until('the end of its position', isIn(bot, 'detached'));
    await tell(bot, 'disable', { exits: 'freeze' });
  }
  /** `needsAttention`: the exchange refuses its sale twice. */
  async function needsAttention(): Promise<void> {
    const bot = await enabled({ name: 'Needs attention', symbol: 'ADAUSDT', until: 'open' });
    stage.simulator.faults.next({
      method: 'POST',
      path: '/api/v3/order',
      times: 2,
      status: 400,
      code: -2010,
      msg: 'Account has insufficient balance.',
    });
    await sell(bot);
    await stage.until('a sale that is refused', isIn(bot, 'needsAttention'), STEP_MS);
    stage.simulator.faults.clear();
  }
  /** `watching` as a stored state: the bot is disabled while it trails an entry. */
  async function withdrawsItsTrail(): Promise<void> {
    const trailing = { enabled: true, reboundPct: '20', expiryMin: 10_000, maxChasePct: '30' };
    const entry = { ...BUYS_AT_ONCE.entry, trigger: { kind: 'drop', dropPct: '0.01', lookbackMin: 240 }, trailing };
    const bot = await enabled({ name: 'Watches', symbol: 'ETHUSDT', over: { entry }, until: 'trailingEntry' });
    await tell(bot, 'disable');
    await stage.until('the end of its trail', isIn(bot, 'watching'));
  }
  async function halts(): Promise<void> {
    const bot = await enabled({ name: 'Halted', symbol: 'DOGEUSDT', until: 'open' });
    await stage.ask(user, '/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: bot.id, reason: 'news' } });
    const body = { scope: 'coin', symbol: 'AVAXUSDT', hours: 48, reason: 'rumours' };
    await stage.ask(user, '/bff/v2/auto-trades/halt', { body });
  }
  /** Runs that are over, and a bot that was deleted with its story. */
  async function endsARun(): Promise<void> {
    const bot = await enabled({ name: 'Second run', symbol: 'AVAXUSDT', until: 'open' });
    await sell(bot);
    await stage.until('a sale', isIn(bot, 'closed'), STEP_MS);
    await tell(bot, 'disable');
    await tell(bot, 'reset');
    const deleted = await enabled({ name: 'Deleted', symbol: 'LINKUSDT', over: { coins: { symbols: ['ETHUSDT'] } }, until: 'open' });
    await sell(deleted);
    await stage.until('its last sale', isIn(deleted, 'closed'), STEP_MS);
    await tell(deleted, 'disable');
    await stage.ask(user, `/bff/v2/auto-trades/${deleted.id}`, { method: 'DELETE' });
  }

  return {
    run: async (): Promise<void> => {
      for (const plan of BY_THEMSELVES) await enabled(plan);
      await withdrawsItsTrail();
      await pausesAfterALoss();
      await detaches();
      await needsAttention();
      await endsARun();
      await halts();
      await create({ name: 'Disabled', symbol: 'BTCUSDT' });
    },
    protect: async (): Promise<void> => {
      const bot = await enabled({ ...PROTECTS, until: 'open' });
      await stage.until('a drawn line', isIn(bot, 'protected'), 20_000);
    },
  };
}
