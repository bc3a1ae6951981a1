import type { ClosedPosition, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { PriceAlert, PriceAlertInput } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import type { FixtureStage } from './fixture-stage.ts';

const TRADES = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const trade = (day: string, pair: string, side: string, price: number, quantity: number): string => {
  const base = pair.replace(/USDT$/, '');
  return `2025-${day} 10:00:00,${pair},${side},${price},${quantity}${base},${price * quantity}USDT,${(price * quantity) / 1000}USDT`;
};
const file = (...lines: string[]) => [TRADES, ...lines].join('\n');

/** Positions that are open, closed, closed by hand, excluded, broken by their trades and by their owner. */
const HISTORY = file(
  trade('01-01', 'BTCUSDT', 'BUY', 90_000, 0.5),
  trade('01-02', 'BTCUSDT', 'SELL', 95_000, 0.5),
  trade('01-03', 'BTCUSDT', 'BUY', 93_000, 0.1),
  trade('02-01', 'ETHUSDT', 'BUY', 3000, 2),
  trade('02-02', 'SOLUSDT', 'BUY', 200, 10),
  trade('02-03', 'XRPUSDT', 'SELL', 2, 100),
  trade('02-04', 'ADAUSDT', 'BUY', 0.8, 1000),
  trade('02-05', 'ADAUSDT', 'SELL', 0.7, 1000),
  trade('02-06', 'DOGEUSDT', 'BUY', 0.2, 5000),
  trade('02-07', 'BNBUSDT', 'BUY', 600, 1),
);
const DEPOSITS = 'Date(UTC),Coin,Network,Amount,Address,TXID,Status\n2025-01-05 10:00:00,LINK,ETH,30,a,b,Completed';

/** Files that are imported whole and in part, taken back and given way to, and what their owner says of the positions. */
export async function positionsStory(stage: FixtureStage, user: SignedInUser): Promise<void> {
  const { ask, server } = stage;
  const upload = async (name: string, data: string, query = ''): Promise<ImportAnswer> => {
    const body = new FormData();
    body.append('file', new Blob([data]), name);
    return ask<ImportAnswer>(user, `/bff/v2/import-trades/Binance${query}`, { method: 'POST', body });
  };
  await upload('trades.csv', HISTORY);
  await upload('deposits.csv', DEPOSITS);
  await upload('partial.csv', file(trade('03-01', 'LINKUSDT', 'BUY', 20, 5), 'nonsense,LINKUSDT,BUY,x,y,z,w'), '?acceptPartial=true');
  const { batchId } = await upload('undone.csv', file(trade('03-02', 'AVAXUSDT', 'BUY', 30, 5)));
  await ask(user, `/bff/v2/import-trades/Binance/${batchId}`, { method: 'DELETE' });
  const { queries } = server.context.database;
  await stage.until(
    'the removal of what was taken back',
    async () => (await queries.selectFrom('hidden_batches').selectAll().execute()).length === 0,
  );
  await ask(user, '/bff/v2/import-trades/Binance?preview=true', {
    method: 'POST',
    body: formOf(file(trade('03-03', 'BTCUSDT', 'BUY', 1, 1))),
  });

  const open = async (symbol: string) => {
    const { items } = await ask<{ items: OpenPosition[] }>(user, '/bff/v2/positions/open');
    return items.find((each) => each.symbol === symbol)?.id;
  };
  const { items: closed } = await ask<{ items: ClosedPosition[] }>(user, '/bff/v2/positions/closed');
  const ada = closed.find(({ symbol }) => symbol === 'ADAUSDT')?.id;
  await ask(user, `/bff/v2/positions/open/${await open('ETHUSDT')}/target-price`, { method: 'PATCH', body: { targetPrice: '5000' } });
  await ask(user, `/bff/v2/positions/open/${await open('SOLUSDT')}/set-as-closed`, { body: { remainder: 'at-market' } });
  await ask(user, `/bff/v2/positions/${ada}/excluded-from-totals`, { body: { excluded: true } });
  await ask(user, `/bff/v2/positions/${await open('DOGEUSDT')}/set-as-broken`, { body: { broken: true, text: 'half of it is elsewhere' } });
  const row = await queries.selectFrom('accounts').select('id').where('username', '=', user.username).executeTakeFirstOrThrow();
  // An upload that was being written when the process ended: the next start removes it.
  const entry = await queries
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', row.id)
    .where('symbol', '=', 'BTCUSDT')
    .executeTakeFirstOrThrow();
  const draft = server.context.newId();
  await queries.insertInto('hidden_batches').values({ batch_id: draft, account_id: row.id }).execute();
  await queries
    .insertInto('ledger_entries')
    .values({ ...entry, entry_id: `${entry.entry_id}:draft`, batch_id: draft })
    .execute();
  // The exchange itself tells of a trade that the file tells of too: the file's gives way.
  await queries
    .updateTable('ledger_entries')
    .set({ gave_way_to: batchId ?? draft })
    .where('entry_id', '=', `${entry.entry_id}:draft`)
    .execute();
}

function formOf(text: string): FormData {
  const body = new FormData();
  body.append('file', new Blob([text]), 'draft.csv');
  return body;
}

/** Alerts in the states that they reach by themselves, and firings that were told. */
export async function alertsStory(stage: FixtureStage, user: SignedInUser, coinFilterId: string): Promise<void> {
  const { ask } = stage;
  const { queries } = stage.server.context.database;
  const create = (body: PriceAlertInput) => ask<PriceAlert>(user, '/bff/v2/price-alerts', { body });
  const btc = (condition: PriceAlertInput['condition'], over: Partial<PriceAlertInput> = {}) =>
    create({ symbol: 'BTCUSDT', condition, ...over });
  const isIn = (alert: PriceAlert, state: string) => async () =>
    (await queries.selectFrom('price_alerts').select('state').where('id', '=', alert.id).executeTakeFirstOrThrow()).state === state;
  await btc({ kind: 'above', level: '900000' }, { note: 'the moon' });
  await btc({ kind: 'rsi', relation: 'above', value: '99', interval: '1h' });
  await create({ coinFilterId, condition: { kind: 'screener', event: 'enter' } });
  const fired = await btc({ kind: 'above', level: '1' }, { fireIfTrue: true, channels: ['app', 'telegram', 'webhook'] });
  const cooldown = await btc({ kind: 'above', level: '2' }, { fireIfTrue: true, repeat: 'every', cooldownMin: 10_000 });
  const expired = await btc({ kind: 'below', level: '1' }, { expiresAt: new Date(stage.server.now() + 120_000).toISOString() });
  const disabled = await btc({ kind: 'below', level: '2' });
  const snoozed = await btc({ kind: 'below', level: '3' });
  await stage.advance(1000);
  await stage.until('a fired alert', isIn(fired, 'fired'));
  await stage.until('an alert that cools down', isIn(cooldown, 'cooldown'));
  await ask(user, `/bff/v2/price-alerts/${fired.id}/acknowledge`, { method: 'POST', body: {} });
  await ask(user, `/bff/v2/price-alerts/${disabled.id}/disable`, { method: 'POST', body: {} });
  const until = new Date(stage.server.now() + 86_400_000).toISOString();
  await ask(user, `/bff/v2/price-alerts/${snoozed.id}/snooze`, { method: 'POST', body: { until } });
  await stage.advance(130_000);
  await stage.until('the end of an alert', isIn(expired, 'expired'));
}
