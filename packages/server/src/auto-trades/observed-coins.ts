import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { namesNoPair } from '../exchange/exchange-error.ts';
import type { Market } from '../market/market.ts';
import type { RunningBot } from './bot-runner.ts';

/**
 * Tells a bot where the market of its coins stands. Of a coin that left the list while we run the market still knows
 * the pair: its silence keeps no other from its exits.
 */
export async function observeCoins(
  bot: RunningBot,
  pairs: readonly Pair[],
  { exchange, market, log }: { exchange: Pick<Exchange, 'moment'>; market: Pick<Market, 'pair'>; log: Logger },
): Promise<void> {
  await Promise.all(
    pairs
      .filter(({ symbol }) => market.pair(symbol))
      .map(async ({ symbol }) => {
        const moment = await exchange.moment(symbol).catch((error: unknown) => {
          if (!namesNoPair(error)) throw error;
          log.error({ autoTradeId: bot.bot.id, symbol }, 'the exchange does not list a coin of a bot');
        });
        if (moment) bot.observe(symbol, moment);
      }),
  );
}
