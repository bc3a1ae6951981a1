import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { id, idParams, isoTime, nothing, pageOf, pageQuery, percent, price, symbol } from '../http/wire.ts';
import { compare, decimal } from '../money/decimal.ts';
import { NOTIFICATION_CHANNELS, notificationChannel } from '../notifications/notification-kinds.ts';
import { isTimeZone } from '../time/calendar-day.ts';
import { ALERT_KINDS, alertConditionSchema, conditionProblems } from './alert-kinds.ts';

export const MOST_ALERTS = 500;
/** Of one account; what comes after it within the hour is told in one message. */
export const MOST_FIRINGS_PER_HOUR = 60;
export const MAX_NOTE = 200;
export const DEFAULT_EXPIRY_DAYS = 90;
export const MOST_EXPIRY_DAYS = 731;

export const priceAlertState = z.enum(['Armed', 'Fired', 'Cooldown', 'Expired', 'Disabled', 'Failed', 'Warming']);
export type PriceAlertState = z.infer<typeof priceAlertState>;
const WATCHING: ReadonlySet<string> = new Set(['armed', 'warming', 'cooldown']);
/** Whether an alert looks at anything in this state; the others only wait for their owner. */
export const isWatchingState = (state: PriceAlertState | Uncapitalize<PriceAlertState>): boolean => WATCHING.has(state.toLowerCase());
/** What a person may ask of an alert, in the order it is offered. It can always be edited and deleted. */
export const alertAction = z.enum(['acknowledge', 'wake', 'snooze', 'enable', 'disable']);
export type AlertAction = z.infer<typeof alertAction>;
export const alertRepeat = z.enum(['once', 'every', 'untilAcknowledged']);
export const alertPriceSource = z.enum(['last', 'mark-mid']);

const wallTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
/** An IANA zone the runtime knows, e.g. `Europe/Istanbul`. */
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { params: { code: 'time_zone' } });

/**
 * When nothing is to be heard of the alert. It goes on being judged and what fires is kept in its history; `onWake`
 * says whether it is told when the quiet ends, or never.
 */
export const alertQuietHoursSchema = z.strictObject({
  timeZone,
  windows: z
    .array(
      z.strictObject({
        /** Days on which the window begins: 1 Monday … 7 Sunday. */
        days: z.array(z.int().min(1).max(7)).min(1).max(7),
        from: wallTime,
        /** At or before `from`: on the next day. */
        to: wallTime,
      }),
    )
    .min(1)
    .max(7),
  onWake: z.enum(['deliver', 'drop']).default('deliver'),
});
export type AlertQuietHours = z.infer<typeof alertQuietHoursSchema>;

const fields = z.object({
  /** The pair, for alerts about a pair or its open position. */
  symbol: symbol.optional(),
  /** The saved filter, for alerts about which coins it selects. */
  coinFilterId: id.optional(),
  /** The bot, for alerts about bots; all of the account's when left out. */
  autoTradeId: id.optional(),
  condition: alertConditionSchema,
  priceSource: alertPriceSource.default('last'),
  repeat: alertRepeat.default('once'),
  /** Minutes between two firings of `every`, and between two reminders of `untilAcknowledged`. */
  cooldownMin: z.int().min(1).max(100_000).default(60),
  /** How far the price must leave a level, in percent of it, before the alert is armed again. */
  hysteresisPct: percent()
    .refine((text) => compare(decimal(text), decimal('0')) >= 0 && compare(decimal(text), decimal('10')) <= 0, {
      params: { code: 'out_of_range', limit: '0 – 10' },
    })
    .default('0.2'),
  /** Left out: in 90 days. Null: never. */
  expiresAt: isoTime.nullable().optional(),
  channels: z
    .array(notificationChannel)
    .min(1)
    .max(NOTIFICATION_CHANNELS.length)
    .refine((names) => new Set(names).size === names.length, { params: { code: 'twice' } })
    .default(['app']),
  note: z.string().trim().max(MAX_NOTE).default(''),
  quietHours: alertQuietHoursSchema.nullable().default(null),
  snoozedUntil: isoTime.nullable().default(null),
  /** Fires at once when the condition already holds. */
  fireIfTrue: z.boolean().default(false),
  enabled: z.boolean().default(true),
});

export const priceAlertBody = fields.superRefine((body, refuse) => {
  const { subject } = ALERT_KINDS[body.condition.kind];
  const problem = (path: string[], code: string, limit?: string) =>
    refuse.addIssue({ code: 'custom', path, params: { code, ...(limit === undefined ? {} : { limit }) } });
  const needs = { symbol: 'symbol', position: 'symbol', coinFilter: 'coinFilterId', bot: undefined, market: undefined }[subject];
  const allows = subject === 'bot' ? 'autoTradeId' : needs;
  for (const name of ['symbol', 'coinFilterId', 'autoTradeId'] as const) {
    if (name === needs && body[name] === undefined) problem([name], 'required');
    if (name !== allows && body[name] !== undefined) problem([name], 'unrecognized', name);
  }
  for (const { path, code, limit } of conditionProblems(body.condition)) problem(['condition', path], code, limit);
});
export type PriceAlertBody = z.output<typeof priceAlertBody>;
export type PriceAlertInput = z.input<typeof priceAlertBody>;

const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

export const alertFiringSchema = z.object({
  id,
  priceAlertId: id,
  /** Null for what is not about one pair. */
  symbol: symbol.nullable(),
  condition: alertConditionSchema,
  note: z.string(),
  /** When it happened, by the market's clock: the bar's open time for what was found in candles. */
  at: isoTime,
  recordedAt: isoTime,
  price: price().nullable(),
  /** The exchange's time of the figure that fired it. */
  feedTime: isoTime,
  /** From that figure to the stored firing. */
  latencyMs: z.int(),
  /** Found in candles after the server had not been listening. */
  late: z.boolean(),
  /** What the condition saw: level, change, indicator…, by name. */
  facts,
  /** Times it was told again because nobody acknowledged it. */
  reminders: z.int(),
  acknowledgedAt: isoTime.nullable(),
  /** `sent`: handed to the channels. `held`: until the quiet ends. `dropped`: by quiet hours. `digest`: told with others, in one message. */
  delivery: z.enum(['sent', 'held', 'dropped', 'digest']),
  heldUntil: isoTime.nullable(),
  /** How far each channel is; empty while nothing was handed over. */
  deliveries: z.array(z.object({ channel: z.string(), state: z.string(), attempts: z.int() })),
});
export type AlertFiring = z.infer<typeof alertFiringSchema>;

export const priceAlertSchema = fields.extend({
  id,
  expiresAt: isoTime.nullable(),
  state: priceAlertState,
  /** What may be asked of it now. */
  allowed: z.array(alertAction),
  /** Why it is Failed, Disabled or Warming: stable code with a text (`alerts.reason.<code>`). */
  reason: z.string().nullable(),
  createdAt: isoTime,
  lastFiredAt: isoTime.nullable(),
  firedCount: z.int(),
  /** The newest price of the pair from the alert's source; null where unknown. */
  lastPrice: price().nullable(),
  /** From the price to what fires it, in percent of the price; null for what has no level. */
  distancePct: percent().nullable(),
  /** Where steps are counted from. */
  anchor: price().nullable(),
  /** When a cooldown ends at the earliest. */
  cooldownUntil: isoTime.nullable(),
});
export type PriceAlert = z.infer<typeof priceAlertSchema>;

const shared = { backend: 'bff', access: 'user' } as const;
export const listPriceAlerts = endpoint({
  ...shared,
  method: 'GET',
  path: '/v2/price-alerts',
  summary: 'Price alerts, newest first',
  answer: z.array(priceAlertSchema),
});
export const createPriceAlert = endpoint({
  ...shared,
  method: 'POST',
  path: '/v2/price-alerts',
  summary: 'Creates a price alert',
  body: priceAlertBody,
  answer: priceAlertSchema,
  status: 201,
  idempotent: true,
  errors: ['invalid', 'exchange-unreachable'],
});
export const updatePriceAlert = endpoint({
  ...shared,
  method: 'PUT',
  path: '/v2/price-alerts/{id}',
  summary: 'Replaces a price alert; re-arms it, as if it were new',
  params: idParams,
  body: priceAlertBody,
  answer: priceAlertSchema,
  errors: ['invalid', 'not-found', 'exchange-unreachable'],
});
export const deletePriceAlert = endpoint({
  ...shared,
  method: 'DELETE',
  path: '/v2/price-alerts/{id}',
  summary: 'Deletes a price alert; its history stays',
  params: idParams,
  answer: nothing,
  status: 204,
  errors: ['not-found'],
});
export const getPriceAlertHistory = endpoint({
  ...shared,
  method: 'GET',
  path: '/v2/price-alerts/history',
  summary: 'Firings, newest first',
  query: pageQuery.extend({ priceAlertId: id.optional(), symbol: symbol.optional() }),
  answer: pageOf(alertFiringSchema),
});
export const snoozePriceAlert = endpoint({
  ...shared,
  method: 'POST',
  path: '/v2/price-alerts/{id}/snooze',
  summary: 'Lets an alert rest until a moment, or for so many minutes; null wakes it',
  params: idParams,
  body: z.union([z.strictObject({ until: isoTime.nullable() }), z.strictObject({ minutes: z.int().min(1).max(527_040) })]),
  answer: priceAlertSchema,
  errors: ['invalid', 'not-found', 'not-possible-now'],
});
export const acknowledgePriceAlert = endpoint({
  ...shared,
  method: 'POST',
  path: '/v2/price-alerts/{id}/acknowledge',
  summary: 'Ends the reminders of an alert that fired',
  params: idParams,
  answer: priceAlertSchema,
  errors: ['not-found', 'not-possible-now'],
});
export const enablePriceAlert = endpoint({
  ...shared,
  method: 'POST',
  path: '/v2/price-alerts/{id}/enable',
  summary: 'Arms an alert again that was disabled, fired, expired or failed',
  params: idParams,
  answer: priceAlertSchema,
  errors: ['not-found', 'invalid'],
});
export const disablePriceAlert = endpoint({
  ...shared,
  method: 'POST',
  path: '/v2/price-alerts/{id}/disable',
  summary: 'Switches an alert off and keeps it',
  params: idParams,
  answer: priceAlertSchema,
  errors: ['not-found'],
});

export const priceAlertsContract = {
  listPriceAlerts,
  createPriceAlert,
  updatePriceAlert,
  deletePriceAlert,
  getPriceAlertHistory,
  snoozePriceAlert,
  acknowledgePriceAlert,
  enablePriceAlert,
  disablePriceAlert,
};
