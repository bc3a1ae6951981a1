import * as z from 'zod';
import { id, isoTime, price, symbol, tradeMode } from '../http/wire.ts';
import { type ExitReason, exitReason } from './exit-reason-contract.ts';

/** The six trace kinds. Everything else a bot says is a log line. */
export const TRACE_KINDS = ['Entry', 'Buy', 'CostMovedUp', 'TrailingCostExpired', 'Sell', 'Exit'] as const;
export const traceKind = z.enum(TRACE_KINDS);
export type TraceKind = z.infer<typeof traceKind>;

export { type ExitReason, exitReason };

export const expiryReason = z.enum(['Timeout', 'BelowFloor', 'Rebased', 'DataGap', 'ConfigChanged', 'Disabled']);
export type ExpiryReason = z.infer<typeof expiryReason>;

const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type TraceFacts = z.infer<typeof facts>;

/**
 * An immutable row: what the bot did and the figures it acted on. `reason` is a stable code with a text of its own
 * (`traces.<kind>.<reason>`), filled with `before`, `after` and `facts`.
 */
export const traceSchema = z.object({
  /** Position of the row in its run; gapless per bot. */
  seq: z.int(),
  autoTradeId: id,
  runNo: z.int(),
  positionId: id,
  kind: traceKind,
  symbol,
  /** Venue time. */
  at: isoTime,
  price: price(),
  bid: price(),
  ask: price(),
  configVersion: z.int(),
  reason: z.string(),
  before: facts,
  after: facts,
  orderId: z.string().optional(),
  clientOrderId: z.string().optional(),
  tradeId: z.string().optional(),
  mode: tradeMode,
});
export type Trace = z.infer<typeof traceSchema>;

/** A stored trace: with its row id and the wall-clock time of writing. */
export const storedTraceSchema = traceSchema.extend({ id, recordedAt: isoTime });
export type StoredTrace = z.infer<typeof storedTraceSchema>;
