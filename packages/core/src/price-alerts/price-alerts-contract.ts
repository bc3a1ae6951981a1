import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { decimalText, id, idParams, isoTime, nothing, symbol } from '../http/wire.ts';

export const priceAlertState = z.enum(['Armed', 'Fired', 'Cooldown', 'Expired', 'Disabled', 'Failed', 'Warming']);

/** A rule over a pair or a coin filter; the kinds and their parameters are one table in the alert feature. */
const condition = z.object({
  kind: z.string().max(40),
  level: decimalText.optional(),
  upper: decimalText.optional(),
  pct: decimalText.optional(),
  window: z.string().max(8).optional(),
});

const body = z.object({
  symbol: symbol.optional(),
  coinFilterId: id.optional(),
  condition,
  priceSource: z.enum(['last', 'mark-mid']).default('last'),
  repeat: z.enum(['once', 'every', 'untilAcknowledged']).default('once'),
  cooldownMin: z.int().min(1).max(100_000).default(60),
  hysteresisPct: decimalText.default('0.2'),
  expiresAt: isoTime.nullable().optional(),
  channels: z
    .array(z.enum(['app', 'telegram', 'webhook']))
    .min(1)
    .default(['app']),
  note: z.string().max(200).default(''),
  fireIfTrue: z.boolean().default(false),
  snoozedUntil: isoTime.nullable().default(null),
});
export const priceAlertSchema = body.extend({ id, state: priceAlertState, createdAt: isoTime, lastFiredAt: isoTime.nullable() });
export type PriceAlert = z.infer<typeof priceAlertSchema>;

const shared = { backend: 'bff', access: 'user' } as const;
export const listPriceAlerts = endpoint({
  ...shared,
  method: 'GET',
  path: '/v2/price-alerts',
  summary: 'Price alerts',
  answer: z.array(priceAlertSchema),
});
export const createPriceAlert = endpoint({
  ...shared,
  method: 'POST',
  path: '/v2/price-alerts',
  summary: 'Creates a price alert',
  body,
  answer: priceAlertSchema,
  status: 201,
  idempotent: true,
});
export const updatePriceAlert = endpoint({
  ...shared,
  method: 'PUT',
  path: '/v2/price-alerts/{id}',
  summary: 'Replaces a price alert; re-arms it',
  params: idParams,
  body,
  answer: priceAlertSchema,
});
export const deletePriceAlert = endpoint({
  ...shared,
  method: 'DELETE',
  path: '/v2/price-alerts/{id}',
  summary: 'Deletes a price alert',
  params: idParams,
  answer: nothing,
  status: 204,
});

export const priceAlertsContract = { listPriceAlerts, createPriceAlert, updatePriceAlert, deletePriceAlert };
