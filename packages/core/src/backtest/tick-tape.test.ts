import { expect, test } from 'vitest';
import { BOT_ID, botConfig, walletBook } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { readTickTape, TickTapeError } from './tick-tape.ts';

const first = JSON.stringify({
  type: 'activated',
  autoTradeId: BOT_ID,
  runNo: 1,
  mode: 'paper',
  config: botConfig(),
  configVersion: 1,
  pairs: [btcusdt],
  takerFee: '0.001',
  wallet: walletBook(),
  restored: [],
  acceptsEntries: true,
  seq: 0,
});
const tick = '{"type":"tick","symbol":"BTCUSDT","at":1767571200000,"price":60000,"bid":59999.5,"ask":60000}';
const read = (...lines: string[]) => [...readTickTape(lines)];
const refusal = (...lines: string[]) => {
  try {
    read(...lines);
  } catch (error) {
    return error instanceof TickTapeError ? `${error.code} ${error.line}: ${error.message}` : String(error);
  }
  return undefined;
};

test('reads what was recorded, and passes over empty lines', () => {
  expect(read(first, '', tick, '{"type":"frozen","frozen":false}', '').map(({ type }) => type)).toEqual(['activated', 'tick', 'frozen']);
});

test('a last line that broke off is left out, one in the middle is not', () => {
  expect(read(first, tick, tick.slice(0, 30))).toHaveLength(2);
  expect(refusal(first, tick.slice(0, 30), tick)).toBe('NOT_JSON 2: line 2: not JSON');
  expect(refusal('no tape at all')).toBe('NOT_JSON 1: line 1: not JSON');
});

test('names the line and what is wrong with it', () => {
  expect(refusal(tick)).toBe('NOT_ACTIVATED 1: line 1: a tape begins with an activation');
  expect(refusal(first, '{"type":"candle"}')).toBe('BAD_RECORD 2: line 2: not a record of a tape');
  expect(refusal(first, '12')).toBe('BAD_RECORD 2: line 2: not a record of a tape');
  expect(refusal(first, tick.replace('60000,', '0,'))).toBe('BAD_RECORD 2: line 2: a price that is none');
  expect(refusal(first, tick.replace('59999.5', 'null'))).toBe('BAD_RECORD 2: line 2: a price that is none');
  expect(refusal(first.replace('"takerFee":"0.001"', '"takerFee":1'))).toMatch(/^BAD_RECORD 1: line 1: takerFee: /);
  expect(refusal(first.replace('"dropPct":"1"', '"dropPct":"-1"'))).toMatch(/^BAD_RECORD 1: line 1: config.entry.trigger/);
});
