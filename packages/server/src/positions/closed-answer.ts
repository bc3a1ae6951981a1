import type { Answer, HandlerInput } from '@pilotfish/core/http/endpoint';
import { AppError } from '@pilotfish/core/http/problem';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { ClosedRow, listClosedPositions } from '@pilotfish/core/positions/positions-contract';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import type { Language, Texts } from '../http/texts.ts';
import { isBroken } from './broken-reasons.ts';
import {
  type BotFills,
  type Closed,
  type ClosedFilter,
  type ClosedLook,
  closedChoices,
  closedOrigins,
  filterClosed,
  sortClosed,
} from './closed-list.ts';
import { type BotsEnded, closedOnPaper, type PaperClosed, paperRow } from './closed-on-paper.ts';
import { pageOf } from './page.ts';
import type { PositionReader } from './position-reader.ts';
import { type Standing, type Summed, totalsOf } from './position-totals.ts';
import { toClosedRow, type Valued } from './position-view.ts';

type ClosedAnswer = Answer<typeof listClosedPositions>;
type Query = HandlerInput<typeof listClosedPositions>['query'];
/** All closed positions of one kind, with how they are read. */
type ClosedSource<Row> = ClosedLook<Row> & {
  readonly closed: readonly Row[];
  readonly standing: Standing<Row>;
  readonly choices: ClosedAnswer['choices'];
  readonly toRow: (row: Row) => ClosedRow;
};

/** The closed positions of an account: those of the ledger, or of its bots on paper; the two are never listed together. */
export function closedPositions(
  texts: Texts,
  parts: {
    readonly positions: Pick<PositionReader, 'look'>;
    readonly botFills: BotFills;
    readonly botsEnded: BotsEnded;
    /** Whose days are asked for. */
    readonly timeZoneOf: (accountId: string) => Promise<string>;
  },
) {
  const { positions, botFills, botsEnded, timeZoneOf } = parts;

  async function inLedger(accountId: string, language: Language): Promise<ClosedSource<Valued>> {
    const look = await positions.look(accountId, language);
    const closed = look.book.positions.filter(({ position }) => position.closedAt !== null).map(look.valued);
    const { originOf, nameOf, choices } = closedOrigins(await botFills(accountId), closed);
    return {
      closed,
      isBroken: ({ of }) => isBroken(of, look.facts),
      originOf,
      dayOf: look.dayOf,
      standing: look.standing,
      choices,
      toRow: (valued) => toClosedRow(valued, look, originOf(valued), nameOf),
    };
  }

  async function onPaper(accountId: string): Promise<ClosedSource<PaperClosed>> {
    const [ended, timeZone] = [await botsEnded(accountId), await timeZoneOf(accountId)];
    const closed = ended.positions.map(closedOnPaper);
    const originOf = ({ origin }: PaperClosed) => origin;
    const { nameOf, choices } = closedChoices(closed, originOf, ended.bots);
    return {
      closed,
      // What bots did on paper is known from the first fill on.
      isBroken: () => false,
      originOf,
      dayOf: dayNames(timeZone),
      standing: () => undefined,
      choices,
      toRow: (row) => paperRow(row, nameOf),
    };
  }

  /** @throws AppError `invalid` when the least result to hide is above the largest */
  function bounds({ 'excludedPnl.min': min, 'excludedPnl.max': max }: Query, language: Language): Pick<ClosedFilter, 'min' | 'max'> {
    if (min !== undefined && max !== undefined && compare(decimal(min), decimal(max)) > 0) {
      const message = texts.text(language, 'positions.invalid.range', {
        min: formatQuantity(decimal(min)),
        max: formatQuantity(decimal(max)),
      });
      throw new AppError('invalid', {
        fields: [
          { path: 'excludedPnl.min', code: 'range', message, limit: digits(max), actual: digits(min) },
          { path: 'excludedPnl.max', code: 'range', message, limit: digits(min), actual: digits(max) },
        ],
      });
    }
    return { min, max };
  }

  function answer<Row extends Closed & Summed>(source: ClosedSource<Row>, query: Query, hidden: ReturnType<typeof bounds>): ClosedAnswer {
    const { closed, standing, choices, toRow } = source;
    const { order, onlyBrokenPositions: onlyBroken, ...chosen } = query;
    const listed = filterClosed(closed, { ...chosen, ...hidden, onlyBroken }, source);
    const { items, ...rest } = pageOf(sortClosed(listed, order, source.isBroken), query);
    return {
      items: items.map(toRow),
      choices,
      ...rest,
      totalsListed: totalsOf(listed, standing),
      totalsAll: totalsOf(closed, standing),
    };
  }

  return async (accountId: string, language: Language, query: Query): Promise<ClosedAnswer> => {
    const hidden = bounds(query, language);
    return query.mode === 'paper'
      ? answer(await onPaper(accountId), query, hidden)
      : answer(await inLedger(accountId, language), query, hidden);
  };
}
