import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { createAutoTradeEngine } from '@pilotfish/core/auto-trades/engine/auto-trade-engine';
import { type TapeRecord, tapePlayer } from '@pilotfish/core/auto-trades/engine/tape';
import { DEFAULT_FILL_MODEL } from '@pilotfish/core/backtest/fill-model';
import { createTickExchange } from '@pilotfish/core/backtest/tick-exchange';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';
import { bundledPair } from './find-pair.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const START = Date.UTC(2026, 0, 5);
const settings = {
  entry: {
    size: { mode: 'fixed', value: '100' },
    trigger: { kind: 'drop', dropPct: '0.5', lookbackMin: 30 },
    trailing: { enabled: false },
    order: { type: 'Market' },
  },
  takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] },
  stopLoss: { mode: 'percent', pct: '2' },
};
const activated: TapeRecord = {
  type: 'activated',
  autoTradeId: '01890000-0000-7000-8000-000000000002',
  runNo: 1,
  mode: 'paper',
  config: autoTradeConfigSchema.parse({
    ...settings,
    name: 'Dip',
    walletId: '01890000-0000-7000-8000-000000000001',
    coins: { symbols: ['BTCUSDT'] },
  }),
  configVersion: 1,
  pairs: [bundledPair('BTCUSDT')!],
  takerFee: '0.001',
  wallet: {
    id: '01890000-0000-7000-8000-000000000001',
    currency: 'USDT',
    reservePct: '0',
    sums: { free: '700', reserved: '0', invested: '0', realised: '0', deposits: '700', withdrawals: '0' },
  },
  restored: [],
  acceptsEntries: true,
  seq: 0,
};
const tick = (n: number): TapeRecord => {
  const price = Math.round(60_000 * (1 + 0.012 * Math.sin(n / 60) + 0.002 * Math.sin(n / 7)) * 100) / 100;
  return { type: 'tick', symbol: 'BTCUSDT', at: START + n * 5000, price, bid: price - 0.5, ask: price };
};
const TAPE = [activated, ...Array.from({ length: 2000 }, (_, n) => tick(n))].map((record) => JSON.stringify(record));

/** The same prices with what an exchange said of the orders: a tape as a server writes it. */
function recorded(): TapeRecord[] {
  if (activated.type !== 'activated') throw new Error('no activation');
  const tape: TapeRecord[] = [activated];
  const exchange = createTickExchange({
    model: { ...DEFAULT_FILL_MODEL, halfSpreadPct: 0 },
    latencyMs: 0,
    hear: (input) => {
      tape.push({ type: 'order', input });
      engine.order(input);
    },
    onRefusal: () => undefined,
  });
  exchange.add(activated.pairs[0]!);
  const engine = createAutoTradeEngine({
    ...activated,
    wallet: { ...activated.wallet },
    emit: ({ symbol, context }) => {
      for (const effect of context.effects) if (effect.kind === 'place') exchange.place(symbol, effect.order);
    },
  });
  const player = tapePlayer(engine, activated.config, engine.symbols);
  for (let n = 0; n < 2000; n += 1) {
    const record = tick(n);
    if (record.type !== 'tick') continue;
    exchange.reach(record.at);
    exchange.trade(record);
    tape.push(record);
    player.play(record);
  }
  exchange.reach(Number.POSITIVE_INFINITY);
  return tape;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-ticks-'));
  writeFileSync(at('bot.jsonl'), `${TAPE.join('\n')}\n`);
  writeFileSync(at('bot.jsonl.gz'), gzipSync(TAPE.join('\n')));
  writeFileSync(
    at('traded.jsonl'),
    recorded()
      .map((record) => JSON.stringify(record))
      .join('\n'),
  );
  writeFileSync(at('idle.jsonl'), TAPE[0]!);
  writeFileSync(at('bad.jsonl'), [TAPE[0], TAPE[1]!.replace('"price":', '"prices":'), TAPE[2]].join('\n'));
  writeFileSync(at('candles.csv'), '1,2,3,2,2,1\n');
  writeFileSync(at('close.json'), JSON.stringify({ ...settings, takeProfit: { levels: [{ gainPct: '0.6', sellPct: '100' }] } }));
  writeFileSync(
    at('guarded.json'),
    JSON.stringify({ ...settings, protections: { btcGuard: { dropPct: '1', windowMin: 10, resumePct: '0.5' } } }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function backtest(...words: string[]) {
  const host = fakeHost();
  const exit = await execute(['backtest', 'run', ...words], host);
  return { exit, out: host.out(), err: host.err() };
}
const report = async (...words: string[]) => JSON.parse((await backtest(...words, '--json')).out);

test('runs a recorded bot as it was, with its wallet and its fee', async () => {
  const { exit, out, err } = await backtest('--ticks', at('bot.jsonl'), '--json');
  expect(exit).toBe(0);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    name: 'Dip',
    symbols: ['BTCUSDT'],
    startBalance: '700',
    checks: null,
    model: { takerFee: '0.001', halfSpreadPct: 0 },
  });
  expect(document.trades).toBeGreaterThan(1);
  expect(err).toMatch(/^2,000 recorded prices and [\d,]+ orders in /);
  // Nothing was executed while this tape was recorded.
  expect(err).toMatch(/1 of 1 recorded traces are the same, up to /);
  expect(await report('--ticks', at('bot.jsonl.gz'))).toMatchObject({ netPnl: document.netPnl, trades: document.trades });
});

test('says how much of what was recorded comes out the same', async () => {
  expect((await backtest('--ticks', at('traded.jsonl'), '--json')).err).toMatch(/\nThe same \d\d traces as recorded/);
  const late = (await backtest('--ticks', at('traded.jsonl'), '--latency', '6000', '--json')).err;
  expect(late).toMatch(/\n1 of \d\d recorded traces are the same, up to 2026-01-05T.* recorded -?[\d.]+, here -?[\d.]+\./);
  expect((await backtest(at('close.json'), '--ticks', at('traded.jsonl'), '--json')).err).not.toMatch(/traces/);
});

test('other settings, another balance, another fee and orders that take their time', async () => {
  const asRecorded = await report('--ticks', at('bot.jsonl'));
  const close = await report(at('close.json'), '--ticks', at('bot.jsonl'), '--balance', '5000');
  expect(close).toMatchObject({ startBalance: '5000' });
  expect(close.netPnl).not.toBe(asRecorded.netPnl);
  const free = await report('--ticks', at('bot.jsonl'), '--fee', '0');
  expect(free).toMatchObject({ fees: '0', trades: asRecorded.trades });
  const late = await report('--ticks', at('bot.jsonl'), '--latency', '6000');
  expect(late.positions[0].openedAt).not.toBe(asRecorded.positions[0].openedAt);
});

test('a page that says how its orders were filled', async () => {
  await backtest('--ticks', at('bot.jsonl'), '--report', at('report.html'));
  const page = readFileSync(at('report.html'), 'utf8');
  expect(page).toContain('Over recorded trades.');
  expect(page).not.toContain('next candle');
});

test('the traces of a run', async () => {
  const { out } = await backtest('--ticks', at('bot.jsonl'), '--traces', '--csv');
  expect(out).toMatch(/Entry/);
  expect(out).toMatch(/TakeProfit/);
});

test('says what is wrong with a file', async () => {
  const said = async (...words: string[]) => {
    const { exit, err } = await backtest(...words);
    expect(exit).toBe(2);
    return err;
  };
  expect(await said('--ticks', at('gone.jsonl'))).toMatch(/gone\.jsonl.*ENOENT/);
  expect(await said('--ticks', at('candles.csv'))).toMatch(/candles\.csv is not a tape: line 1/);
  expect(await said('--ticks', at('bad.jsonl'))).toMatch(/bad\.jsonl: line 2: a price that is none/);
  expect(await said('--ticks', at('idle.jsonl'))).toMatch(/idle\.jsonl holds no prices/);
  expect(await said(at('guarded.json'), '--ticks', at('bot.jsonl'))).toMatch(/no BTC prices/);
  expect(await said('--ticks', at('bot.jsonl'), '--latency', 'long')).toMatch(/--latency/);
  expect(await said('--ticks', at('bot.jsonl'), '--balance', 'much')).toMatch(/--balance/);
});
