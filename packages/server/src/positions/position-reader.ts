import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { type BrokenFacts, isBroken } from './broken-reasons.ts';
import type { Book, BookPosition } from './position-book.ts';
import type { Standing } from './position-totals.ts';
import { STANDARD_TAKER, type Valued, type ViewOptions, valuedAt } from './position-view.ts';
import type { PositionsService } from './positions-service.ts';

export type PositionReader = ReturnType<typeof positionReader>;

/** One look at an account's positions: everything in it is of the same moment. */
export type Look = ViewOptions & {
  readonly book: Book;
  readonly valued: (of: BookPosition) => Valued;
  readonly standing: Standing;
};

export function positionReader({ texts }: Pick<AppContext, 'texts'>, service: PositionsService, market: Market) {
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
    const [book, facts] = await Promise.all([service.books.of(accountId), factsOf(accountId)]);
    const taker = service.check.last(accountId)?.taker ?? STANDARD_TAKER;
    const valued = (of: BookPosition) => valuedAt(of, { market, taker });
    const standing: Standing = ({ of }) => (of.override?.excluded ? 'excluded' : isBroken(of, facts) ? 'broken' : undefined);
    return { book, facts, texts, language, market, taker, valued, standing };
  };

  return {
    look,
    /** @throws AppError `not-found` for a position the account does not have, whoever else may have it */
    find: async (accountId: string, id: string, language: Language): Promise<{ look: Look; of: BookPosition }> => {
      const found = await look(accountId, language);
      const of = found.book.byId.get(id);
      if (of === undefined) throw new AppError('not-found');
      return { look: found, of };
    },
  };
}
