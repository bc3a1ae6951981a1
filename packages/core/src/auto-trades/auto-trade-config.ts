import * as z from 'zod';
import { amountText, positiveText, symbol } from '../http/wire.ts';

/**
 * Settings of an auto trade. Percentages are positive decimals in percent units ("2" = 2 %), prices and amounts
 * decimal text. Unknown settings are refused by name: a rule that is accepted but not obeyed would cost money.
 */
const percent = amountText;

export const timeoutAction = z.enum(['cancel', 'reprice', 'market']);

const orderSettings = (type: 'Limit' | 'Market') =>
  z.strictObject({
    type: z.enum(['Limit', 'Market']).default(type),
    /** Limit only: distance from the best opposite price, into the passive side. 0 takes what is offered, at that price at worst. */
    offsetPct: percent.default('0'),
    timeoutSec: z.int().min(5).max(86_400).default(60),
    onTimeout: timeoutAction.default('cancel'),
    maxReprices: z.int().min(0).max(20).default(3),
    /** Market only: the book must hold the amount within this distance of the best price. */
    maxSlippagePct: percent.default('0.5'),
  });

export const entryTrigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('immediate') }),
  z.strictObject({
    kind: z.literal('drop'),
    /** Below the highest price of the last `lookbackMin` minutes. */
    dropPct: percent.default('3'),
    lookbackMin: z.int().min(1).max(10_080).default(240),
  }),
]);
export type EntryTrigger = z.infer<typeof entryTrigger>;

export const autoTradeConfigSchema = z.strictObject({
  name: z.string().trim().min(1).max(64),
  walletId: z.uuid(),
  coins: z.strictObject({ symbols: z.array(symbol).min(1).max(200) }),
  maxOpenPositions: z.int().min(1).max(200).default(3),
  entry: z.strictObject({
    size: z.strictObject({ mode: z.enum(['fixed', 'percentOfWallet']), value: positiveText }).default({ mode: 'fixed', value: '15' }),
    trigger: entryTrigger.default({ kind: 'drop', dropPct: '3', lookbackMin: 240 }),
    trailing: z
      .strictObject({
        enabled: z.boolean().default(true),
        /** Buys once the price rebounds this far from its low. */
        reboundPct: percent.default('0.5'),
        expiryMin: z.int().min(1).max(10_080).default(120),
        /** Lapses when the price is further than this above the trigger price. */
        maxChasePct: percent.default('1'),
      })
      .prefault({}),
    order: orderSettings('Limit').prefault({}),
    maxSpreadPct: percent.default('0.3'),
  }),
  takeProfit: z
    .strictObject({ levels: z.array(z.strictObject({ gainPct: positiveText, sellPct: positiveText })).max(10) })
    .default({ levels: [{ gainPct: '2', sellPct: '100' }] }),
  trailingCost: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** Gain on the average cost at which the protected cost is drawn for the first time. */
      armGainPct: positiveText.default('2'),
      /** Distance of the protected cost below the highest price since. */
      distancePct: positiveText.default('0.5'),
      /** Smallest rise of the line worth a trace and an order change. */
      stepPct: percent.default('0.1'),
      /** 0 = never. */
      expiryMin: z.int().min(0).max(100_000).default(0),
      onExpiry: z.enum(['rearm', 'disarm', 'sellIfProfit']).default('rearm'),
      floor: z.enum(['breakEven', 'none']).default('breakEven'),
    })
    .prefault({}),
  /** No default: it must be chosen. */
  stopLoss: z.discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('none') }),
    z.strictObject({
      mode: z.literal('percent'),
      pct: positiveText,
      basis: z.enum(['avgCost', 'firstBuy']).default('avgCost'),
      /** The price must stay below for this long. */
      confirmSec: z.int().min(0).max(600).default(0),
    }),
  ]),
  exit: z.strictObject({ order: orderSettings('Market').prefault({}) }).prefault({}),
  cooldown: z
    .strictObject({
      afterWinMin: z.int().min(0).max(100_000).default(5),
      afterLossMin: z.int().min(0).max(100_000).default(60),
      scope: z.enum(['coin', 'bot']).default('coin'),
    })
    .prefault({}),
});

export type AutoTradeConfig = z.infer<typeof autoTradeConfigSchema>;
export type AutoTradeConfigInput = z.input<typeof autoTradeConfigSchema>;
export type OrderSettings = AutoTradeConfig['entry']['order'];
