import { isDecimalText } from '../money/decimal.ts';
import { formatAverage, formatMoney, formatPercentNumber, formatPrice, formatQuantity, UNKNOWN } from '../money/format.ts';
import type { ProtectionName } from './engine/protections.ts';
import { asSentence } from './refusal-words.ts';
import type { Trace, TraceFacts } from './trace.ts';

/** Fills the text of the first of these keys that has one. */
export type Translate = (keys: string[], values: Readonly<Record<string, string | number>>) => string;

type Kind = 'price' | 'average' | 'quantity' | 'money' | 'percent' | 'text';

/** What the figures of traces and log lines measure: all that their sentences name, the currency of sums aside. */
const FACT_KINDS: Readonly<Record<string, Kind>> = {
  asset: 'text',
  averageCost: 'average',
  before: 'price',
  code: 'text',
  cost: 'money',
  detail: 'text',
  distancePct: 'percent',
  excess: 'quantity',
  factor: 'quantity',
  fee: 'quantity',
  feeAsset: 'text',
  fees: 'money',
  high: 'price',
  level: 'text',
  line: 'price',
  locked: 'quantity',
  offered: 'price',
  orderId: 'text',
  peak: 'price',
  price: 'price',
  protection: 'text',
  quantity: 'quantity',
  quote: 'money',
  quoteQuantity: 'money',
  realised: 'money',
  reason: 'text',
  reserved: 'money',
  slot: 'text',
  slots: 'text',
  stopPrice: 'price',
  symbol: 'text',
  until: 'text',
  version: 'text',
};
/** What the seen and the allowed value of a protection measure. */
const PROTECTION_KINDS: Readonly<Record<ProtectionName, Kind>> = {
  lossStreak: 'text',
  drawdown: 'percent',
  lowProfitCoin: 'percent',
  dailyLoss: 'money',
  btcGuard: 'percent',
};

/** What a fact measures; undefined of a name that no sentence has. */
export function factKind(name: string, facts: TraceFacts): Kind | undefined {
  if (name === 'observed' || name === 'limit') return PROTECTION_KINDS[facts.protection as ProtectionName];
  return Object.hasOwn(FACT_KINDS, name) ? FACT_KINDS[name] : undefined;
}

function shownFigure(kind: Kind | undefined, figure: string, currency: string, pricePrecision: number | undefined): string {
  switch (kind) {
    case 'price':
      return formatPrice(figure, pricePrecision);
    case 'average':
      return formatAverage(figure);
    case 'money':
      return formatMoney(figure, currency, 'fine');
    case 'percent':
      return formatPercentNumber(figure);
    case 'text':
      return figure;
    default:
      return formatQuantity(figure);
  }
}

const ISO = /^\d{4}-\d\d-\d\dT/;

/**
 * Facts of a log line as its sentence tells them: figures by the formatter of their kind, what is not known as a dash.
 * `pricePrecision`: decimals of prices of its pair, where the pair is at hand. `moment` writes ISO times for the reader.
 */
export const spokenFacts = (
  facts: TraceFacts,
  currency: string,
  { pricePrecision, moment }: { readonly pricePrecision?: number | undefined; readonly moment?: (iso: string) => string } = {},
): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      if (typeof value === 'number') return [name, value];
      if (typeof value !== 'string') return [name, value === null ? UNKNOWN : String(value)];
      if (moment && ISO.test(value)) return [name, moment(value)];
      return [name, isDecimalText(value) ? shownFigure(factKind(name, facts), value, currency, pricePrecision) : value];
    }),
  );

/** Why an entry was refused: the exchange's sentence, or the text of a code of ours. */
const refusalText = ({ code, detail }: TraceFacts, translate: Translate): string =>
  asSentence(typeof detail === 'string' ? detail : translate([`botReasons.refused-${String(code)}`], { defaultValue: String(code) }));

/**
 * A trace as a sentence, from its kind, its reason and the figures it acted on.
 * @param pricePrecision decimals of prices of its pair, where the pair is at hand
 */
export function traceText(trace: Trace, currency: string, translate: Translate, pricePrecision?: number): string {
  // What ended (a line, an average) is told with its last value.
  const ended = Object.entries(trace.after).filter(([name, value]) => value !== null || trace.before[name] === undefined);
  const below = trace.after.offered === undefined ? [] : [`traces.${trace.kind}.below`];
  const isRefused = trace.kind === 'Exit' && trace.after.refusals !== undefined;
  return translate([...(isRefused ? ['traces.Exit.Refused'] : below), `traces.${trace.kind}.${trace.reason}`, `traces.${trace.kind}.any`], {
    ...spokenFacts({ ...trace.before, ...Object.fromEntries(ended) }, currency, { pricePrecision }),
    ...(isRefused ? { detail: refusalText(trace.after, translate) } : {}),
    symbol: trace.symbol,
    price: formatPrice(trace.price, pricePrecision),
    currency,
    reason: translate([`exitReasons.${trace.reason}`], { defaultValue: trace.reason }),
  });
}
