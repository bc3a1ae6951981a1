import { AppError } from '@pilotfish/core/http/problem';
import { add, decimal, isMultiple, isPositive, placesOf, toMultiple, toText } from '@pilotfish/core/money/decimal';
import { digits, type Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import { type PositionEvent, wordAfter } from '@pilotfish/core/positions/position-machine';
import type { ClosedPosition, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { AppContext } from '../app/context.ts';
import type { Handlers, Origin } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { sellPrice } from '../market/sell-price.ts';
import type { BookPosition } from './position-book.ts';
import type { Look, PositionReader } from './position-reader.ts';
import type { PositionsService } from './positions-service.ts';

type Parts = {
  readonly service: PositionsService;
  readonly positions: PositionReader;
  readonly market: Market;
  readonly answerOf: (look: Look, id: string) => Promise<OpenPosition | ClosedPosition>;
  /** Market time, ms: what trades are dated by. */
  readonly venueNow: () => number;
};
type ConflictKey = 'alreadyClosed' | 'alreadyOpen' | 'notReopened' | 'laterOpen' | 'noPrice';
type Actions = Pick<Handlers, 'setPositionBroken' | 'setTargetPrice' | 'setPositionClosed' | 'setPositionOpen' | 'setPositionExcluded'>;

/** What a person says of a position. Everything is written beside the ledger and into the audit log, and can be taken back. */
export function positionActions(context: AppContext, { service, positions, market, answerOf, venueNow }: Parts): Actions {
  const { audit, now, stream, texts } = context;

  /** What the position's machine makes of it. What it does not take is refused with a reason, or was so already. */
  async function say(
    { account, language, origin }: { account: { id: string }; language: Language; origin: Origin },
    { look, of }: { look: Look; of: BookPosition },
    action: string,
    event: PositionEvent,
    refused?: ConflictKey,
  ): Promise<OpenPosition | ClosedPosition> {
    const word = wordAfter(look.stateOf(of), event);
    if (word === undefined) {
      if (refused === undefined) return answerOf(look, of.id);
      throw conflict(language, refused);
    }
    const { symbol, baseAsset, key, openedAt } = of.position;
    await service.overrides.save(account.id, { symbol, entryId: key, entryAt: openedAt, ...of.override, ...word }, now());
    service.books.touch(account.id, [baseAsset]);
    await audit.record({ accountId: account.id, action, target: of.id, origin });
    stream.publish('positions', { symbols: [symbol] }, account.id);
    return answerOf(await positions.look(account.id, language), of.id);
  }

  const conflict = (language: Language, key: ConflictKey): AppError =>
    new AppError('conflict', { detail: texts.text(language, `positions.conflict.${key}`) });

  /** @throws AppError `filter-violated` that names the nearest prices the exchange takes */
  function checkTick(symbol: string, price: Price, language: Language): void {
    const filters = market.pair(symbol)?.filters;
    if (filters === undefined) return;
    const tick = decimal(filters.tickSize);
    if (!isPositive(tick) || isMultiple(decimal(price), tick)) return;
    const lower = toMultiple(decimal(price), tick, 'down');
    const nearest = [...(isPositive(lower) ? [lower] : []), add(lower, tick)];
    const message = texts.text(language, 'positions.invalid.tick', {
      limit: nearest.map((each) => formatPrice(each, placesOf(tick))).join('; '),
      tick: formatPrice(tick, placesOf(tick)),
    });
    throw new AppError('filter-violated', {
      detail: message,
      fields: [{ path: 'targetPrice', code: 'tick', message, limit: nearest.map(toText).join(', '), actual: digits(price) }],
    });
  }

  const find = ({ account, params, language }: { account: { id: string }; params: { id: string }; language: Language }) =>
    positions.find(account.id, params.id, language);

  return {
    setPositionBroken: async (call) => {
      const found = await find(call);
      const { broken, text } = call.body;
      if (!broken) return say(call, found, 'position.broken', { type: 'position.mended' });
      const isMarked = found.look.stateOf(found.of).context.word.brokenText !== null;
      return say(call, found, 'position.broken', { type: isMarked ? 'mark.reworded' : 'position.marked', text: text?.trim() ?? '' });
    },
    setPositionExcluded: async (call) =>
      say(call, await find(call), 'position.excluded', { type: call.body.excluded ? 'position.excluded' : 'position.included' }),
    setTargetPrice: async (call) => {
      const found = await find(call);
      const { position } = found.of;
      if (position.closedAt !== null) throw conflict(call.language, 'alreadyClosed');
      const { targetPrice } = call.body;
      if (targetPrice !== null) checkTick(position.symbol, targetPrice, call.language);
      const event: PositionEvent =
        targetPrice === null ? { type: 'target.cleared' } : { type: 'target.set', price: toText(decimal(targetPrice)) };
      return (await say(call, found, 'position.target', event)) as OpenPosition;
    },
    setPositionClosed: async (call) => {
      const found = await find(call);
      const { look, of } = found;
      const { position } = of;
      const { remainder } = call.body;
      const split: PositionEvent = { type: 'reopening.undone' };
      const state = look.stateOf(of);
      const holdsNothingAgain = !state.context.holds && state.can(split);
      if (remainder === 'split' || holdsNothingAgain)
        return (await say(
          call,
          found,
          'position.split',
          split,
          position.closedAt === null ? 'notReopened' : 'alreadyClosed',
        )) as ClosedPosition;
      const price = remainder === 'at-market' ? sellPrice(market, position.symbol) : decimal('0');
      if (price === null) throw conflict(call.language, 'noPrice');
      // Never before what has happened already, by whatever clock that was dated.
      const at = Math.max(venueNow(), position.lastAt);
      const closing = { at, remainder, price: toText(price) };
      return (await say(call, found, 'position.closed', { type: 'position.closed', closing }, 'alreadyClosed')) as ClosedPosition;
    },
    // What was sold since a closing by hand may have been of it: then it is closed all the same.
    setPositionOpen: async (call) => {
      const found = await find(call);
      const isOpen = found.of.position.closedAt === null;
      return say(call, found, 'position.reopened', { type: 'position.reopened' }, isOpen ? 'alreadyOpen' : 'laterOpen');
    },
  };
}
