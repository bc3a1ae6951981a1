import { isZero, toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry, TradeEntry, TransferEntry } from '@pilotfish/core/positions/ledger-entry';
import { runs } from '@pilotfish/core/testing/tiers';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import type { Texts } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { account, MINUTE, NOW, override, trade } from './ledger-fixture.ts';
import { ledgerStore } from './ledger-store.ts';
import { overridesStore } from './overrides-store.ts';
import { overviewOf } from './overview.ts';
import { type Book, positionBooks } from './position-book.ts';
import { positionReader } from './position-reader.ts';
import type { PositionsService } from './positions-service.ts';
import { appendTold } from './superseded.ts';

// Whatever is written to an account whose books are held, in whatever order, and whenever somebody looks: what is held
// says what a process says that has just begun. An import once brought a pair whose base is money itself, which the
// held books left out: overview and months failed until a restart.

const PAIRS = [
  ['ETH', 'USDT'],
  ['SOL', 'USDT'],
  ['ETH', 'BNB'],
  ['BNB', 'USDT'],
  ['USDT', 'TRY'],
  ['EUR', 'USDT'],
  ['BTC', 'EUR'],
] as const;
const ASSETS = ['ETH', 'BNB', 'USDT', 'EUR', 'SOL'] as const;

type Step =
  /** Fills and transfers of the account's stream, an import, and pages of the exchange's history, which tell of some rows of files anew. */
  | { readonly kind: 'write' | 'import' | 'sync'; readonly entries: readonly LedgerEntry[]; readonly which: number }
  /**
   * A bot's position that is detached stays the account's: its owner leaves it as it is, closes it by hand or opens it
   * again. The ledger itself is not written to.
   */
  | { readonly kind: 'undo' | 'exclude' | 'close' | 'reopen' | 'value'; readonly which: number };

const tradeOf = fc
  .record({
    minute: fc.integer({ min: 0, max: 40 }),
    pair: fc.constantFrom(...PAIRS),
    side: fc.constantFrom('Buy' as const, 'Sell' as const),
    quantity: fc.integer({ min: 1, max: 9 }),
    price: fc.integer({ min: 1, max: 200 }),
    fee: fc.constantFrom('quote', 'base', 'BNB', 'USDT'),
    isValued: fc.boolean(),
  })
  .map(({ minute, pair: [base, quote], side, quantity, price, fee, isValued }): LedgerEntry => {
    const feeAsset = fee === 'quote' ? quote : fee === 'base' ? base : fee;
    return trade(minute, side, String(quantity), String(price), {
      id: `trade:${base}${quote}:${minute}:${side}:${quantity}`,
      symbol: base + quote,
      baseAsset: base,
      quoteAsset: quote,
      feeAsset,
      fee: '0.01',
      feeInQuote: isValued ? '0.02' : null,
      feeInPrimary: isValued ? '0.03' : null,
      quoteRate: quote === 'USDT' ? '1' : '2',
    });
  });
const transferOf = fc
  .record({ minute: fc.integer({ min: 0, max: 40 }), asset: fc.constantFrom(...ASSETS), change: fc.integer({ min: -5, max: 5 }) })
  .map(
    ({ minute, asset, change }): TransferEntry => ({
      kind: 'transfer',
      id: `transfer:${asset}:${minute}:${change}`,
      at: NOW + minute * MINUTE,
      asset,
      change: String(change === 0 ? 1 : change),
      transfer: change < 0 ? 'withdrawal' : 'deposit',
      cost: change > 2 ? '10' : null,
      source: 'api',
    }),
  );
const entries = fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: tradeOf }, transferOf), {
  minLength: 1,
  maxLength: 6,
  selector: ({ id }) => id,
});
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('write' as const, 'import' as const, 'sync' as const), entries, which: fc.nat(20) }),
    fc.record({
      kind: fc.constantFrom('undo' as const, 'exclude' as const, 'close' as const, 'reopen' as const, 'value' as const),
      which: fc.nat(20),
    }),
  ),
  { minLength: 2, maxLength: 10 },
) as fc.Arbitrary<Step[]>;

const positionsOf = ({ positions, folds, flows }: Book) => ({
  positions: positions.map(({ id, position, override: said }) => [
    id,
    position.key,
    toText(position.quantity),
    toText(position.cost),
    toText(position.realised),
    position.closedBy,
    said?.excluded ?? false,
  ]),
  flows: Object.fromEntries([...flows].filter(([, flow]) => !isZero(flow)).map(([asset, flow]) => [asset, toText(flow)])),
  known: Object.fromEntries([...folds.values()].map(({ asset, known }) => [asset, toText(known)])),
});
const isTrade = (entry: LedgerEntry): entry is TradeEntry => entry.kind === 'trade';
/** A row of a file that tells of a trade; the exchange's history names it otherwise. */
const inFile = (entry: LedgerEntry): LedgerEntry =>
  isTrade(entry) ? { ...entry, id: `file:${entry.id}`, source: 'trade-history' } : entry;
/** What the exchange tells of a fill: what fee and quote were worth comes later. */
const asTold = (entry: TradeEntry): TradeEntry => ({
  ...entry,
  id: entry.id.replace(/^file:/, ''),
  source: 'api',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: entry.quoteAsset === 'USDT' ? '1' : null,
});

describeEachDialect('books that are held', (open) => {
  test('say after any writes what a process says that has just begun', async (context) => {
    const database = await open(context);
    const ledger = ledgerStore(database);
    const overrides = overridesStore(database);
    let count = 0;
    // Never the same twice, also while a case that failed is made smaller.
    const nextId = () => {
      count += 1;
      return `018f0000-0000-7000-8000-${String(count).padStart(12, '0')}`;
    };
    const market = { pair: () => undefined, pairs: () => [], price: () => undefined, rate: () => '2', loaded: false } as unknown as Market;
    const texts = { find: () => undefined, text: () => '' } as unknown as Texts;
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const owner = nextId();
        await account(database, owner);
        const process = () => {
          const books = positionBooks({ ledger, overrides, market });
          const service = {
            books,
            check: { last: () => undefined },
            takerFees: () => ({}),
            accountOf: () => Promise.reject(new Error('not connected')),
          } as unknown as PositionsService;
          const reader = positionReader({ texts, database }, service, market);
          const overview = overviewOf({ books, market });
          return {
            books,
            tell: async () => {
              const look = await reader.look(owner, 'en');
              const [months, summary] = [await overview.months(owner, look), await overview.summary(owner, look, NOW)];
              return { ...positionsOf(look.book), months, summary };
            },
          };
        };
        const held = process();
        const agrees = async () => {
          const fresh = process();
          expect(await held.tell()).toEqual(await fresh.tell());
          fresh.books.stop();
        };
        const said = async (which: number, word: (of: TradeEntry) => Parameters<typeof override>[1]) => {
          const all = (await ledger.entries(owner)).filter(isTrade);
          const chosen = all[which % Math.max(1, all.length)];
          if (chosen === undefined) return;
          await overrides.save(owner, override(chosen, word(chosen)), NOW);
          held.books.touch(owner, [chosen.baseAsset]);
        };
        const batches: string[] = [];
        const perform = async (step: Step) => {
          switch (step.kind) {
            case 'write':
              return void (await ledger.append(owner, step.entries));
            case 'import': {
              const batch = nextId();
              const writer = await ledger.batches.open(owner, batch);
              await writer.add(step.entries.map(inFile));
              await writer.commit(async () => undefined);
              return void batches.push(batch);
            }
            case 'sync': {
              const files = (await ledger.entries(owner)).filter(isTrade).filter(({ source }) => source !== 'api');
              const again = files.slice(step.which % Math.max(1, files.length)).slice(0, 3);
              const told = [...step.entries.filter(isTrade), ...again].map(asTold);
              const named = [...new Map(told.map((entry) => [entry.id, entry])).values()];
              return void (named.length > 0 && (await appendTold(ledger, owner, named)));
            }
            case 'value': {
              const left = await ledger.unvalued(owner, 5);
              const worth = { feeInQuote: '0.04', feeInPrimary: '0.08', quoteRate: '2' };
              return ledger.revalue(
                owner,
                left.map(({ id }) => ({ id, ...worth })),
              );
            }
            case 'undo': {
              const [batch] = batches.splice(step.which % (batches.length + 1), 1);
              const more = { returning: [], settled: new Map(), yields: new Map(), within: async () => undefined };
              return batch === undefined ? undefined : ledger.batches.takeBack(owner, batch, more);
            }
            case 'exclude':
              return said(step.which, () => ({ excluded: true }));
            case 'close':
              return said(step.which, ({ at, price }) => ({ closing: { at: at + 5 * MINUTE, remainder: 'at-market', price } }));
            case 'reopen':
              return said(step.which, ({ at }) => ({ reopenedUntil: at + 5 * MINUTE }));
          }
        };
        for (const step of given) {
          await perform(step);
          // Books are held once somebody has looked.
          if (step.which % 3 === 0) await agrees();
        }
        await agrees();
        held.books.stop();
      }),
      { numRuns: runs(200) },
    );
  });
});
