import { AppError } from '@pilotfish/core/http/problem';
import { add, decimal, isNegative, isZero, lessThan, sum, toText } from '@pilotfish/core/money/decimal';
import { digits, type Percent } from '@pilotfish/core/money/figure';
import { PAPER_TERMS, type PaperTerms, STANDARD_PAPER_TERMS } from '@pilotfish/core/money/trading-terms';
import type { Cancel } from '@pilotfish/core/time/timers';
import { afterTransfer, type WalletBook, withoutTransfer } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Queries } from '../database/database.ts';
import { storedRows, unreadableAmong } from '../database/stored-rows.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import { freeOf } from '../exchange/exchange-rows.ts';
import { issueDemoKeys } from '../exchange-connection/exchange-connection-routes.ts';
import type { ExchangeConnectionStore, Keys } from '../exchange-connection/exchange-connection-store.ts';
import type { TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';
import type { Market } from '../market/market.ts';
import { accountTerms, setAccountTerms } from './paper-account.ts';
import type { WalletFunding } from './wallet-funding.ts';
import type { WalletRow, WalletsStore } from './wallets-store.ts';

const LEDGER_LINES = 100;
/** How often the exchange is asked whether it still holds what live wallets promise, besides at every change of balances. */
const LOOK_MS = 5 * 60_000;
const PAPER_FUNDS = '1000000000';

type GivenTerms = {
  readonly makerFeePct?: Percent | undefined;
  readonly takerFeePct?: Percent | undefined;
  readonly latencyMs?: number | undefined;
};

/** Canonical text, so that `0.10` is no change. */
const changed = (terms: PaperTerms, { makerFeePct, takerFeePct, latencyMs }: GivenTerms): PaperTerms => ({
  makerFeePct: makerFeePct === undefined ? terms.makerFeePct : toText(decimal(makerFeePct)),
  takerFeePct: takerFeePct === undefined ? terms.takerFeePct : toText(decimal(takerFeePct)),
  latencyMs: latencyMs ?? terms.latencyMs,
});

/** A live wallet pays what the exchange takes. @throws AppError naming each field that says otherwise */
function requireNoTerms(given: GivenTerms): void {
  const fields = PAPER_TERMS.filter((name) => given[name] !== undefined);
  if (fields.length > 0) throw new AppError('invalid', { fields: fields.map((path) => ({ path, code: 'paper_only', message: '' })) });
}

export type WalletParts = {
  readonly store: WalletsStore;
  readonly exchange: Exchange;
  readonly market: Market;
  readonly accounts: TradingAccounts;
  readonly connections: ExchangeConnectionStore;
  readonly trading: Pick<TradingPermission, 'require'>;
  readonly funding: Pick<WalletFunding, 'isShort' | 'poke' | 'stop'>;
  /** The taker fee of a paper wallet is another one: whatever reckons with it asks again. */
  readonly onFees: (accountId: string, walletId: string) => Promise<void>;
};

/** Budgets for bots: opening, adding, reading. Moves of positions are written by the bot runner. */
export function walletsFeature(
  context: AppContext,
  { store, exchange, market, accounts, connections, trading, funding, onFees }: WalletParts,
): Feature {
  const { accountExtras, audit, database, log, newId, now, quotas, timers } = context;
  let timer: Cancel | undefined;
  const readable = storedRows(log);

  /** Sum of what the live wallets of all who have connected the same account of the exchange may still spend. */
  async function liveFree(accountId: string, currency: string): Promise<string> {
    const lists = await Promise.all((await connections.sharers(accountId)).map((id) => store.list(id)));
    const rows = lists.flat().filter((row) => row.mode === 'live' && row.currency === currency);
    const books = await Promise.all(rows.map((row) => store.book(row)));
    return toText(sum(books.map((book) => decimal(book.sums.free))));
  }

  async function exchangeFree(accountId: string, currency: string): Promise<string> {
    const { signer } = await accounts.get(`live:${accountId}`);
    return exchange
      .account(signer)
      .then(({ balances }) => freeOf(balances, currency))
      .catch((error: unknown) => {
        throw toAppErrorFromExchange(error);
      });
  }

  /** Budgets of live wallets may not promise more than the exchange holds. */
  async function requireFunds(accountId: string, currency: string, more: string): Promise<void> {
    const planned = add(decimal(await liveFree(accountId, currency)), decimal(more));
    const held = await exchangeFree(accountId, currency);
    if (lessThan(decimal(held), planned)) throw new AppError('underfunded');
  }

  const toWallet = (row: WalletRow, book: WalletBook): Wallet => ({
    id: row.id,
    name: row.name,
    currency: row.currency,
    mode: row.mode,
    reservePct: row.reservePct,
    status: funding.isShort(row.id) || isNegative(decimal(book.sums.free)) ? 'Underfunded' : 'Ready',
    ...book.sums,
    createdAt: new Date(row.createdAt).toISOString(),
    makerFeePct: row.terms?.makerFeePct ?? null,
    takerFeePct: row.terms?.takerFeePct ?? null,
    latencyMs: row.terms?.latencyMs ?? null,
  });

  /** Promises of the same money are made one after the other, whoever makes them. */
  const inTurn = async <Answer>(accountId: string, work: () => Promise<Answer>): Promise<Answer> => {
    const [first = accountId] = await connections.sharers(accountId);
    return store.inTurn(first, work);
  };
  const require = async (accountId: string, id: string): Promise<WalletRow> => {
    const row = await store.find(accountId, id);
    if (!row) throw new AppError('not-found');
    return row;
  };

  /** Terms at the exchange first: what it refuses, or cannot be asked, is not stored either. */
  async function saveTerms(
    row: WalletRow,
    before: PaperTerms,
    terms: PaperTerms,
    note: (queries: Queries) => Promise<void>,
  ): Promise<void> {
    const keys = await store.paperKeys(row.id);
    if (!keys) throw new AppError('not-connected');
    const tell = (given: PaperTerms) => setAccountTerms(exchange.paperOrigins, keys.apiKey, given, timers);
    const takeBack = (): Promise<void> =>
      tell(before).catch((reason: unknown) =>
        log.error({ err: reason, walletId: row.id }, 'the terms of a paper account could not be taken back'),
      );
    // An exchange that did not answer may have taken them all the same.
    await tell(terms).catch(async (error: unknown) => {
      await takeBack();
      throw error;
    });
    const written = database.transaction(async (queries) => {
      await store.saveTerms(row.id, terms, queries);
      await note(queries);
    });
    await written.catch(async (error: unknown) => {
      await takeBack();
      throw error;
    });
  }

  accountExtras.unreadable.push(async (accountId) => {
    const rows = await unreadableAmong(await store.list(accountId), (row) => store.book(row));
    return rows.map(({ id, name }) => ({ kind: 'wallet', id, name, halted: false }));
  });

  return {
    handlers: {
      createWallet: ({ body, account, origin, language }) =>
        inTurn(account.id, async () => {
          // Before a paper account is opened at the exchange for it.
          await database.transaction((queries) => quotas.requireRoom(queries, account.id, 'wallets', language));
          if (!market.loaded) throw new AppError('exchange-unreachable');
          if (!market.pairs().some((pair) => pair.quoteAsset === body.currency)) {
            throw new AppError('invalid', { fields: [{ path: 'currency', code: 'not_a_quote', message: body.currency }] });
          }
          if (await store.nameTaken(account.id, body.name)) throw new AppError('name-taken');
          const terms = body.mode === 'live' ? null : changed(STANDARD_PAPER_TERMS, body);
          if (!terms) requireNoTerms(body);
          let paper: Keys | undefined;
          if (!terms) {
            if (!(await connections.find(account.id))) throw new AppError('not-connected');
            await trading.require(account.id);
            await requireFunds(account.id, body.currency, digits(body.initialBalance));
          } else {
            // The budget is ours to keep; the paper account only has to be able to pay it, later additions included.
            const keys = await issueDemoKeys(exchange.paperOrigins, { [body.currency]: PAPER_FUNDS }, timers, accountTerms(terms));
            paper = { apiKey: keys.clientId, apiSecret: keys.clientSecret };
          }
          const row: WalletRow = {
            id: newId(),
            accountId: account.id,
            name: body.name,
            currency: body.currency,
            mode: body.mode,
            reservePct: digits(body.reservePct),
            createdAt: now(),
            terms,
          };
          await database.transaction(async (queries) => {
            await quotas.requireRoom(queries, account.id, 'wallets', language);
            await store.insert(row, paper, queries);
            if (!isZero(decimal(body.initialBalance))) {
              await store.append(
                [
                  {
                    walletId: row.id,
                    at: now(),
                    move: { kind: 'transfer', amount: digits(body.initialBalance) },
                    note: 'initial',
                    positionId: null,
                  },
                ],
                queries,
              );
            }
            await audit.record({ accountId: account.id, action: 'wallet.create', target: row.id, origin }, queries);
          });
          return toWallet(row, await store.book(row));
        }),
      updateWallet: ({ params, body, account, origin }) =>
        inTurn(account.id, async () => {
          const row = await require(account.id, params.id);
          if (!row.terms) requireNoTerms(body);
          const terms = row.terms && changed(row.terms, body);
          const news = terms ? PAPER_TERMS.filter((name) => terms[name] !== row.terms?.[name]) : [];
          // Given again, they are sent again: the account may hold others after a change that broke off.
          if (row.terms && terms && PAPER_TERMS.some((name) => body[name] !== undefined)) {
            await saveTerms(row, row.terms, terms, (queries) => {
              const details = Object.fromEntries(news.map((name) => [name, terms[name]]));
              return audit.record({ accountId: account.id, action: 'wallet.terms', target: row.id, origin, details }, queries);
            });
            if (news.includes('takerFeePct')) await onFees(account.id, row.id);
          }
          return toWallet({ ...row, terms }, await store.book(row));
        }),
      addWalletBalance: ({ params, body, account, origin }) =>
        inTurn(account.id, async () => {
          const row = await require(account.id, params.id);
          const amount = digits(body.amount);
          const book = await store.book(row);
          const isLacking = () => isNegative(decimal(afterTransfer(book.sums, amount).free));
          if (isLacking()) throw new AppError('underfunded');
          if (row.mode === 'live' && !isNegative(decimal(amount))) await requireFunds(account.id, row.currency, amount);
          // Taken in the turn in which it is looked at: nobody may spend it while it is being written.
          if (isLacking()) throw new AppError('underfunded');
          book.sums = afterTransfer(book.sums, amount);
          const written = database.transaction(async (queries) => {
            await store.append(
              [{ walletId: row.id, at: now(), move: { kind: 'transfer', amount }, note: body.note ?? '', positionId: null }],
              queries,
            );
            await audit.record(
              { accountId: account.id, action: 'wallet.add-balance', target: row.id, origin, details: { amount } },
              queries,
            );
          });
          await written.catch((error: unknown) => {
            book.sums = withoutTransfer(book.sums, amount);
            throw error;
          });
          if (row.mode === 'live') funding.poke(account.id);
          return toWallet(row, book);
        }),
      listWallets: async ({ account }) => {
        const rows = await store.list(account.id);
        return readable('wallets', rows, async (row) => toWallet(row, await store.book(row)));
      },
      getWallet: async ({ params, account }) => {
        const row = await require(account.id, params.id);
        const ledger = await store.ledger(row.id, LEDGER_LINES);
        return {
          ...toWallet(row, await store.book(row)),
          ledger: ledger.map(({ id, at, kind, amount, note }) => ({
            id,
            at: new Date(at).toISOString(),
            kind: kind as never,
            amount,
            note,
          })),
        };
      },
    },
    start: async () => {
      // Money may come back, or go, while no event tells of it: at a start, or while a stream was cut.
      timer = timers.every(LOOK_MS, () => {
        connections
          .connectedAccounts()
          .then((found) => {
            for (const id of found) funding.poke(id);
          })
          .catch((error: unknown) => log.warn({ err: error }, 'connected accounts could not be read'));
      });
    },
    stop: async () => {
      timer?.();
      funding.stop();
    },
  };
}
