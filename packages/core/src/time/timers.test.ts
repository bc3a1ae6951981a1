import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { realTimers } from './timers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('once, again and again, and not any more', async () => {
  const ran: string[] = [];
  realTimers.after(30, () => ran.push('once'));
  const cancelled = realTimers.after(30, () => ran.push('never'));
  const stop = realTimers.every(20, () => ran.push('again'));
  void realTimers.wait(50).then(() => ran.push('waited'));
  cancelled();
  cancelled();
  await vi.advanceTimersByTimeAsync(50);
  stop();
  await vi.advanceTimersByTimeAsync(100);
  expect(ran).toEqual(['again', 'once', 'again', 'waited']);
});

test('only what is asked to keeps the process alive', () => {
  const kept: boolean[] = [];
  const real = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) => {
    const handle = real(work, ms);
    const unref = handle.unref.bind(handle);
    const index = kept.push(true) - 1;
    handle.unref = () => {
      kept[index] = false;
      return unref();
    };
    return handle;
  }) as typeof setTimeout);
  realTimers.after(1000, () => undefined);
  realTimers.after(1000, () => undefined, { ref: true });
  void realTimers.wait(1000);
  void realTimers.wait(1000, { ref: true });
  expect(kept).toEqual([false, true, false, true]);
  vi.restoreAllMocks();
});
