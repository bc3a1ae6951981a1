import type { Upstream } from '@pilotfish/simulator/mirror/upstream';
import { type Exchange, openExchange, type PaperVenue } from '../exchange/exchange.ts';
import type { AppContext } from './context.ts';
import { type OwnExchangeParts, startOwnExchange } from './own-exchange.ts';

/**
 * Accounts on paper beside an exchange that has none: orders of theirs are matched inside this process against the
 * exchange's trades and books, and are spoken to over loopback like those of any exchange. They are kept by market, so
 * that paper of one is never traded at the prices of another. Starts whether the exchange answers or not; until it
 * does, nothing is answered here either.
 */
export async function openPaperMarket(
  context: OwnExchangeParts & Pick<AppContext, 'marketSource' | 'lease'>,
  exchange: Exchange,
  upstream: Upstream,
): Promise<PaperVenue & { close(): Promise<void> }> {
  // By the exchange's clock: what is asked about an order's fate compares the times of both.
  const now = () => exchange.rest.time();
  const { origins, simulator } = await startOwnExchange(context, 'paper market', {
    market: { kind: 'mirror', upstream, inBackground: true },
    storageName: `paper-${context.marketSource}`,
    now,
  });
  const own = openExchange({ origins, now, timers: context.timers, random: () => 0, maySign: context.lease.held });
  return {
    origins,
    rest: own.rest,
    close: async () => {
      await own.close();
      await simulator.close();
    },
  };
}
