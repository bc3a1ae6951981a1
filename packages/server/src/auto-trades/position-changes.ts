import type { PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type AutoTradeEvent, advanceAutoTrade, mayTrade } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { Inspection, SettingsPreview } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { describePosition, sellsNow } from '@pilotfish/core/auto-trades/explain';
import { advancePosition } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import type { LevelProblem } from '@pilotfish/core/auto-trades/position/position-levels';
import { saleWords } from '@pilotfish/core/auto-trades/sale-outlook';
import { AppError } from '@pilotfish/core/http/problem';
import { digits, type Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { Language, Texts } from '../http/texts.ts';
import type { RunningBot } from './bot-runner.ts';

type Seen = { readonly preview: SettingsPreview; readonly inspection: Inspection | undefined };

/** What new settings change for one open position, line by line: what a person is shown before it is done. */
export function positionChanges({ preview: { symbol, positionId, before, after }, inspection }: Seen): PositionChange[] {
  const old = describePosition(before.state, before.context).lines;
  const fresh = describePosition(after.state, after.context).lines;
  const levels = (lines: typeof old) =>
    lines.takeProfit.map(({ price, sellPct }) => `${digits(price)} (${digits(sellPct)} %)`).join(', ') || null;
  const rebuys = (lines: typeof old) => lines.rebuys.map(({ price }) => digits(price)).join(', ') || null;
  // A level that stays moved has no line here: its price is the same before and after.
  const sold = new Set(old.takeProfit.flatMap(({ done }, index) => (done ? [`takeProfit.${index + 1}`] : [])));
  const wasMoved = (name: string) => old.moved.some((each) => each.startsWith(name) && !fresh.moved.includes(each) && !sold.has(each));
  const byHand: Readonly<Record<string, boolean>> = {
    stopLoss: wasMoved('stop'),
    takeProfit: wasMoved('takeProfit'),
    arm: wasMoved('trailingStart'),
  };
  const sells = sellsAtOnce({ state: after.state, context: after.context }, inspection);
  const pairs: [string, Price | null, Price | null][] = [
    ['sellsNow', null, sells ? inspection!.moment!.price : null],
    ['stopLoss', old.stopLoss, fresh.stopLoss],
    ['takeProfit', levels(old), levels(fresh)],
    ['protectedCost', old.protectedCost, fresh.protectedCost],
    ['arm', old.arm, fresh.arm],
    ['rebuys', rebuys(old), rebuys(fresh)],
    ['protectiveStop', old.protectiveStop, fresh.protectiveStop],
    ['timeStop', old.timeStopAt, fresh.timeStopAt],
  ];
  return pairs.flatMap(([what, was, is]) => {
    if (was === is) return [];
    const [from, to] = [was, is].map((line) => (line === null ? null : digits(line)));
    return [{ positionId, symbol, what, before: from ?? null, after: to ?? null, wasMoved: byHand[what] ?? false }];
  });
}

/** True when a position as it would be is sold at the price of now, and as it is would not be. */
function sellsAtOnce(after: Pick<Inspection, 'state' | 'context'>, inspection: Inspection | undefined): boolean {
  if (!inspection) return false;
  const before = new Set(sellsNow(inspection));
  return sellsNow({ ...inspection, ...after }).some((rule) => !before.has(rule));
}

/** What would be sold of a position, at what price and with what result, as a sentence. */
function saleSentence({ state, context, moment }: Inspection, texts: Texts, language: Language): string {
  const { symbol, quoteAsset, pricePrecision } = context.settings;
  const sale = saleWords((key, values) => texts.text(language, key, values), describePosition(state, context), moment!.bid, {
    currency: quoteAsset,
    pricePrecision,
  });
  return texts.text(language, 'autoTrades.sale.atOnce', { symbol, price: formatPrice(moment!.price, pricePrecision), sale });
}

/** Whether the caller has agreed to a sale at once, and how a refusal speaks. */
type Consent = { readonly sellNow: boolean; readonly texts: Texts; readonly language: Language };

const refusal = (sentences: readonly string[]): AppError | undefined =>
  sentences.length === 0 ? undefined : new AppError('would-sell-now', { detail: sentences.join(' ') });

/**
 * The refusal of a change by which something would be sold at once, with a sentence on what, how much, at what price
 * and with what result; undefined when nothing would.
 */
export const wouldSellNow = (
  changed: readonly { readonly after: Pick<Inspection, 'state' | 'context'>; readonly inspection: Inspection | undefined }[],
  texts: Texts,
  language: Language,
): AppError | undefined =>
  refusal(changed.flatMap(({ after, inspection }) => (sellsAtOnce(after, inspection) ? [saleSentence(inspection!, texts, language)] : [])));

/** The answer to levels that cannot be had, each at its field with the bound in words. */
export const refusedLevels = (
  problems: readonly LevelProblem[],
  { settings }: Inspection['context'],
  texts: Texts,
  language: Language,
): AppError =>
  new AppError('invalid', {
    fields: problems.map(({ path, code, limit }) => {
      const shown = limit === undefined ? '' : path.endsWith('level') ? limit : formatPrice(limit, settings.pricePrecision);
      return {
        path,
        code,
        message: texts.text(language, `autoTrades.levels.${code}`, { limit: shown }),
        ...(limit === undefined ? {} : { limit }),
      };
    }),
  });

/**
 * Refuses to let a position that needs attention go on while an exit of it is due: it would be sold at once.
 * @throws AppError `would-sell-now`
 */
export function requireConsentToGoOn(inspection: Inspection, { sellNow, texts, language }: Consent): void {
  const goesOn = { ...inspection, state: inspection.context.line === null ? ('open' as const) : ('protected' as const) };
  if (sellNow || sellsNow(goesOn).length === 0) return;
  throw new AppError('would-sell-now', { detail: saleSentence(goesOn, texts, language) });
}

/**
 * Refuses to carry a position over into the new unit of its coin where it is not asked about a jump, and without consent
 * where a rule would sell it at once there.
 * @throws AppError `no-jump`, `would-sell-now`
 */
export function requireConsentToCarryOver(inspection: Inspection, factor: string, { sellNow, texts, language }: Consent): void {
  const { state, context, moment } = inspection;
  const after = moment && advancePosition(state, context, { type: 'position.carriedOver', factor, ...moment });
  if (!after || after.context === context) throw new AppError('no-jump');
  const goesOn = { ...inspection, ...after };
  if (!sellNow && sellsNow(goesOn).length > 0) throw new AppError('would-sell-now', { detail: saleSentence(goesOn, texts, language) });
}

/**
 * Refuses an event that lets a frozen or halted bot send its exits again while one of them is due: letting it go is a
 * sale, and asked for as one.
 * @param sellNow consent to that
 * @throws AppError `would-sell-now`
 */
export function requireConsentToExits(
  bot: Pick<RunningBot, 'state' | 'context' | 'symbols' | 'engine'> | undefined,
  event: AutoTradeEvent,
  { sellNow, texts, language }: Consent,
): void {
  if (sellNow || !bot || mayTrade(bot.state, bot.context)) return;
  const next = advanceAutoTrade(bot.state, bot.context, event);
  if (!next || !mayTrade(next.state, next.context)) return;
  const due = bot.symbols().flatMap((symbol) => bot.engine.inspect(symbol) ?? []);
  const refused = refusal(due.flatMap((each) => (sellsNow(each).length > 0 ? [saleSentence(each, texts, language)] : [])));
  if (refused) throw refused;
}
