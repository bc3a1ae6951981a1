import { AppError } from '@pilotfish/core/http/problem';
import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import { NOTHING_SAID, type PositionSnapshot, restoredPosition } from '@pilotfish/core/positions/position-machine';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import type { AppContext } from '../app/context.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import { type BrokenFacts, brokenCodes, isBroken } from './broken-reasons.ts';
import type { Book, BookPosition } from './position-book.ts';
import type { Standing } from './position-totals.ts';
import { STANDARD_TAKER, type Valued, type ViewOptions, valuedAt } from './position-view.ts';
import type { PositionsService } from './positions-service.ts';

export type PositionReader = ReturnType<typeof positionReader>;

/** One look at an account's positions: everything in it is of the same moment. */
export type Look = ViewOptions & {
  /** Whose days and months results are counted in. */
  readonly timeZone: string;
  readonly book: Book;
  readonly valued: (of: BookPosition) => Valued;
  readonly standing: Standing<Pick<Valued, 'of'>>;
  /** The machine of a position, where entries and owner have brought it. */
  readonly stateOf: (of: BookPosition) => PositionSnapshot;
};

export function positionReader({ texts, database }: Pick<AppContext, 'texts' | 'database'>, service: PositionsService, market: Market) {
  /** Ids of the positions that are being calculated. */
  const calculating = new Set<string>();

  async function factsOf(accountId: string): Promise<BrokenFacts> {
    const uid = await service.accountOf(accountId).then(
      (account) => account.uid,
      () => undefined,
    );
    return {
      compared: service.check.last(accountId),
      cursors: uid === undefined ? undefined : await service.syncStore.cursors(accountId, uid),
      // A market that was not read yet says nothing of what is listed.
      hasPrice: (symbol) => !market.loaded || (market.pair(symbol) !== undefined && market.price(symbol) !== undefined),
    };
  }

  const look = async (accountId: string, language: Language): Promise<Look> => {
    const [book, facts, timeZone] = await Promise.all([
      service.books.of(accountId),
      factsOf(accountId),
      timeZoneOf(database.queries, accountId),
    ]);
    const open = book.positions.flatMap(({ position }) =>
      position.closedAt === null && market.pair(position.symbol)?.status === 'TRADING' ? [position.symbol] : [],
    );
    const fees = service.takerFees(accountId, [...new Set(open)]);
    const ofAccount = service.check.last(accountId)?.taker ?? STANDARD_TAKER;
    const takerOf = (symbol: string) => (fees[symbol] === undefined ? ofAccount : decimal(fees[symbol]));
    const valued = (of: BookPosition) => valuedAt(of, { market, takerOf });
    const standing: Look['standing'] = ({ of }) => (of.override?.excluded ? 'excluded' : isBroken(of, facts) ? 'broken' : undefined);
    const newest = newestThatStands(book);
    const stateOf = (of: BookPosition) =>
      restoredPosition({
        closedAt: of.position.closedAt,
        closedBy: of.position.closedBy,
        // The crumbs of a sale of everything are nothing that was bought since.
        holds: isPositive(of.position.quantity) && of.position.lastAt > (of.override?.reopenedUntil ?? Number.NEGATIVE_INFINITY),
        laterOpen: (newest.get(of.position.symbol) ?? 0) > of.position.number,
        reasons: brokenCodes(of, facts).filter((code) => code !== 'USER'),
        calculating: calculating.has(of.id),
        word: of.override ?? NOTHING_SAID,
      });
    return { book, facts, texts, language, timeZone, dayOf: dayNames(timeZone), market, takerOf, valued, standing, stateOf };
  };

  return {
    look,
    calculating,
    /** @throws AppError `not-found` for a position the account does not have, whoever else may have it */
    find: async (accountId: string, id: string, language: Language): Promise<{ look: Look; of: BookPosition }> => {
      const found = await look(accountId, language);
      const of = found.book.byId.get(id);
      if (of === undefined) throw new AppError('not-found');
      return { look: found, of };
    },
  };
}

/** By symbol the number of its newest position that is open or was closed by hand: before it none is opened again. */
function newestThatStands({ positions }: Book): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { position } of positions)
    if (position.closedAt === null || position.closedBy === 'hand')
      newest.set(position.symbol, Math.max(newest.get(position.symbol) ?? 0, position.number));
  return newest;
}
