import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { ENDLESS } from '../app/cli.ts';
import { createContext } from '../app/create-context.ts';
import { openTextScreen } from './text-screen.ts';
// Drawing loads it; real loading and a fake clock do not wait for each other.
import 'string-width';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('rows that stayed the same are not written again; at most 14 redraws a second; the last text stays', async () => {
  const host = fakeHost({ terminal: true });
  const endings: (() => void)[] = [];
  const atEnd = (work: () => void) => {
    endings.push(work);
    return () => undefined;
  };
  const context = createContext([], host, {}, { ...ENDLESS, atEnd });
  let price = 1;
  const screen = openTextScreen(context, async () => `Pair\nBTC ${price}\nETH 5\n`);
  await vi.waitFor(() => expect(host.out()).toContain('ETH 5'));
  const first = host.out().length;
  for (let tick = 0; tick < 1_000; tick += 1) {
    price += 1;
    screen.changed();
    await vi.advanceTimersByTimeAsync(1);
  }
  const written = host.out().slice(first);
  const frames = written.split('\u001b[?2026h').length - 1;
  expect(frames).toBeGreaterThan(10);
  expect(frames).toBeLessThanOrEqual(15);
  expect(written).not.toContain('ETH');
  for (const end of endings) end();
  const [, left] = host.out().split('\u001b[?7h\u001b[?25h\u001b[?1049l');
  expect(left).toMatch(/^Pair\nBTC \d+\nETH 5\n$/);
});

test('another size has every row written again, also those that stayed the same', async () => {
  const host = fakeHost({ terminal: true });
  const sizes = new EventEmitter();
  const stdout = { ...host.stdout, on: sizes.on.bind(sizes), off: sizes.off.bind(sizes) };
  openTextScreen(createContext([], { ...host, stdout }, {}, ENDLESS), async () => 'Pair\nBTC 1\n');
  await vi.waitFor(() => expect(host.out()).toContain('BTC 1'));
  const before = host.out().length;
  sizes.emit('resize');
  await vi.advanceTimersByTimeAsync(100);
  const redrawn = host.out().slice(before);
  expect(redrawn).toContain('\u001b[2J');
  expect(redrawn).toMatch(/Pair[\s\S]*BTC 1/);
});
