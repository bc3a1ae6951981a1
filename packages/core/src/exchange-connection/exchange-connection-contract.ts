import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { isoTime, nothing } from '../http/wire.ts';
import { marketSource } from '../prices/prices-contract.ts';

/** What a key may do that Pilotfish does not need, by the exchange's fields, and the warning for it. */
export const NEEDLESS_RIGHTS = [
  ['enableInternalTransfer', 'internal-transfers-enabled'],
  ['permitsUniversalTransfer', 'universal-transfers-enabled'],
  ['enableMargin', 'margin-enabled'],
  ['enablePortfolioMarginTrading', 'portfolio-margin-enabled'],
  ['enableFutures', 'futures-enabled'],
  ['enableVanillaOptions', 'options-enabled'],
] as const;
/** A right to trade that ends sooner than this is worth a warning. */
export const KEY_ENDS_SOON_MS = 14 * 86_400_000;
const KEY_WARNINGS = [
  'no-ip-restriction',
  'trading-ends-soon',
  'trading-disabled',
  ...NEEDLESS_RIGHTS.map(([, warning]) => warning),
] as const;

/**
 * The exchange's permission answer without createTime and tradingAuthorityExpirationTime. Every field is optional
 * at the exchange, so parse leniently; unknown permissions pass through.
 */
export const permissionsSchema = z
  .object({
    ipRestrict: z.boolean().optional(),
    enableReading: z.boolean().optional(),
    enableWithdrawals: z.boolean().optional(),
    enableInternalTransfer: z.boolean().optional(),
    enableMargin: z.boolean().optional(),
    enableFutures: z.boolean().optional(),
    permitsUniversalTransfer: z.boolean().optional(),
    enableVanillaOptions: z.boolean().optional(),
    enableSpotAndMarginTrading: z.boolean().optional(),
    enablePortfolioMarginTrading: z.boolean().optional(),
    /** Ours: what the user should know before trusting the key with money. */
    warnings: z.array(z.enum(KEY_WARNINGS)).default([]),
    /** Ours: when the key's right to trade ends, where the exchange says so. */
    tradingEndsAt: isoTime.optional(),
    /** Ours: the last four characters of the API key, so two keys can be told apart. */
    keyEnding: z.string().optional(),
    /** Ours: which exchange answers; never chosen silently. */
    exchange: marketSource.optional(),
  })
  .catchall(z.unknown());
export type Permissions = z.infer<typeof permissionsSchema>;

/** clientId = API key; clientSecret = HMAC secret, or an Ed25519 private key in PEM. */
export const exchangeKeysSchema = z.object({
  // It travels in a header: nothing but printable ASCII can.
  clientId: z
    .string()
    .trim()
    .min(16)
    .max(256)
    .regex(/^[\x21-\x7e]*$/),
  clientSecret: z.string().trim().min(16).max(4096),
});
export type ExchangeKeys = z.infer<typeof exchangeKeysSchema>;

export const connectBinance = endpoint({
  backend: 'gateway',
  method: 'POST',
  path: '/v2/account/connect/binance',
  access: 'user',
  secondFactor: true,
  summary: 'Checks the keys at the exchange and keeps them encrypted; keys that can withdraw are refused',
  body: exchangeKeysSchema,
  answer: permissionsSchema,
  errors: [
    'invalid-key',
    'withdrawals-enabled',
    'reading-disabled',
    'exchange-account-taken',
    'connection-in-use',
    'exchange-unreachable',
    'exchange-rate-limited',
    'clock-skew',
  ],
});

export const disconnectBinance = endpoint({
  backend: 'gateway',
  method: 'DELETE',
  path: '/v2/account/connect/binance',
  access: 'user',
  summary: 'Forgets the keys',
  answer: nothing,
  status: 204,
  errors: ['not-connected', 'connection-in-use'],
});

export const getBinancePermissions = endpoint({
  backend: 'gateway',
  method: 'GET',
  path: '/v2/account/connect/binance',
  access: 'user',
  summary: 'What the connected keys may do, asked anew',
  answer: permissionsSchema,
  errors: ['not-connected', 'invalid-key', 'exchange-unreachable', 'exchange-rate-limited'],
});

export const createDemoAccount = endpoint({
  backend: 'gateway',
  method: 'POST',
  path: '/v2/account/connect/binance/demo',
  access: 'user',
  summary: 'Simulated exchange only: issues the keys of a new demo account, to be connected like any others',
  answer: exchangeKeysSchema,
  status: 201,
  errors: ['not-found'],
});

export const exchangeConnectionContract = { connectBinance, disconnectBinance, getBinancePermissions, createDemoAccount };
