import type { AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { silenceOf } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { describePosition } from '@pilotfish/core/auto-trades/explain';
import { nearestTarget, nextEventOf, stopInForce } from '@pilotfish/core/auto-trades/position-risk';
import { type Decimal, decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Market } from '../../market/market.ts';
import type { WalletRow, WalletsStore } from '../../wallets/wallets-store.ts';
import type { AutoTradesService } from '../auto-trades-service.ts';
import type { BotRow } from '../auto-trades-store.ts';
import { withSettings } from '../position-rows.ts';
import { unlistedPair } from '../unlisted-pair.ts';
import { configKey, type FiguresStore, type StoredPosition } from './figures-store.ts';

/** A position of a bot that takes up a slot, with what its figures are made of. Sums in the quote asset. */
export type BotPosition = {
  readonly position: Omit<AutoTradePosition, 'allowed' | 'withheld'>;
  readonly pair: Pick<Pair, 'symbol' | 'baseAsset' | 'quoteAsset'>;
  readonly quantity: Decimal;
  readonly cost: Decimal;
  /** A fraction. */
  readonly taker: Decimal;
  /** The stop that sells first; null when none does. */
  readonly stop: Decimal | null;
  /** Wall ms of its last change. */
  readonly updatedAt: number;
};
/** A bot with its wallet and what it holds, as stored. */
export type BotHolding = { readonly row: BotRow; readonly wallet: WalletRow; readonly positions: readonly BotPosition[] };

/**
 * What the bots of an account hold, by what is stored of it: a few questions for all of them. A bot that holds something by
 * settings which this version cannot read, or of which a position cannot be read, is left out, as one is whose own settings
 * it cannot read.
 */
export function botHoldings(parts: {
  readonly service: Pick<AutoTradesService, 'running' | 'store'>;
  readonly figures: Pick<FiguresStore, 'occupied' | 'configsOf'>;
  readonly wallets: Pick<WalletsStore, 'list'>;
  readonly market: Pick<Market, 'pair'>;
}) {
  const { service, figures, wallets, market } = parts;
  const pairOf = (symbol: string, currency: string): Pair => market.pair(symbol) ?? unlistedPair(symbol, currency);

  async function of(accountId: string): Promise<BotHolding[]> {
    const byId = new Map((await wallets.list(accountId)).map((wallet) => [wallet.id, wallet]));
    const rows = (await service.store.list(accountId)).flatMap((row) => {
      const wallet = byId.get(row.walletId);
      return wallet ? [{ row, wallet }] : [];
    });
    if (rows.length === 0) return [];
    const ids = rows.map(({ row }) => row.id);
    const [{ rows: stored, unread }, configs] = [await figures.occupied(ids), await figures.configsOf(ids)];
    const toPosition = (row: BotRow, wallet: WalletRow, each: StoredPosition): BotPosition[] => {
      const config = configs.get(configKey(row.id, each.configVersion));
      if (!config) return [];
      const { symbol, baseAsset, quoteAsset, filters, pricePrecision } = pairOf(each.symbol, wallet.currency);
      const own = { autoTradeId: row.id, runNo: each.runNo, mode: wallet.mode, config, configVersion: each.configVersion };
      const pair = { symbol, baseAsset, quoteAsset };
      const context = withSettings(each.context, { ...own, ...pair, filters, pricePrecision, takerFee: each.takerFee });
      const position = describePosition(each.state, context);
      const live = service.running(row.id);
      const sendsExits = live !== undefined && silenceOf(live.state, live.context) === null && each.state !== 'needsAttention';
      return [
        {
          position,
          pair,
          quantity: decimal(context.quantity),
          cost: decimal(context.cost),
          taker: decimal(each.takerFee),
          stop: stopInForce(position.lines, sendsExits),
          updatedAt: each.updatedAt,
        },
      ];
    };
    return rows.flatMap(({ row, wallet }) => {
      if (unread.has(row.id)) return [];
      const own = stored.filter(({ autoTradeId }) => autoTradeId === row.id);
      const positions = own.flatMap((each) => toPosition(row, wallet, each));
      return positions.length < own.length ? [] : [{ row, wallet, positions }];
    });
  }

  return {
    pairOf,
    of,
    /** Every position that holds something, of the bots on live wallets or on paper ones, in the order of the bots. */
    heldIn: async (accountId: string, mode: WalletRow['mode']) =>
      (await of(accountId)).flatMap(({ row, wallet, positions }) =>
        wallet.mode !== mode
          ? []
          : positions.filter(holdsSomething).map(({ position, pair, quantity, cost, taker, stop }) => {
              const seen = service.running(row.id)?.evaluation(pair.symbol);
              return {
                autoTradeId: row.id,
                botName: row.name,
                positionId: position.id,
                ...pair,
                state: position.state,
                quantity,
                cost,
                realised: decimal(position.realised),
                taker,
                stop,
                target: nearestTarget(position.lines),
                rebuys: position.lines.rebuys.map(({ price }) => price),
                breakEven: position.breakEven,
                openedAt: position.openedAt ?? new Date(row.createdAt).toISOString(),
                next: seen ? nextEventOf(seen) : null,
                attention: position.attention,
              };
            }),
      ),
  };
}
export type BotHoldings = ReturnType<typeof botHoldings>;

/** Whether something is held, not only on order. */
export const holdsSomething = ({ quantity }: Pick<BotPosition, 'quantity'>): boolean => isPositive(quantity);
