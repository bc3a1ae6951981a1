import { AppError } from '@pilotfish/core/http/problem';
import { add, decimal, isMultiple, isPositive, toMultiple, toText } from '@pilotfish/core/money/decimal';
import type { ClosedPosition, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { AppContext } from '../app/context.ts';
import type { Handlers, Origin } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import type { PositionOverride } from './overrides-store.ts';
import type { BookPosition } from './position-book.ts';
import type { Look, PositionReader } from './position-reader.ts';
import { sellPrice } from './position-view.ts';
import type { PositionsService } from './positions-service.ts';

type Parts = {
  readonly service: PositionsService;
  readonly positions: PositionReader;
  readonly market: Market;
  readonly answerOf: (look: Look, id: string) => Promise<OpenPosition | ClosedPosition>;
  /** Market time, ms: what trades are dated by. */
  readonly venueNow: () => number;
};
type Actions = Pick<Handlers, 'setPositionBroken' | 'setTargetPrice' | 'setPositionClosed' | 'setPositionOpen' | 'setPositionExcluded'>;

/** What a person says of a position. Everything is written beside the ledger and into the audit log, and can be taken back. */
export function positionActions(context: AppContext, { service, positions, market, answerOf, venueNow }: Parts): Actions {
  const { audit, now, stream, texts } = context;

  const overrideOf = ({ override, position }: BookPosition): PositionOverride =>
    override ?? {
      symbol: position.symbol,
      entryId: position.key,
      entryAt: position.openedAt,
      targetPrice: null,
      closing: null,
      excluded: false,
      brokenText: null,
    };

  async function say(
    { account, language, origin }: { account: { id: string }; language: Language; origin: Origin },
    of: BookPosition,
    action: string,
    change: Partial<PositionOverride>,
  ): Promise<OpenPosition | ClosedPosition> {
    await service.overrides.save(account.id, { ...overrideOf(of), ...change }, now());
    service.books.touch(account.id, [of.position.baseAsset]);
    await audit.record({ accountId: account.id, action, target: of.id, origin });
    stream.publish('positions', { symbols: [of.position.symbol] }, account.id);
    return answerOf(await positions.look(account.id, language), of.id);
  }

  const conflict = (language: Language, key: 'alreadyClosed' | 'notClosedByHand' | 'laterOpen' | 'noPrice'): AppError =>
    new AppError('conflict', { detail: texts.text(language, `positions.conflict.${key}`) });

  /** @throws AppError `filter-violated` that names the nearest prices the exchange takes */
  function checkTick(symbol: string, price: string, language: Language): void {
    const filters = market.pair(symbol)?.filters;
    if (filters === undefined) return;
    const tick = decimal(filters.tickSize);
    if (!isPositive(tick) || isMultiple(decimal(price), tick)) return;
    const lower = toMultiple(decimal(price), tick, 'down');
    const limit = [...(isPositive(lower) ? [lower] : []), add(lower, tick)].map(toText).join(', ');
    const message = texts.text(language, 'positions.invalid.tick', { limit, tick: filters.tickSize });
    throw new AppError('filter-violated', {
      detail: message,
      fields: [{ path: 'targetPrice', code: 'tick', message, limit, actual: price }],
    });
  }

  return {
    setPositionBroken: async (call) => {
      const { of } = await positions.find(call.account.id, call.params.id, call.language);
      return say(call, of, 'position.broken', { brokenText: call.body.broken ? (call.body.text?.trim() ?? '') : null });
    },
    setPositionExcluded: async (call) => {
      const { of } = await positions.find(call.account.id, call.params.id, call.language);
      return say(call, of, 'position.excluded', { excluded: call.body.excluded });
    },
    setTargetPrice: async (call) => {
      const { of } = await positions.find(call.account.id, call.params.id, call.language);
      if (of.position.closedAt !== null) throw conflict(call.language, 'alreadyClosed');
      const { targetPrice } = call.body;
      if (targetPrice !== null) checkTick(of.position.symbol, targetPrice, call.language);
      const text = targetPrice === null ? null : toText(decimal(targetPrice));
      return (await say(call, of, 'position.target', { targetPrice: text })) as OpenPosition;
    },
    setPositionClosed: async (call) => {
      const { of } = await positions.find(call.account.id, call.params.id, call.language);
      const { position } = of;
      if (position.closedAt !== null) throw conflict(call.language, 'alreadyClosed');
      const { remainder } = call.body;
      const price = remainder === 'at-market' ? sellPrice(market, position.symbol) : decimal('0');
      if (price === null) throw conflict(call.language, 'noPrice');
      // Never before what has happened already, by whatever clock that was dated.
      const at = Math.max(venueNow(), position.lastAt);
      return (await say(call, of, 'position.closed', { closing: { at, remainder, price: toText(price) } })) as ClosedPosition;
    },
    setPositionOpen: async (call) => {
      const { look, of } = await positions.find(call.account.id, call.params.id, call.language);
      const { position } = of;
      if (position.closedBy !== 'hand') throw conflict(call.language, 'notClosedByHand');
      const later = look.book.positions.some(
        ({ position: each }) =>
          each.symbol === position.symbol && each.number > position.number && (each.closedAt === null || each.closedBy === 'hand'),
      );
      if (later) throw conflict(call.language, 'laterOpen');
      // What was sold since may have been of it: then it is closed all the same.
      return say(call, of, 'position.reopened', { closing: null });
    },
  };
}
