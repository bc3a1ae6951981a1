// The real way of one order, from its intent to the exchange, as a process of its own that can be frozen: it stops in the
// turn in which the order was signed, says so with the time that the order bears, and goes on once the file `go` is there.
import { existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { clientOrderIdFor, positionIdFor } from '@pilotfish/core/auto-trades/position/position-ids';
import { realTimers, type Timers } from '@pilotfish/core/time/timers';
import pino from 'pino';
import { orderExecutor } from '../src/auto-trades/order-executor.ts';
import type { IntentRow } from '../src/auto-trades/order-intents-store.ts';
import { openExchange } from '../src/exchange/exchange.ts';
import { tradingAccounts } from '../src/exchange-connection/trading-accounts.ts';

const { env } = process;
const origin = env.PILOTFISH_EXCHANGE_REST_URL ?? '';
const socket = env.PILOTFISH_EXCHANGE_WS_URL ?? '';
const go = join(env.PILOTFISH_DATA_DIR ?? '', 'go');
const now = () => Date.now();
const log = pino({ level: 'silent' });
const say = (line: string): void => void writeSync(2, `${line}\n`);

/** Holds the whole process, not only its promises: nothing else of it may go on meanwhile. */
function hold(): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(go)) Atomics.wait(never, 0, 0, 5);
}

/** No deadline of ours ends the request first, however long it is frozen: only the exchange decides. */
const timers: Timers = { ...realTimers, deadline: () => new AbortController().signal };
let isHeld = false;
const exchange = openExchange({
  origins: { rest: origin, stream: socket, api: socket },
  now,
  timers,
  random: () => 0.5,
  ...(env.PILOTFISH_RECV_WINDOW_MS ? { recvWindowMs: Number(env.PILOTFISH_RECV_WINDOW_MS) } : {}),
  fetch: async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (init?.method === 'POST' && url.pathname === '/api/v3/order') {
      if (isHeld) say('sent again');
      else {
        isHeld = true;
        say(`listening ${url.searchParams.get('timestamp')}`);
        hold();
      }
    }
    return fetch(input, init);
  },
});
const accounts = tradingAccounts({
  exchange,
  keys: async () => ({ apiKey: env.PILOTFISH_TEST_KEY ?? '', apiSecret: env.PILOTFISH_TEST_SECRET ?? '' }),
  now,
  timers,
  log,
});
const executor = orderExecutor({
  exchange,
  accounts,
  store: { setIntent: async () => undefined },
  refusal: () => undefined,
  checked: async () => undefined,
  deliver: (_bot, input) => say(`told ${input.type} ${input.type === 'ended' ? `${input.status} ${input.code}` : ''}`.trim()),
  onKeyRefused: () => undefined,
  onUnderfunded: () => undefined,
  lacking: async () => 'unknown',
  onRuleRefused: async () => undefined,
  hasLeft: async () => false,
  now,
  timers,
  log,
});

const positionId = positionIdFor('11111111-1111-4111-8111-111111111111', 1, 'BTCUSDT', 1);
const clientOrderId = clientOrderIdFor(positionId, 1, 0);
const side = env.PILOTFISH_TEST_SIDE === 'Sell' ? 'Sell' : 'Buy';
const intent: IntentRow = {
  id: 'intent',
  autoTradeId: '11111111-1111-4111-8111-111111111111',
  positionId,
  accountKey: 'live:a',
  clientOrderId,
  kind: 'place',
  symbol: 'BTCUSDT',
  maxSlippagePct: '5',
  order: {
    clientOrderId,
    purpose: side === 'Sell' ? 'exit' : 'entry',
    side,
    type: 'Market',
    quantity: '0.01',
    price: null,
    placedAt: 0,
    deadline: Number.MAX_SAFE_INTEGER,
    attempt: 0,
    reprices: 0,
    orderId: null,
    executed: '0',
    tradeIds: [],
    cancelRequested: false,
    level: null,
  },
};
executor.submit(intent);
await executor.idle();
say('idle');
process.exit(0);
