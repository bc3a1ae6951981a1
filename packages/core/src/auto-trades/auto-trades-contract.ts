import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { fieldErrorSchema } from '../http/problem-document.ts';
import {
  amountText,
  id,
  idParams,
  isoTime,
  money,
  nothing,
  orderSide,
  pageOf,
  pageQuery,
  percent,
  price,
  quantity,
  ratio,
  symbol,
  tradeMode,
} from '../http/wire.ts';
import { marketSource } from '../prices/prices-contract.ts';
import { disabling, enabling } from './bot-switch-contract.ts';
import { autoTradeConfigSchema } from './config/auto-trade-config.ts';
import type { PositionState } from './position/auto-trade-position-machine.ts';
import { storedTraceSchema, traceKind } from './trace.ts';

/** The states of the bot's machine, by the names the user sees. */
export const autoTradeState = z.enum(['Draft', 'Disabled', 'Running', 'Paused', 'Blocked', 'Halted', 'Deleted']);
/** The names users see for the states of a position's machine. */
export const POSITION_STATE_NAMES = {
  watching: 'Watching',
  trailingEntry: 'TrailingEntry',
  entryPending: 'EntryPending',
  open: 'Open',
  protected: 'Protected',
  adding: 'Adding',
  reducing: 'Reducing',
  exitPending: 'ExitPending',
  closed: 'Closed',
  needsAttention: 'NeedsAttention',
  detached: 'Detached',
} as const satisfies Record<PositionState, string>;
export const autoTradePositionState = z.enum(POSITION_STATE_NAMES);

/** What a person may ask of a bot, in the order it is offered: `allowed-actions.ts`. */
export const botAction = z.enum(['acknowledge', 'enable', 'resume', 'unfreeze', 'disable', 'freeze', 'reset', 'delete', 'halt']);
export type BotAction = z.infer<typeof botAction>;
/** What a person may ask of one position of a bot. */
export const botPositionAction = z.enum(['resume', 'carryOver', 'sell', 'detach', 'target', 'levels']);
export type BotPositionAction = z.infer<typeof botPositionAction>;

/** What a machine would take and the keys do not allow; `reason` is the code of its refusal. An older server sends none. */
export type Withheld<Action> = { action: Action; reason: string };
const withheld = <Action extends z.ZodType>(action: Action) => z.array(z.object({ action, reason: z.string() })).default([]);

/** What one rung of the plan would buy, and what stands once it and all before it are bought: older servers do not tell that. */
export const ladderRungSchema = z.object({
  symbol,
  level: z.int(),
  price: price(),
  quantity: quantity(),
  quote: money(),
  /** Paid up to then, and of it for one unit: entry fees included. */
  invested: money().optional(),
  averageCost: price().optional(),
  /** Where the stop sells all of it then, and what that loses: zero or more, with the fees of all orders. Null without a stop. */
  stopPrice: price().nullable().default(null),
  lossAtStop: money().nullable().default(null),
  /** The take-profit levels then, in their order; without an amount where one is too small alone and the next takes it along. */
  sells: z.array(z.object({ price: price(), quote: money().nullable() })).default([]),
});
/** A take-profit level as it would be sold once the entry alone is bought; `mergedInto` names the level that takes it along when it is too small alone. */
export const ladderExitSchema = z.object({
  symbol,
  level: z.int(),
  gainPct: percent(),
  price: price(),
  quantity: quantity(),
  quote: money(),
  mergedInto: z.int().nullable(),
});
export const ladderSchema = z.object({
  rungs: z.array(ladderRungSchema),
  exits: z.array(ladderExitSchema),
  /** Where the stop would sell each coin once every level is bought, and what that would lose: above zero, with the fees of all orders. */
  stops: z.array(z.object({ symbol, price: price(), loss: money() })),
  /** The most that all slots together could tie up. */
  worstCaseTotal: money(),
  /** What all slots together would lose at their stops, fees included; null without a stop. A gap can cost more. */
  worstLoss: money().nullable(),
  currency: z.string(),
});
export type EffectiveLadder = z.infer<typeof ladderSchema>;

export const autoTradeSchema = z.object({
  id,
  name: z.string(),
  state: autoTradeState,
  /** Why it is paused, blocked or halted: a stable code. */
  stateReason: z.string().nullable(),
  pausedUntil: isoTime.nullable(),
  /**
   * The pair whose row in the exchange's list cannot be read, and because of which no bot of the account is at work: no
   * entries and no exits. Older servers tell none.
   */
  unreadPair: symbol.nullable().optional(),
  /** While disabled: `continue` sells what is held by its rules, `freeze` sends no exit at all, no stop either. */
  exits: z.enum(['continue', 'freeze']),
  /** What may be asked of it now. */
  allowed: z.array(botAction),
  /** What would be allowed if the keys of its live wallet might trade; shown as disabled. */
  withheld: withheld(botAction),
  /** Its last run was halted: enabling it again must say so. */
  mustAcknowledge: z.boolean(),
  mode: tradeMode,
  exchange: marketSource,
  currency: z.string(),
  walletId: id,
  walletName: z.string(),
  config: autoTradeConfigSchema,
  configVersion: z.int(),
  runNo: z.int(),
  openPositions: z.int(),
  realised: money(),
  realisedToday: money(),
  lastTrace: storedTraceSchema.nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
});
export type AutoTrade = z.infer<typeof autoTradeSchema>;

/** A price at which a held position sells, buys or begins to protect, and what that does. Sums in the quote asset. */
export const positionLevelSchema = z.object({
  /** Stays the same while the level moves: `stopLoss`, `takeProfit-2`. */
  id: z.string(),
  kind: z.enum(['stopLoss', 'protectedCost', 'arm', 'target', 'takeProfit', 'rebuy']),
  /** Of take profits and rebuys: which one, from 1. */
  number: z.int().nullable(),
  price: price(),
  /** What is sold there; null where nothing is, and of a take profit too small to be sold alone: the next sells its share along. */
  quantity: quantity(amountText).nullable(),
  /** Of a take profit: its share, in percent of all that was bought. */
  sellPct: percent().nullable(),
  /** What a rebuy spends. */
  quote: money().nullable(),
  /** What that sale brings above the cost of what it sells, after the exit fee. */
  result: money().nullable(),
  /** Of the price at which the protected cost is drawn: percent below the high at which it follows. */
  distancePct: percent().nullable(),
});
export type PositionLevel = z.infer<typeof positionLevelSchema>;

/** One position of a bot, with the lines drawn on its chart. */
export const autoTradePositionSchema = z.object({
  id,
  symbol,
  runNo: z.int(),
  state: autoTradePositionState,
  /** State value of the machine, for drawing it. */
  machineState: z.string(),
  /** What may be asked of it now; nothing while its bot is not at work. */
  allowed: z.array(botPositionAction),
  /** What would be allowed if the keys of its bot's live wallet might trade; shown as disabled. */
  withheld: withheld(botPositionAction),
  attention: z.string().nullable(),
  /** Why no stop rests at the exchange that should, as a code: `-1013 MAX_NUM_ALGO_ORDERS`; null when one does, or none should. */
  stopRefused: z.string().nullable().default(null),
  /** With the attention `PRICE_JUMP`: when, both prices, and how many new coins an old one may have become. Older servers tell none. */
  jump: z.object({ at: isoTime, before: price(), price: price(), factor: ratio() }).nullable().optional(),
  openedAt: isoTime.nullable(),
  closedAt: isoTime.nullable(),
  exitReason: z.string().nullable(),
  quantity: quantity(amountText),
  invested: money(amountText),
  averageCost: price().nullable(),
  breakEven: price().nullable(),
  realised: money(),
  fees: money(),
  lines: z.object({
    trigger: price().nullable(),
    entryLow: price().nullable(),
    arm: price().nullable(),
    protectedCost: price().nullable(),
    peak: price().nullable(),
    stopLoss: price().nullable(),
    takeProfit: z.array(z.object({ price: price(), sellPct: percent(), done: z.boolean() })),
    /** Prices of the rebuys still to come. */
    rebuys: z.array(z.object({ level: z.int(), price: price() })),
    /** The owner's own target. */
    target: price().nullable(),
    /** The stop that rests at the exchange. */
    protectiveStop: price().nullable(),
    /** When the time stop sells. */
    timeStopAt: isoTime.nullable(),
    /** Which levels its owner moved by hand: `stop`, `trailingStart`, `takeProfit.1`. Older servers tell none. */
    moved: z.array(z.string()).default([]),
  }),
  /** Its levels to come with what each does, in no order; none while nothing is held. Older servers tell none. */
  levels: z.array(positionLevelSchema).optional(),
});
export type AutoTradePosition = z.infer<typeof autoTradePositionSchema>;

/** One rule of the last evaluation of a coin: what was seen, what it must be, and whether it held. */
export const ruleObservationSchema = z.object({
  rule: z.string(),
  observed: z.string().nullable(),
  limit: z.string().nullable(),
  pass: z.boolean(),
  /** What the exchange said, where that is the reason. */
  detail: z.string().optional(),
});
export const evaluationSchema = z.object({
  symbol,
  at: isoTime.nullable(),
  price: price().nullable(),
  state: autoTradePositionState,
  rules: z.array(ruleObservationSchema),
  /** The first rule that stopped it; null when nothing does. */
  stoppedBy: z.string().nullable(),
  /** What it waits for next, as a code with parameters; `detail` is what the exchange said. */
  waitsFor: z.object({ code: z.string(), price: price().nullable(), at: isoTime.nullable(), detail: z.string().optional() }).nullable(),
});
export type Evaluation = z.infer<typeof evaluationSchema>;

export const autoTradeDetailSchema = autoTradeSchema.extend({
  positions: z.array(autoTradePositionSchema),
  evaluations: z.array(evaluationSchema),
  ladder: ladderSchema,
  /** The coins it may enter now, in the order it picks them; those of its filters when it has some. */
  coins: z.array(symbol),
  /** Coins that it does not enter for a while, and why. */
  coinPauses: z.array(z.object({ symbol, until: isoTime, reason: z.string(), detail: z.string().optional() })),
  /** Kill switches of single coins in force for it. */
  coinHalts: z.array(z.object({ symbol, until: isoTime, reason: z.string() })),
});
export type AutoTradeDetail = z.infer<typeof autoTradeDetailSchema>;

export const autoTradeLogSchema = z.object({
  id,
  at: isoTime,
  positionId: id.nullable(),
  symbol: symbol.nullable(),
  code: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AutoTradeLog = z.infer<typeof autoTradeLogSchema>;

export const autoTradeFillSchema = z.object({
  tradeId: z.string(),
  orderId: z.string(),
  clientOrderId: z.string(),
  side: orderSide,
  price: price(),
  quantity: quantity(),
  quoteQuantity: money(),
  fee: quantity(),
  feeAsset: z.string(),
  at: isoTime,
});

const bff = { backend: 'bff', access: 'user' } as const;
const validateQuery = z.object({ validateOnly: z.stringbool().default(false) });
/** What would change, or has changed, for an open position that takes on new settings. */
export const positionChangeSchema = z.object({
  positionId: id,
  symbol,
  /** `stopLoss`, `takeProfit`, `protectedCost`, `rebuys`, `protectiveStop`, `timeStop`; `sellsNow`: sold at once at the price in `after`. */
  what: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** True where the owner had moved it by hand, and the new settings take it back. Older servers do not say it. */
  wasMoved: z.boolean().default(false),
});
export type PositionChange = z.infer<typeof positionChangeSchema>;

/** The saved bot, or, for `validateOnly`, every violated rule and the effective ladder. */
const saved = z.object({
  autoTrade: autoTradeSchema.nullable(),
  valid: z.boolean(),
  errors: z.array(fieldErrorSchema),
  ladder: ladderSchema.nullable(),
  /** For `applyToOpen`: the lines and orders of open positions that change. */
  changes: z.array(positionChangeSchema),
});

export const listAutoTrades = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades',
  summary: 'Bots',
  answer: z.array(autoTradeSchema),
});
export const getAutoTrade = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}',
  summary: 'One bot',
  params: idParams,
  answer: autoTradeSchema,
});
export const getAutoTradeDetail = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}/detail',
  summary: 'One bot with positions, ladder and the last evaluation of every coin',
  params: idParams,
  answer: autoTradeDetailSchema,
});
export const listAutoTradeTraces = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}/traces',
  summary: 'Traces, newest first',
  params: idParams,
  query: pageQuery.extend({ kind: traceKind.optional(), positionId: id.optional() }),
  answer: pageOf(storedTraceSchema),
});
export const listAutoTradeLogs = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}/logs',
  summary: 'Log lines, newest first',
  params: idParams,
  query: pageQuery,
  answer: pageOf(autoTradeLogSchema),
});
export const deleteAutoTradeLogs = endpoint({
  ...bff,
  method: 'DELETE',
  path: '/v2/auto-trades/{id}/logs',
  summary: 'Removes log lines; traces and trades stay',
  params: idParams,
  answer: nothing,
  status: 204,
});
const positionParams = z.object({ id, positionId: id });
export const listAutoTradePositionTrades = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}/positions/{positionId}/trades',
  summary: 'Fills of one position',
  params: positionParams,
  answer: z.array(autoTradeFillSchema),
});
export const listAutoTradePositionLogs = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}/positions/{positionId}/logs',
  summary: 'Traces and log lines of one position, oldest first',
  params: positionParams,
  answer: z.object({ traces: z.array(storedTraceSchema), logs: z.array(autoTradeLogSchema) }),
});
export const createAutoTrade = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades',
  summary: 'Saves a bot, disabled; validateOnly checks every rule without saving',
  query: validateQuery,
  body: autoTradeConfigSchema,
  answer: saved,
  idempotent: true,
  errors: ['rules-violated', 'name-taken'],
});
export const updateAutoTrade = endpoint({
  ...bff,
  method: 'PUT',
  path: '/v2/auto-trades/{id}',
  summary: 'Saves a new config version; open positions keep theirs unless applyToOpen',
  params: idParams,
  query: validateQuery.extend({
    version: z.coerce.number().int().optional(),
    applyToOpen: z.stringbool().default(false),
    /** Consent to settings by which a position that is held is sold at once. */
    sellNow: z.stringbool().default(false),
  }),
  body: autoTradeConfigSchema,
  answer: saved,
  errors: ['rules-violated', 'version-conflict', 'name-taken', 'would-sell-now', 'trading-disabled'],
});
export const enableAutoTrade = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/enable',
  summary: 'Reconciles, then starts looking for entries',
  params: idParams,
  body: enabling.default({ acknowledge: false, sellNow: false }),
  guards: ['version'],
  answer: autoTradeSchema,
  errors: ['not-ready', 'underfunded', 'not-connected', 'trading-disabled', 'would-sell-now', 'version-conflict'],
});
export const disableAutoTrade = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/disable',
  summary: 'No new entries; exits of open positions go on until flat, or freeze',
  params: idParams,
  body: disabling.default({ exits: 'continue', sellNow: false }),
  answer: autoTradeSchema,
  errors: ['would-sell-now'],
});
export const resetAutoTrade = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/{id}/reset',
  summary: 'Ends the run: clears anchors and cooldowns; trades and traces stay',
  params: idParams,
  body: z.object({ detach: z.boolean().default(false) }).default({ detach: false }),
  answer: autoTradeSchema,
  errors: ['not-disabled', 'order-in-flight', 'has-open-positions'],
});
export const deleteAutoTrade = endpoint({
  ...bff,
  method: 'DELETE',
  path: '/v2/auto-trades/{id}',
  summary: 'Deletes a flat bot; its traces stay',
  params: idParams,
  query: z.object({ detach: z.stringbool().default(false) }),
  answer: nothing,
  status: 204,
  errors: ['has-open-positions', 'order-in-flight'],
});
export const listAutoTradeVersions = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/{id}/versions',
  summary: 'Every version of the settings, newest first',
  params: idParams,
  answer: z.array(z.object({ version: z.int(), createdAt: isoTime, config: autoTradeConfigSchema })),
});
export const autoTradesContract = {
  listAutoTrades,
  getAutoTrade,
  getAutoTradeDetail,
  listAutoTradeTraces,
  listAutoTradeLogs,
  deleteAutoTradeLogs,
  listAutoTradePositionTrades,
  listAutoTradePositionLogs,
  listAutoTradeVersions,
  createAutoTrade,
  updateAutoTrade,
  enableAutoTrade,
  disableAutoTrade,
  resetAutoTrade,
  deleteAutoTrade,
};
