import * as z from 'zod';
import { exitReason } from '../auto-trades/trace.ts';
import { endpoint } from '../http/endpoint.ts';
import { id, idParams, isoTime, money, percent, price, quantity, symbol, tradeMode } from '../http/wire.ts';

/** What one run did with one coin, from its entry to its exit. */
export const runPositionSchema = z.object({
  positionId: z.string(),
  /** When the entry was decided; when it first bought; when it ended. Venue times. */
  enteredAt: isoTime,
  openedAt: isoTime.nullable(),
  closedAt: isoTime.nullable(),
  exitReason: exitReason.nullable(),
  /** Orders that bought, rebuys among them. */
  buys: z.int(),
  quantity: quantity(),
  /** Averages over all fills; null where nothing was bought or sold. */
  entryPrice: price().nullable(),
  exitPrice: price().nullable(),
  /** What the first buy paid above the best ask of its decision, and what sales got below what they were decided by. */
  entrySlippagePct: percent().nullable(),
  exitSlippagePct: percent().nullable(),
  /** In the quote asset, and of the turnover. */
  fees: money(),
  feePct: percent().nullable(),
  /** After fees; null while something is held. */
  result: money().nullable(),
  resultPct: percent().nullable(),
});
export type RunPosition = z.infer<typeof runPositionSchema>;

/**
 * By how much the other run's result lies above the real one's, in the quote asset, and where that comes from: buying
 * at another price, selling at another price, other fees, another size, positions that only one of them had, and the
 * rest (dust, late fees). The parts add up to `total` exactly.
 */
export const gapSchema = z.object({
  entry: money(),
  exit: money(),
  fees: money(),
  size: money(),
  missed: money(),
  rest: money(),
  total: money(),
});
export type Gap = z.infer<typeof gapSchema>;

/**
 * Why two runs differ about a position.
 * One of them lacks it: `unfilled` its order bought nothing, `disabled` or `halted` it was not at work, `held` it held
 * the coin already, `full` it had no slot free, `notDecided` it did not decide to buy. Both have it: `entryTime`, `rebuys`, `exitReason`, `byHand` a person or a
 * kill switch ended the real one, `open`, `takenOver` by its
 * owner before it was sold, `slippage`, `fees`, `size`.
 */
export const comparisonReason = z.enum([
  'unfilled',
  'disabled',
  'halted',
  'held',
  'full',
  'notDecided',
  'open',
  'takenOver',
  'byHand',
  'exitReason',
  'entryTime',
  'rebuys',
  'slippage',
  'fees',
  'size',
]);
export type ComparisonReason = z.infer<typeof comparisonReason>;

export const comparedPositionSchema = z.object({
  symbol,
  /** Null where this run bought nothing of it. */
  real: runPositionSchema.nullable(),
  other: runPositionSchema.nullable(),
  /** Null while one of them is open, or was taken over. */
  gap: gapSchema.nullable(),
  reasons: z.array(comparisonReason),
});
export type ComparedPosition = z.infer<typeof comparedPositionSchema>;

const sumsSchema = z.object({
  positions: z.int(),
  /** Of the positions that are counted: what was paid, the fees, and the result after them. */
  bought: money(),
  fees: money(),
  result: money(),
  resultPct: percent().nullable(),
});

/** Two runs beside each other, newest position first. */
export const runComparisonSchema = z.object({
  /** Positions entered before it are left out: one of the runs did not exist yet. */
  since: isoTime,
  real: sumsSchema,
  other: sumsSchema,
  gap: gapSchema,
  /** Pairs of which one is still open: in no sum. */
  open: z.int(),
  positions: z.array(comparedPositionSchema),
});
export type RunComparison = z.infer<typeof runComparisonSchema>;

const comparedBot = z.object({ id, name: z.string(), mode: tradeMode });
/** A bot that another can be compared with, and the paths of the settings in which it differs. */
const candidate = comparedBot.extend({ differs: z.array(z.string()) });

export const comparisonSchema = z.object({
  currency: z.string(),
  /** What happened, and what is held against it: of two bots of different modes the live one is real. */
  real: comparedBot,
  other: candidate.nullable(),
  /** Other bots of the account in the same currency, those of the other mode with the fewest other settings first, of equal ones the newest. */
  candidates: z.array(candidate),
  /** Null where there is no bot to compare with. */
  comparison: runComparisonSchema.nullable(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** Positions of each run that bought and are looked at, the newest ones. */
export const MOST_COMPARED = 500;
/** Entries of each run that are read for them, with those that bought nothing. */
export const MOST_ENTRIES = 5000;

/** Of an ended position, what its traces do not say: a fee that was valued after the end, and that its owner took it over. */
const knownPositionSchema = z.object({
  positionId: z.string(),
  takenOverAt: isoTime.nullable(),
  /** With those fees, in the quote asset. */
  realised: money(),
  fees: money(),
});
export type KnownPositionRow = z.infer<typeof knownPositionSchema>;

export const compareAutoTrade = endpoint({
  backend: 'bff',
  access: 'user',
  method: 'GET',
  path: '/v2/auto-trades/{id}/comparison',
  summary: 'A bot beside another with the same settings, position by position: how far paper was from what happened',
  params: idParams,
  query: z.object({ against: id.optional() }),
  answer: comparisonSchema,
});
export const listKnownPositions = endpoint({
  backend: 'bff',
  access: 'user',
  method: 'GET',
  path: '/v2/auto-trades/{id}/known-positions',
  summary: 'Ended positions whose result is another one than their traces say, by fees that were valued later, or that were taken over',
  params: idParams,
  answer: z.array(knownPositionSchema),
});
export const comparisonContract = { compareAutoTrade, listKnownPositions };
