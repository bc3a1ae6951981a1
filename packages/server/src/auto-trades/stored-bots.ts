import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { TakerFees } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { pausesInForce, protectionReach } from '@pilotfish/core/auto-trades/engine/protections';
import { AppError } from '@pilotfish/core/http/problem';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { paidIn } from '@pilotfish/core/wallets/wallet-book';
import type { Logger } from 'pino';
import type { PermittedPairs } from '../exchange-connection/permitted-pairs.ts';
import type { AccountKey, TradingAccount, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { WalletsStore } from '../wallets/wallets-store.ts';
import type { AutoTradesStore, BotRow, PositionRow } from './auto-trades-store.ts';
import type { BotCoins } from './bot-coins.ts';
import { accountKeyOf, unknownFeeOf } from './bot-rules.ts';
import type { BotStart } from './bot-runner.ts';
import { symbolsKept } from './carried-dust.ts';
import { notReady } from './not-ready.ts';
import type { PairFees } from './pair-fees.ts';
import { unlistedPair } from './unlisted-pair.ts';

/** Bots as storage has them, ready to be put to work. */
export function storedBots(parts: {
  readonly store: AutoTradesStore;
  readonly wallets: WalletsStore;
  readonly accounts: Pick<TradingAccounts, 'get'>;
  readonly coins: BotCoins;
  readonly market: Pick<Market, 'asOf' | 'pair'>;
  /** Resolves when everything that bots decided so far is on disk. */
  readonly written: () => Promise<void>;
  /** The fees of pairs as far as the exchange tells them in time. */
  readonly fees: Pick<PairFees, 'of'>;
  readonly permitted: Pick<PermittedPairs, 'forbidden'>;
  /** How often the row of a bot has changed so far. */
  readonly changesOf: (id: string) => number;
  /** What the ids of orders begin with in this start of the server. */
  readonly orderPrefix: string;
  readonly log: Logger;
}) {
  const { store, wallets, accounts, coins, market, fees, changesOf, log } = parts;

  /** The fees that a bot begins with: only those that were never told are waited for, so that a start is not held up. */
  async function takerFeesOf({ id, takerFees }: BotRow, key: AccountKey, pairs: readonly Pair[]): Promise<TakerFees> {
    const unknown = pairs.flatMap(({ symbol }) => (takerFees[symbol] === undefined && market.pair(symbol) ? [symbol] : []));
    const told = await fees.of(key, unknown);
    const all = { ...takerFees, ...told };
    if (Object.keys(told).length > 0) await store.saveTakerFees(id, all);
    return all;
  }

  async function read(accountId: string, id: string): Promise<{ start: BotStart; account: TradingAccount }> {
    for (;;) {
      const version = changesOf(id);
      // Whatever an earlier run of it decided is on disk before it is read.
      await parts.written();
      const row = await store.find(accountId, id);
      if (!row) throw new AppError('not-found');
      const wallet = await wallets.find(row.accountId, row.walletId);
      if (!wallet) throw notReady('wallet_gone');
      const newest = await store.newestPositions(row.id, row.context.runNo);
      const closed = await store.awaitingFees(row.id, row.context.runNo);
      const held = await symbolsKept(store, row.id, newest);
      const selected = (await coins.of(row.accountId, row.config, wallet.currency)).filter((symbol) => market.pair(symbol));
      const symbols = [...new Set([...selected, ...row.config.coins.symbols, ...held])];
      const pairs = symbols.flatMap((each) => market.pair(each) ?? (held.includes(each) ? unlistedPair(each, wallet.currency) : []));
      // One coin that the exchange gave up may not leave the others without their exits.
      for (const symbol of symbols)
        if (!market.pair(symbol)) log.error({ autoTradeId: id, symbol }, 'the exchange does not list a coin of a bot');
      if (pairs.length === 0 && row.config.coins.coinFilterIds.length === 0) throw notReady('no_coins');
      const configs = new Map<number, AutoTradeConfig>();
      for (const number of new Set([row.configVersion, ...[...newest, ...closed].map((position) => position.configVersion)])) {
        configs.set(number, await store.config(row.id, number));
      }
      // Fees of another wallet, which the bot has left, are not for this one to pay.
      const isOwn = ({ configVersion }: PositionRow) => configs.get(configVersion)?.walletId === row.walletId;
      const positions = newest.map((each) => (isOwn(each) ? each : { ...each, context: { ...each.context, unvalued: [] } }));
      const awaitingFees = closed.filter(isOwn);
      const book = await wallets.book(wallet);
      const lastSeq = await store.lastSeq(row.id);
      const accountKey = accountKeyOf(wallet);
      const account = await accounts.get(accountKey);
      const [{ protections }, at] = [row.config, market.asOf];
      const history = await store.closedTrades(row.id, row.context.runNo, at - protectionReach(protections), book.sums.realised);
      const lifted = row.context.liftedAt ?? Number.NEGATIVE_INFINITY;
      const pauses = pausesInForce(protections, history, { paidIn: paidIn(book.sums), since: lifted, at });
      const takerFees = await takerFeesOf(row, accountKey, pairs);
      const forbidden = await parts.permitted.forbidden(accountKey, symbols);
      if (changesOf(id) !== version) continue;
      const { orderPrefix } = parts;
      const bot = { ...row, takerFees };
      const own = { wallet: book, walletMode: wallet.mode, accountKey, takerFee: unknownFeeOf(wallet) };
      const known = { ...own, orderPrefix, bot, positions, awaitingFees, configs, lastSeq };
      return { start: { ...known, pairs, coins: selected, forbidden, history, pauses }, account };
    }
  }

  return {
    /** A bot and its account; read again when the bot was changed meanwhile. */
    read,
  };
}
