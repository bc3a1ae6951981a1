import { startSimulator } from '@pilotfish/simulator/app/simulator';
import { runSimulator } from '@pilotfish/simulator/app/simulator-command';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import { expect, test } from 'vitest';
import { mirroredExchange } from './mirrored-exchange.ts';

test('a simulator with the market of another one, named by its address, opens accounts that the other does not have', async () => {
  const other = await startSimulator({ market: testMarket(3), paused: true });
  const lines: string[] = [];
  const exchange = mirroredExchange(`${other.origin}/`, (line) => lines.push(line));
  const mirror = await runSimulator({ mirror: other.origin }, (line) => lines.push(line), exchange.upstream);
  try {
    const priceAt = async (origin: string) => (await fetch(`${origin}/api/v3/ticker/price?symbol=BTCUSDT`)).json();
    expect(await priceAt(mirror.origin)).toEqual(await priceAt(other.origin));
    await mirror.createAccount();
    expect([mirror, other].map((each) => each.status().accounts)).toEqual([1, 0]);
    expect(lines[1]).toMatch(/^mirror market, 13 pairs/);
    await expect(runSimulator({ mirror: other.origin, seed: '7' }, () => undefined, exchange.upstream)).rejects.toThrow(/^--seed /);
  } finally {
    await mirror.close();
    await exchange.close();
    await other.close();
  }
});

test.each(['kraken', 'ftp://127.0.0.1', 'http://127.0.0.1:1/path', 'http://key@127.0.0.1'])('%s is no exchange to mirror', (name) => {
  expect(() => mirroredExchange(name, () => undefined)).toThrow(/^--mirror must be /);
});
