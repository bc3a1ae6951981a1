import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, id, isoTime, money, percent, ratio, symbol } from '../http/wire.ts';
import { evaluationSchema } from './auto-trades-contract.ts';

/** What a coin waits for, and how far its price is from there: percent that the price must rise, below zero to fall. */
export const nextEventSchema = z.object({
  waitsFor: evaluationSchema.shape.waitsFor.unwrap(),
  /** Null where it waits for no price, or none is known. */
  distancePct: percent().nullable(),
});
export type NextEvent = z.infer<typeof nextEventSchema>;

/** Exits that the curve of a bot looks back on. */
export const CURVE_EXITS = 60;

/**
 * The figures of one bot, all of its runs, in its wallet's currency. Result is what was realised plus the change of what is
 * open, after fees. Never to be added across wallets of different modes or currencies.
 */
export const autoTradeFiguresSchema = z.object({
  id,
  /** Coins it holds something of, by name. */
  holds: z.array(symbol),
  slots: z.object({ used: z.int(), most: z.int() }),
  /** What it waits for next, of a coin it holds rather than of one it watches, the nearest of these; null when it waits for nothing. */
  next: nextEventSchema.extend({ symbol }).nullable(),
  /** What selling everything at the bid would bring above its cost, after the exit fee; null when a price is not known. */
  open: money().nullable(),
  /** Of every sale of every run, fees that were valued later included. */
  realised: money(),
  /** realised + open; null when open is. */
  total: money().nullable(),
  /**
   * Since midnight in the reader's time zone: what sales realised, plus open now, less open at midnight. Open at midnight is
   * what was held then, at its cost of then and the price of the last trade before midnight; what its owner took over since
   * is left out of it. Null when that price or a price of now is not known, and when the fills do not say what was held.
   */
  today: money().nullable(),
  /** The cost of what it holds. */
  inUse: money(amountText),
  /** What was put into its wallet less what was taken out; bots of one wallet share it. */
  budget: money(),
  /** total in percent of the budget; null without either. */
  returnPct: percent().nullable(),
  /**
   * What open falls by when every stop fills now: position × (price − stop), less the exit fee. `amount` is null when the
   * price of a position with a stop is not known. `without`: positions that no stop sells, left out of the amount.
   */
  atRisk: z.object({ amount: money(amountText).nullable(), without: z.int() }),
  /** Positions closed after they bought something. */
  exits: z.int(),
  /** Of them with a result above zero. */
  wins: z.int(),
  winRatePct: percent().nullable(),
  /** Gains divided by losses; null without losses. */
  profitFactor: ratio().nullable(),
  /** The largest fall of budget + cumulated results of exits from its peak, in percent of that peak, not below zero; null without a budget. */
  maxDrawdownPct: percent(amountText).nullable(),
  averageHoldSeconds: z.int().nullable(),
  /** Of all positions, in the quote asset. */
  fees: money(),
  /** The cumulated result of exits after each of the newest, oldest first. */
  curve: z.array(z.object({ at: isoTime, value: money() })).max(CURVE_EXITS),
  /** Venue time of its newest trace. */
  lastEventAt: isoTime.nullable(),
});
export type AutoTradeFigures = z.infer<typeof autoTradeFiguresSchema>;

export const listAutoTradeFigures = endpoint({
  backend: 'bff',
  access: 'user',
  method: 'GET',
  path: '/v2/auto-trades/figures',
  summary: 'What a list of bots shows beside each: result open, today and in total, what is at risk, what it waits for',
  answer: z.array(autoTradeFiguresSchema),
});

export const botFiguresContract = { listAutoTradeFigures };
