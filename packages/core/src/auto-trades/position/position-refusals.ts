import { isRefusal, log } from './position-orders.ts';
import type { Effect, PositionContext, PositionEvent, PositionSettings, Refusals } from './position-state.ts';
import { isoText } from './position-traces.ts';

/** Why a coin pauses whose entries the exchange refuses; a code of ours follows it: `refused-SLIPPAGE`. */
export const REFUSED = 'refused';

/** A coin pauses after so many equal refusals of its entries in a row, or so many of any kind: two reasons may alternate. */
const MOST_EQUAL = 3;
const MOST_OF_ANY = 5;
const HOUR_MS = 3_600_000;
/** Pause after a refusal that the exchange repeats until its owner or the exchange changes something. */
const LASTING_MS = 24 * HOUR_MS;
/** Pause after one that may be over soon: a lack of money, a gateway, a thin book, an average that values a market buy too low. */
const PASSING_MS = 10 * 60_000;
const PASSING = /INSUFFICIENT_BALANCE|PERCENT_PRICE|NOTIONAL|MAX_NUM_(?:ALGO_)?ORDERS|MAX_POSITION|market is closed|not trading/i;
const isLasting = (code: string, detail: string | null): boolean =>
  (code.startsWith('-') || code === 'UNLISTED') && !PASSING.test(`${code} ${detail ?? ''}`);
/** Codes of ours that have a sentence. */
export const NAMED: ReadonlySet<string> = new Set(['SLIPPAGE', 'RATE_LIMITED', 'UNREACHABLE', 'NOT_CONNECTED', 'EXPIRED']);

/** Not about this coin: the bot may not buy now, or its keys are refused. They count towards no pause. */
const UNCOUNTED: ReadonlySet<string> = new Set(['WITHDRAWN', 'COIN_HALTED', 'STORAGE_FULL', '-1002', '-1022', '-2014', '-2015']);

/** The refused entries of a coin in a row, when an entry of it ends without a buy. */
export function refusalsAfter(context: PositionContext, event: PositionEvent): Refusals | null {
  const before = context.refused;
  if (event.type !== 'order.ended') return before;
  // An order that rested was taken: that the next would be refused is not known.
  if (!isRefusal(context, event)) return context.order?.orderId ? null : before;
  const code = event.code ?? event.status;
  if (UNCOUNTED.has(code)) return before;
  const detail = event.detail ?? null;
  const count = before?.code === code && before.detail === detail ? before.count + 1 : 1;
  const total = (before?.total ?? 0) + 1;
  const pauses = count >= MOST_EQUAL || total >= MOST_OF_ANY;
  const until = pauses ? event.at + (isLasting(code, detail) ? LASTING_MS : PASSING_MS) : (before?.until ?? null);
  return { code, detail, count, total, until, at: event.at, rules: rulesOf(context.settings) };
}

type Rules = Pick<PositionSettings, 'filters' | 'pricePrecision'>;
/** The rules of a pair as a text to compare. */
const rulesOf = ({ filters, pricePrecision }: Rules): string => JSON.stringify([pricePrecision, ...Object.values(filters)]);

/** The row as the next entry counts it: what was refused by other settings, or other rules of the pair, says nothing of these. */
export const refusedStill = ({ refused, settings }: PositionContext, configVersion: number, pair: Rules): Refusals | null =>
  settings.configVersion === configVersion && (refused?.rules === undefined || refused.rules === rulesOf(pair)) ? refused : null;

/** An entry soon after one that was refused, or of a coin that has paused for it: its owner knows what may come of it. */
export const followsRefusal = ({ refused }: PositionContext, at: number): boolean =>
  refused !== null && (refused.until !== null || at - refused.at < HOUR_MS);

/** What a refused entry adds to its Exit row; null where none was counted. */
export function refusalFacts(before: Refusals | null, after: Refusals | null): Readonly<Record<string, string>> | null {
  if (after === null || after === before) return null;
  return { code: after.code, refusals: String(after.total), ...(after.detail === null ? {} : { detail: after.detail }) };
}

/** The line of a coin that pauses. The first pause of a row is a warning; that it goes on after one more try is none. */
export function pauseLog(before: Refusals | null, after: Refusals | null): readonly Effect[] {
  if (!after?.until || after.until === before?.until) return [];
  const { code, detail, until } = after;
  return [log('ENTRIES_REFUSED', before?.until ? 'info' : 'warning', { code, detail: detail ?? code, until: isoText(until) })];
}
