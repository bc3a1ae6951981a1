import type { CoinBalance } from '@pilotfish/core/auto-trades/position/position-state';
import { decimal, lessThan, maximum, subtract, sum, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import { isKeyRefusal } from '../exchange/exchange-error.ts';
import { rowOf } from '../exchange/exchange-rows.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { RunningBot } from './bot-runner.ts';
import type { IntentRow } from './order-intents-store.ts';

/**
 * What an account has of the coin of a sale that it had too little for. `enough`: it has enough by now, as after an order
 * beside it was over. `unknown`: its pair is not known, its keys are refused, or there is no next try.
 */
export type CoinsLacking = (
  sale: Pick<IntentRow, 'symbol' | 'clientOrderId' | 'order' | 'accountKey'>,
  /** Waits before the next try; false when there is none any more. */
  again: (tried: number) => Promise<boolean>,
) => Promise<CoinBalance | 'enough' | 'unknown'>;

/** Asks until the account answers: the sale that follows is made of it. */
export function coinsLacking(parts: {
  readonly exchange: Pick<Exchange, 'account'>;
  readonly accounts: Pick<TradingAccounts, 'get'>;
  readonly market: Pick<Market, 'pair'>;
  readonly running: ReadonlyMap<string, Pick<RunningBot, 'accountKey' | 'inFlight'>>;
  readonly log: Pick<Logger, 'warn'>;
}): CoinsLacking {
  const { exchange, accounts, market, running, log } = parts;
  const assetOf = (symbol: string) => market.pair(symbol)?.baseAsset;

  /** What rests there for other positions of bots. Of an order in doubt the coins are taken for those of their owner, who loses nothing by it. */
  function restingBeside(asset: string, { clientOrderId, accountKey: key }: Parameters<CoinsLacking>[0]) {
    const bots = [...running.values()].filter(({ accountKey }) => accountKey === key);
    const sales = bots
      .flatMap((bot) => bot.inFlight())
      .filter(({ symbol, order }) => assetOf(symbol) === asset && order.side === 'Sell' && order.clientOrderId !== clientOrderId)
      .filter(({ order, attention }) => order.orderId !== null && order.type !== 'Market' && attention === null);
    return sum(sales.map(({ order }) => subtract(decimal(order.quantity), decimal(order.executed))));
  }

  return async (sale, again) => {
    const asset = assetOf(sale.symbol);
    for (let tried = 0; asset !== undefined; tried += 1) {
      try {
        // Asked for each time: the keys may be new ones since the last try.
        const { signer } = await accounts.get(sale.accountKey as AccountKey);
        const { balances } = await exchange.account(signer);
        const { free = '0', locked = '0' } = rowOf(balances, 'asset', asset) ?? {};
        if (!lessThan(decimal(free), decimal(sale.order.quantity))) return 'enough';
        return { free, locked: toText(maximum(ZERO, subtract(decimal(locked), restingBeside(asset, sale)))) };
      } catch (error) {
        const reason = (error as Error).message;
        log.warn({ clientOrderId: sale.clientOrderId, reason }, 'what an account has of a coin could not be read yet');
        if (isKeyRefusal(error) || !(await again(tried))) return 'unknown';
      }
    }
    return 'unknown';
  };
}
