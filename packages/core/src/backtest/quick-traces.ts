import { clientOrderIdFor, positionIdFor } from '../auto-trades/position-ids.ts';
import type { PositionSettings } from '../auto-trades/position-state.ts';
import { isoText } from '../auto-trades/position-traces.ts';
import type { Trace, TraceFacts, TraceKind } from '../auto-trades/trace.ts';
import { toText } from '../money/decimal.ts';
import { digits } from '../money/figure.ts';
import { costText, roundDivide, type Scales, textOf } from './quick-scales.ts';

/** The market at a decision, in units of the price; `at` in venue ms. */
export type QuickMoment = { at: number; price: number; bid: number; ask: number };
/** What was executed: lots at a price, the value and the fee of it. */
export type QuickFill = {
  readonly lots: number;
  readonly price: number;
  readonly value: number;
  readonly fee: number;
  readonly tradeId: number;
};

/** What is known when an entry is decided, in units of the prices, lots and money. `trigger` 0: no low was followed. */
export type QuickEntryFacts = {
  readonly reason: string;
  readonly spread: number;
  /** NaN: no look-back window. */
  readonly high: number;
  readonly trigger: number;
  readonly low: number;
  readonly lots: number;
  readonly limit: number;
  readonly satoshis: number;
  readonly reserve: number;
  /** Place among the slots of the bot. */
  readonly slot: number;
  readonly step: number;
  /** What conditions saw. */
  readonly observed: TraceFacts | null;
  /** Dust that joins the position, at its cost. */
  readonly carried: number;
  readonly carriedCost: bigint;
  /** The rebuys that were planned; undefined: none. */
  readonly ladder: (() => string) | undefined;
};

/** What names an order of a position. */
type QuickOrderName = { readonly step: number; readonly attempt: number };

/** An average cost that becomes text when somebody reads it, once. */
export type QuickAverage = () => string;

/** The rows of a run: of all its coins, in order, written when they are asked for. */
export function createQuickRows() {
  const rows: Trace[] = [];
  let unwritten: (() => void)[] = [];
  return {
    rows,
    later(write: () => void): void {
      unwritten.push(write);
    },
    get all(): readonly Trace[] {
      for (const write of unwritten) write();
      unwritten = [];
      return rows;
    },
  };
}
export type QuickRows = ReturnType<typeof createQuickRows>;

/** Remembers the traces of one coin of a quick run; they are those of `position-traces.ts`. */
export function createQuickTraces(sheet: QuickRows, scales: Scales, settings: PositionSettings, baseAsset: string) {
  const { rows } = sheet;
  const { entry } = settings.config;
  const distancePct = digits(settings.config.trailingCost.distancePct);
  const dustPolicy = settings.config.dust.policy;
  let positionId = '';
  let known = 0;

  const price = (units: number): string => textOf(units, scales.price);
  const held = (units: number): string => textOf(units, scales.held);
  const money = (units: number): string => textOf(units, scales.money);
  const feeText = (units: bigint): string => toText({ units, scale: scales.fees });
  function idOf(number: number): string {
    if (known !== number) {
      positionId = positionIdFor(settings.autoTradeId, settings.runNo, settings.symbol, number);
      known = number;
    }
    return positionId;
  }
  /** An order and its execution share an id. */
  let knownOrder = '';
  let knownNumber = 0;
  let knownStep = 0;
  let knownAttempt = 0;
  function orderId(number: number, { step, attempt }: QuickOrderName): string {
    if (knownNumber !== number || knownStep !== step || knownAttempt !== attempt) {
      knownOrder = clientOrderIdFor(idOf(number), step, attempt);
      knownNumber = number;
      knownStep = step;
      knownAttempt = attempt;
    }
    return knownOrder;
  }

  function row(
    number: number,
    kind: TraceKind,
    reason: string,
    moment: QuickMoment,
    own: number,
    before: TraceFacts,
    after: TraceFacts,
    ids: Pick<Trace, 'orderId' | 'clientOrderId' | 'tradeId'>,
  ): void {
    rows.push({
      autoTradeId: settings.autoTradeId,
      runNo: settings.runNo,
      positionId: idOf(number),
      kind,
      symbol: settings.symbol,
      at: isoText(moment.at),
      price: price(own),
      bid: price(moment.bid),
      ask: price(moment.ask),
      configVersion: settings.configVersion,
      reason,
      before,
      after,
      ...ids,
      mode: settings.mode,
      seq: rows.length + 1,
    });
  }
  const percent = (value: number, base: number): string => (base === 0 ? '0' : textOf(roundDivide((value - base) * 1_000_000, base), 4));

  /** What stays of a moment, which is the same object each time. */
  const kept = ({ at, price, bid, ask }: QuickMoment): QuickMoment => ({ at, price, bid, ask });

  return {
    entry(number: number, now: QuickMoment, facts: QuickEntryFacts): void {
      const moment = kept(now);
      sheet.later(() => {
        const { high, trigger, low, limit, satoshis } = facts;
        const after = {
          ...facts.observed,
          spreadPct: textOf(facts.spread, 4),
          ...(Number.isNaN(high) ? {} : { high: price(high) }),
          ...(trigger > 0 ? { trigger: price(trigger), low: price(low) } : {}),
          slot: facts.slot,
          slots: settings.config.maxOpenPositions,
          reserved: textOf(facts.reserve, scales.wallet),
          orderType: entry.order.type,
          quantity: textOf(facts.lots, scales.lot),
          limitPrice: limit > 0 ? price(limit) : null,
          predictedFee: toText({ units: BigInt(satoshis) * BigInt(scales.takerFee), scale: 8 + scales.fee }),
          ...(facts.ladder ? { ladder: facts.ladder() } : {}),
          ...(facts.carried > 0 ? { carriedQuantity: held(facts.carried), carriedCost: costText(facts.carriedCost) } : {}),
        };
        const ids = { clientOrderId: orderId(number, { step: facts.step, attempt: 0 }) };
        row(number, 'Entry', facts.reason, moment, moment.price, {}, after, ids);
      });
    },
    /** `level` 0: the entry; `before.average` null: nothing was held. */
    bought(
      number: number,
      order: QuickOrderName,
      now: QuickMoment,
      fill: QuickFill & { /** In units of fees. */ readonly feeInQuote: bigint },
      before: { readonly average: QuickAverage | null; readonly position: number },
      after: { readonly average: QuickAverage; readonly position: number; readonly level: number },
    ): void {
      const moment = kept(now);
      const { average, position, level } = after;
      sheet.later(() => {
        const id = orderId(number, order);
        const facts = {
          quantity: textOf(fill.lots, scales.lot),
          quoteQuantity: money(fill.value),
          fee: held(fill.fee),
          feeAsset: baseAsset,
          feeInQuote: feeText(fill.feeInQuote),
          averageCost: average(),
          position: held(position),
          level,
        };
        const ids = { orderId: id, clientOrderId: id, tradeId: String(fill.tradeId) };
        const was = { averageCost: before.average?.() ?? null, position: held(before.position) };
        row(number, 'Buy', level > 0 ? 'Rebuy' : 'Entry', moment, fill.price, was, facts, ids);
      });
    },
    sold(
      number: number,
      order: QuickOrderName,
      reason: string,
      now: QuickMoment,
      fill: QuickFill,
      before: { readonly average: QuickAverage; readonly position: number },
      after: { readonly matchedCost: bigint; readonly realised: bigint; readonly position: number; readonly level: number | null },
    ): void {
      const moment = kept(now);
      sheet.later(() => {
        const id = orderId(number, order);
        const fee = money(fill.fee);
        const facts = {
          quantity: textOf(fill.lots, scales.lot),
          quoteQuantity: money(fill.value),
          fee,
          feeAsset: settings.quoteAsset,
          feeInQuote: fee,
          matchedCost: costText(after.matchedCost),
          realised: costText(after.realised),
          position: held(after.position),
          level: after.level,
        };
        const ids = { orderId: id, clientOrderId: id, tradeId: String(fill.tradeId) };
        row(number, 'Sell', reason, moment, fill.price, { averageCost: before.average(), position: held(before.position) }, facts, ids);
      });
    },
    /** `line` and `peak` NaN: it is drawn for the first time. */
    movedUp(number: number, now: QuickMoment, average: QuickAverage, line: number, peak: number, next: number): void {
      const moment = kept(now);
      sheet.later(() => {
        const drawn = !Number.isNaN(line);
        const averageCost = average();
        const before = { line: drawn ? price(line) : null, peak: drawn ? price(peak) : null, averageCost };
        const after = { line: price(next), peak: price(moment.price), distancePct, reference: 'position', averageCost };
        row(number, 'CostMovedUp', drawn ? 'Raised' : 'Armed', moment, moment.price, before, after, {});
      });
    },
    /** `own`: the price of the row, which is that of a fill when a buy ends the line. */
    expired(
      number: number,
      reason: string,
      now: QuickMoment,
      own: number,
      line: number,
      peak: number,
      ageMs: number,
      next: string,
      average: QuickAverage,
    ): void {
      const moment = kept(now);
      sheet.later(() => {
        const after = { line: null, ageMs, next, averageCost: average() };
        row(number, 'TrailingCostExpired', reason, moment, own, { line: price(line), peak: price(peak) }, after, {});
      });
    },
    /** `first` 0: nothing was bought. */
    exit(
      number: number,
      reason: string,
      now: QuickMoment,
      position: {
        readonly quantity: number;
        readonly cost: bigint;
        readonly realised: bigint;
        readonly fees: bigint;
        readonly durationMs: number;
        readonly first: number;
        readonly most: number;
        readonly least: number;
        readonly facts: TraceFacts | null;
      },
    ): void {
      const moment = kept(now);
      sheet.later(() => {
        const quantity = held(position.quantity);
        const cost = costText(position.cost);
        const { first } = position;
        const after = {
          realised: costText(position.realised),
          fees: feeText(position.fees),
          durationMs: position.durationMs,
          favourablePct: first > 0 ? percent(position.most, first) : null,
          adversePct: first > 0 ? percent(position.least, first) : null,
          dust: quantity,
          dustCost: cost,
          ...(position.quantity === 0 ? {} : { dustPolicy }),
          ...position.facts,
        };
        row(number, 'Exit', reason, moment, moment.price, { quantity, cost }, after, {});
      });
    },
  };
}
export type QuickTraces = ReturnType<typeof createQuickTraces>;
