import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { readBotFile, takeProfitLevels, withFlags } from './bot-settings.ts';

const read = (text: string) => readBotFile({ stdin: fakeHost({ input: text }).stdin } as never, '-');

describe('a file of settings', () => {
  test('numbers become the text that amounts are on the wire; counts stay numbers', async () => {
    const draft = await read(
      'maxOpenPositions: 2\nentry: {size: {mode: fixed, value: 500}, trigger: {kind: drop, dropPct: 0.1, lookbackMin: 60}}\nstopLoss: {mode: percent, pct: 8, confirmSec: 5}',
    );
    expect(draft).toEqual({
      maxOpenPositions: 2,
      entry: { size: { mode: 'fixed', value: '500' }, trigger: { kind: 'drop', dropPct: '0.1', lookbackMin: 60 } },
      stopLoss: { mode: 'percent', pct: '8', confirmSec: 5 },
    });
  });
  test('every count of the schema stays a number', async () => {
    const full = autoTradeConfigSchema.parse({
      name: 'x',
      walletId: '01a1fc3a-46e6-72f7-a393-a88a45a667dc',
      coins: { symbols: ['BTCUSDT'] },
      entry: {},
      stopLoss: { mode: 'percent', pct: '5' },
    });
    expect(autoTradeConfigSchema.safeParse(await read(JSON.stringify(full))).error).toBeUndefined();
  });
  test('what is no file of settings is refused', async () => {
    await expect(read('- a\n- b')).rejects.toMatchObject({ code: 'notSettings', exit: 2 });
    await expect(read('a: [')).rejects.toMatchObject({ code: 'notYaml', exit: 2 });
    await expect(readBotFile({} as never, '/nonexistent.yaml')).rejects.toMatchObject({ code: 'cannotRead', values: { reason: 'ENOENT' } });
  });
});

describe('flags over a file', () => {
  test('each flag changes its setting and leaves the neighbours', () => {
    const draft = { name: 'Old', entry: { trigger: { kind: 'drop', dropPct: '3', lookbackMin: 240 }, maxSpreadPct: '0.3' } };
    expect(
      withFlags(draft, { name: 'New', drop: '5', size: '10%', stopLoss: 'none', coins: 'btcusdt, ethusdt', trailingCost: '2:0.5' }),
    ).toEqual({
      name: 'New',
      coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
      entry: {
        size: { mode: 'percentOfWallet', value: '10' },
        trigger: { kind: 'drop', dropPct: '5', lookbackMin: 240 },
        maxSpreadPct: '0.3',
      },
      trailingCost: { enabled: true, armGainPct: '2', distancePct: '0.5' },
      stopLoss: { mode: 'none' },
    });
  });
  test('take-profit levels', () => {
    expect(takeProfitLevels('2')).toEqual([{ gainPct: '2', sellPct: '100' }]);
    expect(takeProfitLevels('2:50, 3:50')).toEqual([
      { gainPct: '2', sellPct: '50' },
      { gainPct: '3', sellPct: '50' },
    ]);
    expect(() => takeProfitLevels('2:50:1')).toThrow('levels');
    expect(() => takeProfitLevels('2,5x')).toThrow('amount');
  });
  test('a comma is never guessed to be a point', () => {
    expect(() => withFlags({}, { size: '1,5' })).toThrow('amount');
    expect(() => withFlags({}, { immediate: true, drop: '2' })).toThrow('immediateOrDrop');
  });
});
