import * as z from 'zod';
import { amountText, decimalText, money, percent, positiveText, ratio, symbol } from '../../http/wire.ts';
import { filterGroupSchema } from '../../prices/screener-contract.ts';

/**
 * Settings of a bot. Percentages are positive decimals in percent units ("2" = 2 %), prices and amounts
 * decimal text. Unknown settings are refused by name: a rule that is accepted but not obeyed would cost money.
 */
const share = percent(amountText);
const positiveShare = percent(positiveText);

export const timeoutAction = z.enum(['cancel', 'reprice', 'market']);

/** How often conditions are read: at each close of a candle of this length. */
export const BOT_TIMEFRAMES = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d'] as const;

/** What a bot tells its owner, beside the log. */
export const BOT_NOTICES = [
  'Entry',
  'Buy',
  'Sell',
  'Exit',
  'CostMovedUp',
  'TrailingCostExpired',
  'NeedsAttention',
  'Paused',
  'Blocked',
] as const;
export const noticeChannel = z.enum(['off', 'app', 'telegram', 'both']);
const noticeDefaults = { Entry: 'both', Exit: 'both', NeedsAttention: 'both', Paused: 'app', Blocked: 'app' } as const;

/** Most rules and levels of groups that a bot's conditions may have. */
export const CONDITION_LIMITS = { rules: 20, depth: 2 } as const;

const orderSettings = (type: 'Limit' | 'Market') =>
  z.strictObject({
    type: z.enum(['Limit', 'Market']).default(type),
    /** Limit only: distance from the best opposite price, into the passive side. 0 takes what is offered, at that price at worst. */
    offsetPct: share.default('0'),
    timeoutSec: z.int().min(5).max(86_400).default(60),
    onTimeout: timeoutAction.default('cancel'),
    maxReprices: z.int().min(0).max(20).default(3),
    /** Market only: the book must hold the amount within this distance of the best price. */
    maxSlippagePct: share.default('0.5'),
  });

const entryTrigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('immediate') }),
  z.strictObject({
    kind: z.literal('drop'),
    /** Below the highest price of the last `lookbackMin` minutes. */
    dropPct: share.default('3'),
    lookbackMin: z.int().min(1).max(10_080).default(240),
  }),
  /** The rules of the screener, read at each close of `timeframe`. */
  z.strictObject({ kind: z.literal('conditions'), rules: filterGroupSchema }),
  /** Only when the owner says so. */
  z.strictObject({ kind: z.literal('manual') }),
]);

/** What an entry spends: a sum in the wallet's currency, or a part of the wallet. */
const entrySize = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('fixed'), value: money(positiveText) }),
  z.strictObject({ mode: z.literal('percentOfWallet'), value: positiveShare }),
]);

export const autoTradeConfigSchema = z.strictObject({
  name: z.string().trim().min(1).max(64),
  walletId: z.uuid(),
  /** Named coins, or those that coin filters select: one of the two. */
  coins: z
    .strictObject({ symbols: z.array(symbol).max(200).default([]), coinFilterIds: z.array(z.uuid()).max(10).default([]) })
    .refine(({ symbols, coinFilterIds }) => symbols.length > 0 || coinFilterIds.length > 0, {
      path: ['symbols'],
      params: { code: 'too_few', limit: '1' },
    })
    .refine(({ symbols, coinFilterIds }) => symbols.length === 0 || coinFilterIds.length === 0, {
      path: ['coinFilterIds'],
      params: { code: 'coins_twice' },
    }),
  timeframe: z.enum(BOT_TIMEFRAMES).default('1m'),
  maxOpenPositions: z.int().min(1).max(200).default(3),
  maxPositionsPerCoin: z.literal(1).default(1),
  /** Most that a coin's positions may cost, in the wallet's currency; null: whatever the wallet has. */
  maxExposurePerCoin: money(positiveText).nullable().default(null),
  /** Which coin comes first when more want to be bought than there are slots; ties by symbol. */
  pickOrder: z.enum(['filterOrder', 'volume', 'dropDepth']).default('filterOrder'),
  entry: z.strictObject({
    size: entrySize.default({ mode: 'fixed', value: '15' }),
    trigger: entryTrigger.default({ kind: 'drop', dropPct: '3', lookbackMin: 240 }),
    trailing: z
      .strictObject({
        enabled: z.boolean().default(true),
        /** Buys once the price rebounds this far from its low. */
        reboundPct: share.default('0.5'),
        expiryMin: z.int().min(1).max(10_080).default(120),
        /** Lapses when the price is further than this above the trigger price. */
        maxChasePct: share.default('1'),
      })
      .prefault({}),
    order: orderSettings('Limit').prefault({}),
    maxSpreadPct: share.default('0.3'),
  }),
  rebuys: z
    .strictObject({
      /** Each level once, in order; the amount is the entry's times the multiplier. */
      levels: z
        .array(z.strictObject({ dropPct: positiveShare, sizeMultiplier: ratio(positiveText).default('1') }))
        .max(20)
        .default([]),
      /** Makes the levels: steps of stepPct × stepScale^i (adding up, unless measured from the last buy), sizes of sizeScale^(i+1). */
      generator: z
        .strictObject({
          count: z.int().min(1).max(20),
          stepPct: positiveShare,
          stepScale: ratio(positiveText).default('1'),
          sizeScale: ratio(positiveText).default('1'),
        })
        .nullable()
        .default(null),
      /** The price that a drop is measured from. */
      basis: z.enum(['firstBuy', 'lastBuy', 'avgCost']).default('lastBuy'),
      minMinutesBetween: z.int().min(0).max(10_080).default(5),
      /** Buys once the price rebounds this far from its low below the level; 0 buys at the level. */
      trailingReboundPct: share.default('0'),
    })
    .refine(({ levels, generator }) => levels.length === 0 || generator === null, { path: ['generator'], params: { code: 'levels_twice' } })
    .prefault({}),
  takeProfit: z
    .strictObject({ levels: z.array(z.strictObject({ gainPct: positiveShare, sellPct: positiveShare })).max(10) })
    .default({ levels: [{ gainPct: '2', sellPct: '100' }] }),
  trailingCost: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** Gain on the average cost at which the protected cost is drawn for the first time. */
      armGainPct: positiveShare.default('2'),
      /** Distance of the protected cost below the highest price since. */
      distancePct: positiveShare.default('0.5'),
      /** Smallest rise of the line worth a trace and an order change. */
      stepPct: share.default('0.1'),
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
      pct: positiveShare,
      basis: z.enum(['avgCost', 'firstBuy']).default('avgCost'),
      /** The price must stay below for this long. */
      confirmSec: z.int().min(0).max(600).default(0),
    }),
  ]),
  /** A stop that rests at the exchange and follows the highest floor in force. */
  protectiveStop: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** How far below the stop the limit lies. */
      limitOffsetPct: share.default('0.5'),
    })
    .prefault({}),
  /** Sells what is held for too long; only when the gain is above the bound, where one is set. */
  timeStop: z
    .strictObject({ hours: z.int().min(1).max(87_600), onlyIfGainPctAbove: percent(decimalText).nullable().default(null) })
    .nullable()
    .default(null),
  exit: z
    .strictObject({
      order: orderSettings('Market').prefault({}),
      conditions: filterGroupSchema.nullable().default(null),
      /** Exits by conditions wait until the gain after fees is at least this. */
      minGainPct: percent(decimalText).nullable().default(null),
    })
    .prefault({}),
  cooldown: z
    .strictObject({
      afterWinMin: z.int().min(0).max(100_000).default(5),
      afterLossMin: z.int().min(0).max(100_000).default(60),
      scope: z.enum(['coin', 'bot']).default('coin'),
    })
    .prefault({}),
  /** Each pauses entries of the bot (or of one coin) for a while; exits go on. */
  protections: z
    .strictObject({
      /** So many losses among the last exits in a row; 0 = off. */
      lossStreak: z
        .strictObject({
          count: z.int().min(0).max(100).default(3),
          lookbackHours: z.int().min(1).max(8760).default(24),
          pauseHours: z.int().min(1).max(8760).default(6),
        })
        .prefault({}),
      /** Fall of the wallet's curve from its highest point of the last hours; 0 = off. */
      drawdown: z
        .strictObject({
          maxPct: share.default('20'),
          lookbackHours: z.int().min(1).max(8760).default(48),
          pauseHours: z.int().min(1).max(8760).default(12),
        })
        .prefault({}),
      /** A coin that earned less than this on average. */
      lowProfitCoin: z
        .strictObject({
          minTrades: z.int().min(1).max(1000),
          minProfitPct: percent(decimalText),
          lookbackHours: z.int().min(1).max(8760),
          pauseHours: z.int().min(1).max(8760),
        })
        .nullable()
        .default(null),
      /** Until the next midnight of the zone; warns at 80 %. */
      dailyLoss: z
        .strictObject({ amount: money(positiveText), tz: z.string().min(1).max(60).default('UTC') })
        .nullable()
        .default(null),
      /** While BTC is this far below its highest price of the window, until it is nearer than `resumePct`. */
      btcGuard: z
        .strictObject({ dropPct: positiveShare, windowMin: z.int().min(1).max(10_080), resumePct: share })
        .nullable()
        .default(null),
    })
    .prefault({}),
  /** What remains after an exit and is too small to sell. */
  dust: z.strictObject({ policy: z.enum(['leave', 'includeInNext']).default('leave'), maxResidualPct: share.default('2') }).prefault({}),
  fees: z.literal('fromAccount').default('fromAccount'),
  notifications: z.partialRecord(z.enum(BOT_NOTICES), noticeChannel).default(noticeDefaults),
});

export type AutoTradeConfig = z.infer<typeof autoTradeConfigSchema>;
export type AutoTradeConfigInput = z.input<typeof autoTradeConfigSchema>;
export type Rebuys = AutoTradeConfig['rebuys'];
export type Protections = AutoTradeConfig['protections'];
