import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { looksForEntries, silenceOf } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { OCCUPIED } from '@pilotfish/core/auto-trades/engine/engine-slots';
import { exposureOf } from '@pilotfish/core/auto-trades/exposure';
import { stopRefusedBy } from '@pilotfish/core/auto-trades/position/position-resident';
import type { PositionContext } from '@pilotfish/core/auto-trades/position/position-state';
import { type Upcoming, upcomingOf } from '@pilotfish/core/auto-trades/upcoming';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import type { NeedBot, NeedPosition } from '@pilotfish/core/overview/needs';
import { isUnreadable } from '../database/stored-rows.ts';
import type { Market } from '../market/market.ts';
import type { WalletRow, WalletsStore } from '../wallets/wallets-store.ts';
import { IDLE, stateName } from './auto-trade-states.ts';
import type { AutoTradesService } from './auto-trades-service.ts';
import type { BotRow, PositionRow } from './auto-trades-store.ts';
import { accountKeyOf } from './bot-rules.ts';
import type { RunningBot } from './bot-runner.ts';

export type OverviewBotParts = {
  readonly service: Pick<AutoTradesService, 'store' | 'running' | 'unreadPair' | 'unreadable'>;
  readonly market: Pick<Market, 'price'>;
  readonly wallets: Pick<WalletsStore, 'list'>;
};

/** What a coin of a bot does next, with the price now. */
export type BotUpcoming = {
  readonly autoTradeId: string;
  readonly botName: string;
  readonly mode: TradeMode;
  readonly symbol: string;
  readonly currency: string;
  readonly priceNow: Price | null;
  readonly event: Upcoming;
};
/** Coins that are in the budget of a wallet: those of a position, and dust kept for the next one. */
export type WalletCoin = { readonly walletId: string; readonly symbol: string; readonly quantity: string };

/** Why a bot that should be at work is not: the pair whose row in the exchange's list cannot be read. */
export const unreadPairOf = (
  { running, unreadPair }: Pick<AutoTradesService, 'running' | 'unreadPair'>,
  row: Pick<BotRow, 'id' | 'state'>,
  wallet: WalletRow | undefined,
  openPositions: number,
): string | null =>
  wallet === undefined || running(row.id) || (IDLE.has(row.state) && openPositions === 0)
    ? null
    : (unreadPair(accountKeyOf(wallet)) ?? null);

const holds = ({ quantity }: Pick<PositionContext, 'quantity'>): boolean => isPositive(decimal(quantity));

/** A position as far as its storage tells, without the settings that it lives by. */
type Held = Pick<PositionContext, 'positionId' | 'quantity' | 'attention' | 'jump' | 'stopPrice' | 'line'>;
const toNeed = (symbol: string, context: Held, config: AutoTradeConfig, stopRefused: string | null): NeedPosition => ({
  id: context.positionId,
  symbol,
  holds: holds(context),
  attention: context.attention,
  jumpAt: context.attention === null ? null : (context.jump?.at ?? null),
  exposure: exposureOf(config),
  hasFloor: context.stopPrice !== null || context.line !== null,
  stopRefused,
});

/** What the home screen asks of the bots of an account, without the details of each. */
export function botOverview({ service, market, wallets }: OverviewBotParts) {
  const { store } = service;

  const walletsOf = async (accountId: string): Promise<ReadonlyMap<string, WalletRow>> =>
    new Map((await wallets.list(accountId)).map((row) => [row.id, row]));

  /** Positions of a bot that is not at work: it may hold some all the same, as while the market has not answered. */
  async function storedNeeds(row: BotRow, rows: readonly PositionRow[]): Promise<NeedPosition[]> {
    const found: NeedPosition[] = [];
    for (const { id, symbol, state, context, configVersion } of rows) {
      if (!OCCUPIED.has(state)) continue;
      const config = configVersion === row.configVersion ? row.config : await store.config(row.id, configVersion);
      found.push(toNeed(symbol, { ...context, positionId: id }, config, null));
    }
    return found;
  }
  const runningNeeds = ({ engine }: RunningBot): NeedPosition[] =>
    engine.symbols.flatMap((symbol) => {
      const inspection = engine.inspect(symbol);
      if (!inspection || !OCCUPIED.has(inspection.state)) return [];
      const { context } = inspection;
      return [toNeed(symbol, context, context.settings.config, stopRefusedBy(context))];
    });

  async function needsOf(row: BotRow, wallet: WalletRow | undefined): Promise<NeedBot> {
    const live = service.running(row.id);
    const machine = live?.context ?? row.context;
    const state = live?.state ?? row.state;
    const positions = live ? runningNeeds(live) : await storedNeeds(row, await store.newestPositions(row.id, row.context.runNo));
    return {
      id: row.id,
      name: row.name,
      mode: wallet?.mode ?? 'paper',
      state: stateName(state),
      reason: machine.reason,
      silence: silenceOf(state, machine),
      unreadPair: unreadPairOf(service, row, wallet, positions.length),
      positions,
    };
  }

  /** Undefined where what is stored of a bot cannot be read: that is its own trouble, and hides nothing of the others. */
  const readOf = <Value>(value: Promise<Value>): Promise<Value | undefined> =>
    value.catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
      return undefined;
    });

  return {
    /** What may need their owner, and the bots that cannot be read. */
    needs: async (accountId: string) => {
      const [rows, known, unreadable] = await Promise.all([store.list(accountId), walletsOf(accountId), service.unreadable(accountId)]);
      const bots: NeedBot[] = [];
      const damaged: { readonly id: string; readonly name: string }[] = [...unreadable];
      for (const row of rows) {
        const found = await readOf(needsOf(row, known.get(row.walletId)));
        if (found) bots.push(found);
        else damaged.push(row);
      }
      return { bots, unreadable: damaged.map(({ id, name }) => ({ id, name })) };
    },
    /** What their coins wait for, in no order. */
    upcoming: async (accountId: string): Promise<BotUpcoming[]> => {
      const [rows, known] = await Promise.all([store.list(accountId), walletsOf(accountId)]);
      return rows.flatMap((row) => {
        const bot = service.running(row.id);
        if (!bot) return [];
        const of = { autoTradeId: row.id, botName: row.name, mode: known.get(row.walletId)?.mode ?? ('paper' as const) };
        return bot.engine.symbols.flatMap((symbol): BotUpcoming[] => {
          const [inspection, evaluation] = [bot.engine.inspect(symbol), bot.evaluation(symbol)];
          if (!inspection || !evaluation) return [];
          const about = {
            ...of,
            symbol,
            currency: inspection.context.settings.quoteAsset,
            priceNow: market.price(symbol) ?? evaluation.price,
          };
          return upcomingOf(inspection, evaluation, looksForEntries(bot.state)).map((event) => ({ ...about, event }));
        });
      });
    },
    /** Coins in the budgets of the account's wallets on paper; not `whole` while a bot cannot be read that may hold some. */
    paperCoins: async (accountId: string): Promise<{ readonly coins: WalletCoin[]; readonly whole: boolean }> => {
      const [rows, known, unreadable] = await Promise.all([store.list(accountId), walletsOf(accountId), service.unreadable(accountId)]);
      const found: WalletCoin[] = [];
      let whole = unreadable.every(({ walletId }) => known.get(walletId)?.mode !== 'paper');
      for (const row of rows) {
        if (known.get(row.walletId)?.mode !== 'paper') continue;
        const live = service.running(row.id);
        const stored = live ? [] : await readOf(store.newestPositions(row.id, row.context.runNo));
        if (!stored) whole = false;
        const contexts = live
          ? live.engine.symbols.flatMap((symbol) => {
              const inspection = live.engine.inspect(symbol);
              return inspection
                ? [{ symbol, state: inspection.state, context: inspection.context, policy: inspection.context.settings.config.dust.policy }]
                : [];
            })
          : (stored ?? []).map((position) => ({ ...position, policy: row.config.dust.policy }));
        for (const { symbol, state, context, policy } of contexts) {
          const quantity = budgeted(state, context, policy);
          if (isPositive(decimal(quantity))) found.push({ walletId: row.walletId, symbol, quantity });
        }
      }
      return { coins: found, whole };
    },
  };
}
export type BotOverview = ReturnType<typeof botOverview>;

/** How much of a coin the budget of its wallet has paid for: what is held, or the dust that waits for the next position. */
function budgeted(
  state: string,
  context: Pick<PositionContext, 'bought' | 'quantity'> & { carriedQuantity?: string },
  policy: string,
): string {
  if (state === 'detached') return '0';
  if (!isPositive(decimal(context.bought))) return context.carriedQuantity ?? '0';
  return state === 'closed' && policy !== 'includeInNext' ? '0' : context.quantity;
}
