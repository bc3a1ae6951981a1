import { clientOrderIdFor, positionIdFor } from '../auto-trades/position-ids.ts';
import type { PositionSettings } from '../auto-trades/position-state.ts';
import { isoText } from '../auto-trades/position-traces.ts';
import type { Trace, TraceFacts, TraceKind } from '../auto-trades/trace.ts';
import { toText } from '../money/decimal.ts';
import { COST_PLACES, costText, roundDivide, type Scales, textOf } from './quick-scales.ts';

/** The market at a decision, in units of the price; `at` in venue ms. */
export type QuickMoment = { at: number; price: number; bid: number; ask: number };
/** What was executed: lots at a price, the value and the fee of it. */
export type QuickFill = {
  readonly lots: number;
  readonly price: number;
  readonly value: number;
  readonly fee: number;
  /** In units of fees. */
  readonly feeInQuote: bigint;
  readonly tradeId: number;
};

/** Writes the traces of a quick run; the rows are those of `position-traces.ts`. */
export function createQuickTraces(scales: Scales, settings: PositionSettings, baseAsset: string) {
  const rows: Trace[] = [];
  const { distancePct } = settings.config.trailingCost;
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
  const orderId = (number: number, step: number): string => clientOrderIdFor(idOf(number), step, 0);

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

  return {
    rows,
    entry(number: number, step: number, reason: string, moment: QuickMoment, after: TraceFacts): void {
      row(number, 'Entry', reason, moment, moment.price, {}, after, { clientOrderId: orderId(number, step) });
    },
    bought(number: number, step: number, moment: QuickMoment, fill: QuickFill, average: string, position: number): void {
      const id = orderId(number, step);
      row(
        number,
        'Buy',
        'Entry',
        moment,
        fill.price,
        { averageCost: null, position: '0' },
        {
          quantity: textOf(fill.lots, scales.lot),
          quoteQuantity: money(fill.value),
          fee: held(fill.fee),
          feeAsset: baseAsset,
          feeInQuote: feeText(fill.feeInQuote),
          averageCost: average,
          position: held(position),
          level: 0,
        },
        { orderId: id, clientOrderId: id, tradeId: String(fill.tradeId) },
      );
    },
    sold(
      number: number,
      step: number,
      reason: string,
      moment: QuickMoment,
      fill: QuickFill,
      before: { readonly averageCost: string; readonly position: number },
      after: { readonly matchedCost: bigint; readonly realised: bigint; readonly position: number; readonly level: number | null },
    ): void {
      const id = orderId(number, step);
      const fee = money(fill.fee);
      row(
        number,
        'Sell',
        reason,
        moment,
        fill.price,
        { averageCost: before.averageCost, position: held(before.position) },
        {
          quantity: textOf(fill.lots, scales.lot),
          quoteQuantity: money(fill.value),
          fee,
          feeAsset: settings.quoteAsset,
          feeInQuote: fee,
          matchedCost: costText(after.matchedCost),
          realised: costText(after.realised),
          position: held(after.position),
          level: after.level,
        },
        { orderId: id, clientOrderId: id, tradeId: String(fill.tradeId) },
      );
    },
    /** `line` and `peak` NaN: it is drawn for the first time. */
    movedUp(number: number, moment: QuickMoment, averageCost: string, line: number, peak: number, next: number): void {
      const drawn = !Number.isNaN(line);
      row(
        number,
        'CostMovedUp',
        drawn ? 'Raised' : 'Armed',
        moment,
        moment.price,
        { line: drawn ? price(line) : null, peak: drawn ? price(peak) : null, averageCost },
        { line: price(next), peak: price(moment.price), distancePct, reference: 'position', averageCost },
        {},
      );
    },
    expired(
      number: number,
      reason: string,
      moment: QuickMoment,
      line: number,
      peak: number,
      ageMs: number,
      next: string,
      averageCost: string,
    ): void {
      row(
        number,
        'TrailingCostExpired',
        reason,
        moment,
        moment.price,
        { line: price(line), peak: price(peak) },
        { line: null, ageMs, next, averageCost },
        {},
      );
    },
    /** `first` 0: nothing was bought. */
    exit(
      number: number,
      reason: string,
      moment: QuickMoment,
      position: {
        readonly quantity: number;
        readonly cost: bigint;
        readonly realised: bigint;
        readonly fees: bigint;
        readonly durationMs: number;
        readonly first: number;
        readonly most: number;
        readonly least: number;
      },
    ): void {
      const quantity = held(position.quantity);
      const cost = toText({ units: position.cost, scale: COST_PLACES });
      const { first } = position;
      row(
        number,
        'Exit',
        reason,
        moment,
        moment.price,
        { quantity, cost },
        {
          realised: costText(position.realised),
          fees: feeText(position.fees),
          durationMs: position.durationMs,
          favourablePct: first > 0 ? percent(position.most, first) : null,
          adversePct: first > 0 ? percent(position.least, first) : null,
          dust: quantity,
          dustCost: cost,
          ...(position.quantity === 0 ? {} : { dustPolicy }),
        },
        {},
      );
    },
  };
}
export type QuickTraces = ReturnType<typeof createQuickTraces>;
