import * as z from 'zod';
import { PAIR_STATUSES } from '../market/market-contract.ts';
import { symbolFilter } from '../matching/symbol-filter.ts';

const times = z.int().min(1).optional();
const symbol = z.string().min(1);

/** Something that goes wrong with the next matching requests, over REST or the WebSocket API. */
const requestFault = z.strictObject({
  kind: z.literal('request'),
  /** Only requests of this method and of paths that begin like this (`/api/v3/order`); any when absent. */
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
  path: z.string().startsWith('/').optional(),
  /** Only requests that name this symbol. */
  symbol: symbol.optional(),
  /** How many requests it hits (default 1). */
  times,
  /** Wait before the request is looked at, ms. */
  delayMs: z.int().min(0).max(600_000).optional(),
  /** Refuse with this status and body ... */
  status: z.int().min(400).max(599).optional(),
  code: z.int().optional(),
  msg: z.string().optional(),
  /** Seconds, as the header of 429 and 418. */
  retryAfter: z.int().min(0).optional(),
  /** ... without doing anything (`before`, the default), or after everything was done. */
  when: z.enum(['before', 'after']).optional(),
  /** Do the request but cut the connection instead of answering: the caller cannot know whether it happened. */
  loseAnswer: z.boolean().optional(),
});

/** A limit is exceeded: 429, or 418 for those who went on. */
const limitFault = z.strictObject({
  kind: z.literal('limit'),
  status: z.union([z.literal(429), z.literal(418)]),
  /** Seconds. */
  retryAfter: z.int().min(1).max(259_200),
  times,
});

/** What happens to the next matching events of accounts. */
const eventsFault = z.strictObject({
  kind: z.literal('events'),
  /** Twice, after the account's next event, or not at all. */
  action: z.enum(['duplicate', 'reorder', 'drop']),
  event: z.enum(['executionReport', 'outboundAccountPosition', 'balanceUpdate', 'listStatus']).optional(),
  times,
});

/** What happens to open connections now. */
const streamsFault = z.strictObject({
  kind: z.literal('streams'),
  /**
   * `cut`: no word. `shutdown`: `serverShutdown`, then closed. `silence`: open but mute. `terminate`: subscriptions to
   * accounts end with `eventStreamTerminated`, their connections stay.
   */
  action: z.enum(['cut', 'shutdown', 'silence', 'terminate']),
  of: z.enum(['market', 'user', 'all']).optional(),
  /** How long a silence lasts, wall ms; until it is cleared when absent. */
  forMs: z.int().min(1).optional(),
  /** `shutdown`: how long connections stay open after the word, wall ms; not at all when absent. */
  graceMs: z.int().min(1).optional(),
});

/** The exchange's clock is off by this much; signatures are judged by it. */
const clockFault = z.strictObject({ kind: z.literal('clock'), skewMs: z.int().min(-86_400_000).max(86_400_000) });

/** Takers get only this share of what they could have. */
const fillFault = z.strictObject({
  kind: z.literal('fill'),
  share: z.number().gt(0).lt(1),
  symbol: symbol.optional(),
  times,
});

/** A symbol's status. Trades stop with every status but TRADING; DELISTED ends its orders and hides it. */
const symbolFault = z.strictObject({
  kind: z.literal('symbol'),
  symbol,
  status: z.enum([...PAIR_STATUSES, 'DELISTED']),
  /** DELISTED only: the symbol is in BREAK for so much market time first, ms. */
  afterMs: z.int().min(0).optional(),
});

/** Rules in place of the symbol's own of the same type. */
const filtersFault = z.strictObject({ kind: z.literal('filters'), symbol, filters: z.array(symbolFilter).min(1) });

/**
 * Fields of a symbol's row in exchangeInfo in place of its own, whatever they hold: a row that somebody cannot read, or
 * other rights. `permissionSets`, `orderTypes` and what is allowed bind orders (`matching/symbol-rights.ts`).
 */
const rowFault = z.strictObject({ kind: z.literal('row'), symbol, fields: z.record(z.string(), z.unknown()) });

const multiplier = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,8})?$/)
  .optional();

/**
 * Executions of a symbol keep to a range around its reference price. The price is set by hand, or null where there is none
 * now; without it the average of the last five minutes counts.
 */
const rangeFault = z.strictObject({
  kind: z.literal('range'),
  symbol,
  referencePrice: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,8})?$/)
    .nullable()
    .optional(),
  bidLimitMultUp: multiplier,
  bidLimitMultDown: multiplier,
  askLimitMultUp: multiplier,
  askLimitMultDown: multiplier,
});

/** Resting orders get this share of each trade that goes through their price, instead of 5 %: a large one takes long. */
const trickleFault = z.strictObject({ kind: z.literal('trickle'), share: z.number().gt(0).lt(1), symbol: symbol.optional() });

/** Best prices change this often a second of market time, also where nothing trades. */
const bookTickersFault = z.strictObject({
  kind: z.literal('bookTickers'),
  perSecond: z.number().min(0).max(1000),
  symbol: symbol.optional(),
});

/** So many new coins for each old one in every account, under the same name: the price is the tape's to change. */
const redenominationFault = z.strictObject({
  kind: z.literal('redenomination'),
  asset: z.string().min(1),
  factor: z.string().regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,8})?$/),
});

/** The next lists of an account's trades lag behind its orders: they lack what is executed from now on. */
const tradesFault = z.strictObject({ kind: z.literal('trades'), times, symbol: symbol.optional() });

/** Other limits than the exchange's own. */
const limitsFault = z.strictObject({
  kind: z.literal('limits'),
  connectionsPer5Minutes: z.int().min(0).optional(),
  streamMessagesPerSecond: z.int().min(1).optional(),
  weightPerMinute: z.int().min(1).optional(),
  sapiWeightPerMinute: z.int().min(1).optional(),
  ordersPer10Seconds: z.int().min(1).optional(),
  ordersPerDay: z.int().min(1).optional(),
});

const fault = z.discriminatedUnion('kind', [
  requestFault,
  limitFault,
  eventsFault,
  streamsFault,
  clockFault,
  fillFault,
  symbolFault,
  filtersFault,
  rowFault,
  rangeFault,
  trickleFault,
  tradesFault,
  bookTickersFault,
  redenominationFault,
  limitsFault,
]);

/** Something that goes wrong on purpose. */
export type Fault = z.infer<typeof fault>;
type OptionalKind<T> = T extends { kind: infer K } ? Omit<T, 'kind'> & { kind?: K } : never;
export type RequestFault = OptionalKind<z.infer<typeof requestFault>>;

const script = z.strictObject({
  faults: z.array(
    z.strictObject({
      /** Market time since the start, ms. */
      afterMs: z.int().min(0).optional(),
      fault: z.unknown(),
    }),
  ),
});

export type ScriptedFault = { readonly afterMs: number; readonly fault: Fault };

/** Reads one fault. Without `kind` it is about requests. Throws `RangeError` that names the field. */
export function readFault(value: unknown, place = ''): Fault {
  const body = typeof value === 'object' && value !== null && !('kind' in value) ? { kind: 'request', ...value } : value;
  return parsed(fault, body, place);
}

/** Reads a script: `{"faults": [{"afterMs": 60000, "fault": {...}}]}`. Throws `RangeError` that names the field. */
export function readFaultScript(text: string): ScriptedFault[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RangeError(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parsed(script, value, '').faults.map((entry, index) => ({
    afterMs: entry.afterMs ?? 0,
    fault: readFault(entry.fault, `faults.${index}.fault.`),
  }));
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = issue.path.join('.');
  throw new RangeError(`${place}${describe(issue, field)}`);
}

function describe(issue: z.core.$ZodIssue, field: string): string {
  const inside = field === '' ? '' : `${field}.`;
  const name = field === '' ? 'A fault' : field;
  if (issue.code === 'unrecognized_keys') return `${inside}${issue.keys[0] ?? ''} is not a field of a fault.`;
  if (issue.code === 'invalid_type') return `${name} must be ${EXPECTED[issue.expected] ?? `a ${issue.expected}`}.`;
  if (issue.code === 'invalid_value') return `${name} must be ${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'invalid_union') return `${name} is not known.`;
  return `${name}: ${issue.message}.`;
}

const EXPECTED: Record<string, string> = { object: 'an object', array: 'a list', int: 'a whole number' };
