import type { CoinBalance } from '@pilotfish/core/auto-trades/position/position-state';
import { decimal, lessThan, maximum, subtract, sum, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import type { TradingAccount } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { RunningBot } from './bot-runner.ts';
import type { IntentRow } from './order-intents-store.ts';

export type CoinsLacking = (
  sale: Pick<IntentRow, 'symbol' | 'clientOrderId' | 'order'>,
  account: Pick<TradingAccount, 'key' | 'signer'>,
  /** Waits before the next try; false when there is none any more. */
  again: (tried: number) => Promise<boolean>,
) => Promise<CoinBalance | undefined>;

/**
 * The account had too little of the coin when a sale arrived: what it has now, less what rests there for other positions of
 * bots. Asked until it answers: the sale that follows is made of it. Undefined: it has enough now, as after an order beside
 * it was over, or its pair is not known.
 */
export function coinsLacking(parts: {
  readonly exchange: Pick<Exchange, 'account'>;
  readonly market: Pick<Market, 'pair'>;
  readonly running: ReadonlyMap<string, Pick<RunningBot, 'accountKey' | 'inFlight'>>;
  readonly log: Pick<Logger, 'warn'>;
}): CoinsLacking {
  const { exchange, market, running, log } = parts;
  const assetOf = (symbol: string) => market.pair(symbol)?.baseAsset;

  function restingBeside(asset: string, { clientOrderId }: Parameters<CoinsLacking>[0], key: string) {
    const bots = [...running.values()].filter(({ accountKey }) => accountKey === key);
    const sales = bots
      .flatMap((bot) => bot.inFlight())
      .filter(({ symbol, order }) => assetOf(symbol) === asset && order.side === 'Sell' && order.clientOrderId !== clientOrderId);
    return sum(sales.map(({ order }) => subtract(decimal(order.quantity), decimal(order.executed))));
  }

  return async (sale, { key, signer }, again) => {
    const asset = assetOf(sale.symbol);
    for (let tried = 0; asset !== undefined; tried += 1) {
      try {
        const { balances } = await exchange.account(signer);
        const { free = '0', locked = '0' } = balances.find((balance) => balance.asset === asset) ?? {};
        if (!lessThan(decimal(free), decimal(sale.order.quantity))) return undefined;
        return { free, locked: toText(maximum(ZERO, subtract(decimal(locked), restingBeside(asset, sale, key)))) };
      } catch (error) {
        const reason = (error as Error).message;
        log.warn({ clientOrderId: sale.clientOrderId, reason }, 'what an account has of a coin could not be read yet');
        if (!(await again(tried))) return undefined;
      }
    }
    return undefined;
  };
}
