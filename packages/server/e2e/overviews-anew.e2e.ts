import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { ClosedPosition, OpenPosition, SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { TIER } from '@pilotfish/core/testing/tiers';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterEach, expect, test } from 'vitest';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { signerFor } from '../src/exchange/signing.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// Whatever changes a ledger, in whatever order: what a server that kept its books in memory tells is what a fresh one
// reads from the database.

const POSITIONS = '/bff/v2/positions';
const IMPORTS = '/bff/v2/import-trades/Binance';
const HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const ROWS = [
  '2025-03-01 10:00:00,SOLUSDT,BUY,100,2SOL,200USDT,0.2USDT',
  '2025-03-02 10:00:00,SOLUSDT,SELL,110,1SOL,110USDT,0.11USDT',
  '2025-04-01 10:00:00,ETHUSDT,BUY,2000,0.5ETH,1000USDT,0.0005ETH',
  '2025-04-03 10:00:00,SOLUSDT,SELL,90,1SOL,90USDT,0.09USDT',
  '2025-05-01 10:00:00,ETHUSDT,SELL,2100,0.2ETH,420USDT,0.42USDT',
  '2025-06-01 10:00:00,BNBUSDT,BUY,600,1BNB,600USDT,0.001BNB',
];
const statement = (...rows: string[]) => ['User_ID,UTC_Time,Account,Operation,Coin,Change,Remark', ...rows].join('\n');
const FILES: Readonly<Record<string, string>> = {
  'older.csv': [HEADER, ...ROWS.slice(0, 4)].join('\n'),
  'newer.csv': [HEADER, ...ROWS.slice(2)].join('\n'),
  'statement.csv': statement(
    '1,2025-02-01 10:00:00,Spot,Deposit,GAL,100,""',
    '1,2025-07-01 08:00:00,Spot,Token Swap - Redenomination/Rebranding,GAL,-100,""',
    '1,2025-07-01 08:00:00,Spot,Token Swap - Redenomination/Rebranding,G,6000,""',
    '1,2025-07-02 08:00:00,Spot,Withdraw,ETH,-0.1,""',
  ),
};

/** Of the steps the one that detaches, whatever the dice say. */
const DETACHING_STEP = 10;
const NO_COOLDOWN = { afterWinMin: 0, afterLossMin: 0 };

let stage: ExchangeStage;
afterEach(() => stage?.close());

/** Numbers from 0 to 1, the same in each run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What the market of the moment says, and when it was asked: no matter of the ledger. */
const LIVE = new Set(['price', 'value', 'unrealised', 'total', 'exitFee', 'pnl', 'returnPct', 'sparkline', 'asOf']);

/** An answer of ours, or an order that the exchange filled. */
const isTaken = (answer: unknown): boolean => {
  const { status } = (answer ?? {}) as { status?: number | string };
  return status === 'FILLED' || (typeof status === 'number' && status < 300);
};

async function told(user: SignedInUser) {
  const answers: Record<string, unknown> = {};
  for (const path of ['overview', 'monthly-overview', 'open', 'closed?pageSize=200', 'sync']) {
    const { status, body } = await user.call<object>(`${POSITIONS}/${path}`);
    expect([path, status]).toEqual([path, 200]);
    answers[path] = path === 'sync' ? (body as SyncStatus).differences : body;
  }
  const gaps = await user.call('/bff/v2/migration');
  answers.gaps = gaps.body;
  return JSON.parse(JSON.stringify(answers, (key, value: unknown) => (LIVE.has(key) ? undefined : value))) as object;
}

test.each(TIER === 'deep' ? [1, 2, 3, 4, 5, 6] : [1])(
  'import, undo, trade, bots, detached positions, marks and calculations in any order %i: the overviews are those of a fresh process',
  async (seed) => {
    stage = await startExchangeStage(seed);
    const { server, simulator, venue, time } = stage;
    const user = await server.register();
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '100000', BNB: '5' }, burnBnb: seed === 2 });
    const signer = signerFor(apiKey, apiSecret);
    expect((await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } })).status).toBe(
      200,
    );
    const random = dice(seed);
    const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
    const synced = () =>
      untilSeen('the history being read', async () => (await user.call<SyncStatus>(`${POSITIONS}/sync`)).body.state === 'idle', { time });
    const opens = async () => (await user.call<{ items: OpenPosition[] }>(`${POSITIONS}/open`)).body.items;
    const closeds = async () => (await user.call<{ items: ClosedPosition[] }>(`${POSITIONS}/closed?pageSize=200`)).body.items;
    const act = (path: string, body?: unknown, method = 'POST') => user.call(`${POSITIONS}/${path}`, { method, body });
    const order = (parameters: Record<string, string>) =>
      venue.placeOrder(signer, { type: 'MARKET', ...parameters }, { urgent: true, beforeSigning: () => undefined });

    // A bot that enters only when it is told, and leaves by itself hardly ever.
    const wallet = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'live', initialBalance: '20000' } });
    const entry = { ...BUYS_AT_ONCE.entry, trigger: { kind: 'manual' }, size: { mode: 'fixed', value: '100' } };
    const config = { ...BUYS_AT_ONCE, entry, coins: { symbols: ['ETHUSDT', 'SOLUSDT'] }, cooldown: NO_COOLDOWN, walletId: wallet.body.id };
    const created = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: config });
    const bot = `/bff/v2/auto-trades/${created.body.autoTrade.id}`;
    expect((await user.call(`${bot}/enable`, { body: {} })).status).toBe(200);
    const detail = async () => (await user.call<AutoTradeDetail>(`${bot}/detail`)).body;
    const held = async () => (await detail()).positions.filter(({ state }) => state === 'Open');
    const goOn = () => simulator.clock.advance(1000);
    const enter = async () => {
      const symbol = pick(config.coins.symbols);
      await untilSeen('a first price', async () => (await detail()).evaluations.every(({ price }) => price !== null), {
        time,
        meanwhile: goOn,
      });
      return user.call<{ entered: boolean }>(`${bot}/enter`, { body: { symbol } });
    };

    const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
      import: async () => {
        const [name, text] = pick(Object.entries(FILES))!;
        const body = new FormData();
        body.append('file', new Blob([text]), name);
        return user.call(`${IMPORTS}?commit=true&acceptPartial=true&zone=UTC`, { method: 'POST', body });
      },
      undo: async () => {
        const batch = pick((await user.call<{ id: string }[]>(IMPORTS)).body);
        return batch && user.call(`${IMPORTS}/${batch.id}`, { method: 'DELETE' });
      },
      buy: () =>
        order({ symbol: pick(['SOLUSDT', 'ETHUSDT', 'BNBUSDT'])!, side: 'BUY', quoteOrderQty: String(50 + Math.floor(random() * 400)) }),
      sell: async () => {
        const held = pick((await opens()).filter(({ symbol, quantity }) => symbol === 'SOLUSDT' && Number(quantity) > 0.01));
        return held && order({ symbol: 'SOLUSDT', side: 'SELL', quantity: (Math.floor(Number(held.quantity) * 500) / 1000).toFixed(3) });
      },
      explain: () =>
        user.call('/bff/v2/migration/trades', {
          body: {
            exchange: 'Binance',
            asset: 'SOL',
            dryRun: false,
            trades: [{ symbol: 'SOLUSDT', side: 'Buy', price: '80', quantity: '0.5', at: '2025-01-05T10:00:00.000Z' }],
          },
        }),
      break: async () => {
        const position = pick([...(await opens()), ...(await closeds())]);
        return position && act(`${position.id}/set-as-broken`, { broken: random() < 0.6 });
      },
      exclude: async () => {
        const position = pick([...(await opens()), ...(await closeds())]);
        return position && act(`${position.id}/excluded-from-totals`, { excluded: random() < 0.6 });
      },
      close: async () => {
        const position = pick(await opens());
        return position && act(`open/${position.id}/set-as-closed`, { remainder: random() < 0.5 ? 'at-cost' : 'at-market' });
      },
      reopen: async () => {
        const position = pick(await closeds());
        return position && act(`closed/${position.id}/set-as-open`);
      },
      calculate: async () => {
        const position = pick([...(await opens()), ...(await closeds())]);
        return position && act(`${position.id}/calculate`);
      },
      enter,
      // The position stays the account's, and the bot may buy the same coin once more.
      detach: async () => {
        if ((await held()).length === 0) {
          if (!(await enter()).body.entered) return;
          await untilSeen('a position of the bot', async () => (await held()).length > 0, { time, meanwhile: goOn });
        }
        const position = pick(await held());
        return position && user.call(`${bot}/positions/${position.id}/detach`, { body: {} });
      },
      sync: () => act('sync', { full: random() < 0.5 }),
    };
    const done: string[] = [];
    /** Deeds that changed something. */
    const taken = new Set<string>();
    for (let step = 0; step < 24; step += 1) {
      // One deed is not left to the dice: what a bot bought and its owner took over is in every order.
      const name = step === DETACHING_STEP ? 'detach' : pick(Object.keys(deeds))!;
      done.push(name);
      // What is refused (a lot too small, a later position open) changes nothing, and that is looked at, too.
      const answer = await deeds[name]?.().catch((error: unknown): undefined => {
        if (!/NOTIONAL|LOT_SIZE|insufficient|Notional|quantity/i.test((error as Error).message)) throw error;
      });
      if (isTaken(answer)) taken.add(name);
      for (let second = 0; second < 4; second += 1) await simulator.clock.advance(1000);
      await synced();
      if (step % 4 !== 3) continue;
      // A start compares balances, so they are compared before it, too.
      await act('sync', {});
      await synced();
      const before = await told(user);
      await server.restart();
      await synced();
      expect({ done, ...(await told(user)) }).toEqual({ done, ...before });
      // Calls of an account are counted a minute.
      await time.advance(60_000);
    }
    expect([...taken]).toContain('detach');
    expect(taken.size).toBeGreaterThan(6);
  },
);
