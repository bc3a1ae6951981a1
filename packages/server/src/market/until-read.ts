import type { Timers } from '@pilotfish/core/time/timers';
import { ExchangeError } from '../exchange/exchange-error.ts';

const WAIT_MS = { first: 1000, most: 30_000 };

/**
 * Reads what nobody tells again, as often as it takes. Undefined once nobody wants it any more, or where the exchange
 * refuses to answer it at all (a pair that is gone).
 */
export async function untilRead<Answer>(
  read: () => Promise<Answer>,
  options: { readonly timers: Pick<Timers, 'wait'>; readonly isOver: () => boolean; readonly onError: (error: unknown) => void },
): Promise<Answer | undefined> {
  for (let pause = WAIT_MS.first; !options.isOver(); pause = Math.min(2 * pause, WAIT_MS.most)) {
    try {
      return await read();
    } catch (error) {
      options.onError(error);
      if (error instanceof ExchangeError && error.kind === 'refused') return undefined;
    }
    await options.timers.wait(pause);
  }
  return undefined;
}
