import { compare, type Decimal, decimal, divide, HUNDRED, isDecimalText, isNegative, toText } from '@pilotfish/core/money/decimal';
import { MOST_FEE_PCT, MOST_LATENCY_MS, STANDARD_FEE } from '@pilotfish/core/money/trading-terms';

/** What is taken of each fill, as fractions of what is received (`0.001` is 0.1 %). */
export type FeeRates = { readonly maker: string; readonly taker: string };

/** What an account pays, and how far it is from the exchange. Orders keep the fees that they were placed with. */
export type AccountTerms = FeeRates & {
  /** Market ms between the sending of an order, or of a cancel, and its arrival at the matching engine. */
  readonly latencyMs: number;
};

/** Of accounts without terms of their own, and of those in older journals. */
export const STANDARD_TERMS: AccountTerms = { maker: STANDARD_FEE, taker: STANDARD_FEE, latencyMs: 0 };

/** Fields as the control calls name them; fractions are named as in `/sapi/v1/asset/tradeFee`. */
export type GivenTerms = { readonly makerCommission?: unknown; readonly takerCommission?: unknown; readonly latencyMs?: unknown };

const MOST_RATE: Decimal = divide(decimal(MOST_FEE_PCT), HUNDRED);
/** As many as the protocol has in a fraction. */
const PLACES = 8;

function readRate(name: string, given: unknown): string {
  const rate = typeof given === 'string' && isDecimalText(given) ? decimal(given) : undefined;
  if (!rate || isNegative(rate) || compare(rate, MOST_RATE) > 0 || rate.scale > PLACES)
    throw new RangeError(`${name} must be a decimal text from 0 to ${toText(MOST_RATE)} with at most ${PLACES} places, as "0.00075".`);
  return toText(rate);
}

function readLatency(given: unknown): number {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 0 || given > MOST_LATENCY_MS)
    throw new RangeError(`latencyMs must be a whole number from 0 to ${MOST_LATENCY_MS}.`);
  return given;
}

/** The terms with what is given in place of what was. @throws RangeError naming the field that cannot be taken */
export function changedTerms(terms: AccountTerms, { makerCommission, takerCommission, latencyMs }: GivenTerms): AccountTerms {
  return {
    maker: makerCommission === undefined ? terms.maker : readRate('makerCommission', makerCommission),
    taker: takerCommission === undefined ? terms.taker : readRate('takerCommission', takerCommission),
    latencyMs: latencyMs === undefined ? terms.latencyMs : readLatency(latencyMs),
  };
}
