import { AppError } from '@pilotfish/core/http/problem';
import { decimal } from '@pilotfish/core/money/decimal';
import { dailyPerformance } from '@pilotfish/core/positions/daily-performance';
import { heldTotals } from '@pilotfish/core/positions/held-totals';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Market } from '../market/market.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import type { CandleReader } from '../prices/candle-reader.ts';
import { breakageNotices } from './breakage-notices.ts';
import { brokenCodes, brokenOf } from './broken-reasons.ts';
import { recalculate } from './calculation.ts';
import { closedPositions } from './closed-answer.ts';
import type { BotFills } from './closed-list.ts';
import type { BotsEnded } from './closed-on-paper.ts';
import { dayCloses, daysBetween } from './day-closes.ts';
import { type BotsHeld, botRow, handRow } from './held-list.ts';
import type { LedgerStore } from './ledger-store.ts';
import { overviewOf } from './overview.ts';
import { pageOf } from './page.ts';
import { type PaperFills, pairFills } from './pair-fills.ts';
import { positionActions } from './position-actions.ts';
import { nameUuid } from './position-id.ts';
import { type Look, positionReader } from './position-reader.ts';
import { totalsOf } from './position-totals.ts';
import { toClosedPosition, toOpenPosition, type Valued } from './position-view.ts';
import type { PositionsService } from './positions-service.ts';
import { sparklines } from './sparklines.ts';
import { amount, amountOrNull } from './wire-amount.ts';

export type PositionRouteParts = {
  readonly service: PositionsService;
  readonly market: Market;
  readonly reader: CandleReader;
  /** What the account's bots hold, live or on paper. */
  readonly botsHeld: BotsHeld;
  /** What ended of the account's bots on paper. */
  readonly botsEnded: BotsEnded;
  /** The account's bots and the fills that they brought about. */
  readonly botFills: BotFills;
  readonly ledger: Pick<LedgerStore, 'newestTrades'>;
  /** The newest fills of the account's bots on paper. */
  readonly paperFills: PaperFills;
};

/** Positions over HTTP: parse, look, answer. */
export function positionsFeature(
  context: AppContext,
  { service, market, reader, botsHeld, botsEnded, botFills, ledger, paperFills }: PositionRouteParts,
): Feature {
  const { now, texts } = context;
  const { books, sync } = service;
  const positions = positionReader(context, service, market);
  const breakages = breakageNotices(context, async (accountId) => {
    if (!market.loaded || sync.isRunning(accountId)) return undefined;
    const { book, facts } = await positions.look(accountId, 'en');
    const found = book.positions.flatMap((of) => brokenCodes(of, facts).map((code) => ({ of, code })));
    return { found, mismatched: facts.compared && new Set(facts.compared.differences.keys()) };
  });
  service.onChange(breakages.poke);
  context.accountExtras.beforeDelete.push(async (accountId) => breakages.forget(accountId));
  const closesOf = sparklines(reader, { asOf: () => market.asOf, now });
  const overview = overviewOf({ books, market });

  const iso = (at: number): string => new Date(at).toISOString();
  const venueNow = (): number => market.asOf || now();
  const openOf = (look: Look): Valued[] => look.book.positions.filter(({ position }) => position.closedAt === null).map(look.valued);

  const answerOf = async (look: Look, id: string) => {
    const of = look.book.byId.get(id);
    if (of === undefined) throw new AppError('not-found');
    const valued = look.valued(of);
    if (of.position.closedAt !== null) return toClosedPosition(valued, look);
    return toOpenPosition(valued, (await closesOf([of.position.symbol])).get(of.position.symbol) ?? [], look);
  };
  const closed = closedPositions(texts, {
    positions,
    botFills,
    botsEnded,
    timeZoneOf: (accountId) => timeZoneOf(context.database.queries, accountId),
  });
  const fillsIn = pairFills({ ledger, botFills, paperFills, log: context.log });
  const actions = positionActions(context, { service, positions, market, answerOf, venueNow });

  return {
    handlers: {
      ...actions,
      listOpenPositions: async ({ account, language }) => {
        const look = await positions.look(account.id, language);
        const open = openOf(look);
        const lines = await closesOf(open.map(({ of }) => of.position.symbol));
        return {
          items: open.map((valued) => toOpenPosition(valued, lines.get(valued.of.position.symbol) ?? [], look)),
          totals: totalsOf(open, look.standing),
          asOf: iso(venueNow()),
        };
      },
      listHeldPositions: async ({ account, language, query: { mode } }) => {
        const bots = await botsHeld(account.id, mode);
        const look = mode === 'live' ? await positions.look(account.id, language) : undefined;
        const ledger = look ? openOf(look) : [];
        const lines = await closesOf([...bots.map(({ symbol }) => symbol), ...ledger.map(({ of }) => of.position.symbol)]);
        const byHand = ledger.flatMap((valued) => {
          const { symbol } = valued.of.position;
          const own = bots.filter((bot) => bot.symbol === symbol);
          return (look && handRow(valued, own, look, lines.get(symbol) ?? [])) ?? [];
        });
        const items = [...bots.map((held) => botRow(held, market, lines.get(held.symbol) ?? [])), ...byHand];
        return { items, totals: heldTotals(items), asOf: iso(venueNow()) };
      },
      listClosedPositions: ({ account, language, query }) => closed(account.id, language, query),
      getPositionsOverview: async ({ account, language }) =>
        overview.summary(account.id, await positions.look(account.id, language), venueNow()),
      getMonthlyOverview: async ({ account, language }) => overview.months(account.id, await positions.look(account.id, language)),
      getDailyPerformance: async ({ account, language, params }) => {
        const { look, of } = await positions.find(account.id, params.id, language);
        const { position } = await books.withLines(account.id, of);
        const days = daysBetween(position.openedAt, position.closedAt ?? Math.max(venueNow(), position.lastAt), look.timeZone);
        const lastTrade = position.lines.findLast(({ trade }) => trade !== null)?.trade;
        const closeOf = await dayCloses(
          reader,
          position.symbol,
          days,
          position.closedAt === null ? look.valued(of).price : null,
          decimal(lastTrade?.price ?? '0'),
        );
        const names = days.map(({ day }) => day);
        return dailyPerformance(position, names, look.dayOf, closeOf).map(({ day, pnl, returnPct, value, interpolated }) => ({
          day,
          timeZone: look.timeZone,
          pnl: amount(pnl),
          returnPct: amount(returnPct),
          value: amount(value),
          interpolated,
        }));
      },
      listPositionTransactions: async ({ account, language, params, query }) => {
        const { of } = await positions.find(account.id, params.id, language);
        const { position, entries } = await books.withLines(account.id, of);
        const sources = new Map(entries.map((entry) => [entry.id, entry.source]));
        const { items, ...rest } = pageOf([...position.lines.entries()].reverse(), query);
        return {
          items: items.map(([index, line]) => ({
            id: nameUuid('line', of.id, line.entryId, String(index)),
            at: iso(line.at),
            kind: line.detail ?? line.kind,
            asset: position.baseAsset,
            change: amount(line.change),
            cost: amountOrNull(line.amount),
            source: line.kind === 'closed' ? 'user' : (sources.get(line.entryId) ?? 'user'),
          })),
          ...rest,
        };
      },
      listPositionTrades: async ({ account, language, params, query }) => {
        const { of } = await positions.find(account.id, params.id, language);
        const { position } = await books.withLines(account.id, of);
        const fills = position.lines.flatMap(({ trade, realised }) => (trade === null ? [] : [{ trade, realised }])).reverse();
        const { items, ...rest } = pageOf(fills, query);
        return {
          items: items.map(({ trade, realised }) => ({
            tradeId: trade.tradeId ?? trade.id,
            orderId: trade.orderId,
            symbol: trade.symbol,
            side: trade.side,
            price: trade.price,
            quantity: trade.quantity,
            quoteQuantity: trade.quoteQuantity,
            fee: trade.fee,
            feeAsset: trade.feeAsset,
            feeInQuote:
              trade.feeUnknown === true
                ? null
                : trade.feeAsset === trade.quoteAsset
                  ? trade.fee
                  : trade.feeAsset === trade.baseAsset
                    ? null
                    : trade.feeInQuote,
            realised: amountOrNull(realised),
            at: iso(trade.at),
          })),
          ...rest,
        };
      },
      listPairFills: ({ account, query }) => fillsIn(account.id, query),
      calculatePosition: async ({ account, language, params, origin }) => {
        const before = await positions.find(account.id, params.id, language);
        if (!before.look.stateOf(before.of).can({ type: 'calculation.started' }))
          throw new AppError('conflict', { detail: texts.text(language, 'positions.conflict.calculating') });
        const figures = before.look.valued(before.of).figures;
        const { position } = before.of;
        positions.calculating.add(before.of.id);
        const done = await recalculate(service, market, account.id, before.of).finally(() => positions.calculating.delete(before.of.id));
        await context.audit.record({ accountId: account.id, action: 'position.calculate', target: params.id, origin });
        const look = await positions.look(account.id, language);
        // An earlier trade may have come and opened it now: it is the one that holds the entry it was opened by.
        const after =
          look.book.byId.get(params.id) ??
          look.book.positions.findLast(
            ({ position: each }) =>
              each.symbol === position.symbol && each.openedAt <= position.openedAt && (each.closedAt ?? Infinity) >= position.openedAt,
          );
        const result = after && look.valued(after).figures;
        return {
          averageCostBefore: amountOrNull(figures.averageCost),
          averageCostAfter: amountOrNull(result?.averageCost ?? null),
          realisedBefore: position.reasons.size === 0 ? amount(position.realised) : null,
          realisedAfter: after === undefined || after.position.reasons.size > 0 ? null : amount(after.position.realised),
          tradesAdded: done.added,
          tradesRemoved: done.removed,
          broken: after === undefined ? [] : brokenOf(after, look),
        };
      },
      getSyncStatus: ({ account, language }) => service.syncStatus(account.id, language),
      startSync: async ({ account, body, language, origin }) => {
        await service.accountOf(account.id);
        const unknown = body.symbols.findIndex((symbol) => market.loaded && market.pair(symbol) === undefined);
        if (unknown !== -1) {
          const symbol = body.symbols[unknown]!;
          const message = texts.text(language, 'positions.invalid.symbol', { symbol });
          throw new AppError('invalid', { fields: [{ path: `symbols.${unknown}`, code: 'unknown_symbol', message, actual: symbol }] });
        }
        await sync.start(account.id, { full: body.full, symbols: body.symbols });
        await context.audit.record({ accountId: account.id, action: 'positions.sync', target: body.full ? 'full' : 'new', origin });
        return service.syncStatus(account.id, language);
      },
    },
    start: service.start,
    stop: async () => {
      await breakages.stop();
      await service.stop();
    },
  };
}
