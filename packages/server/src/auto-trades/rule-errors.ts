import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { RuleViolation } from '@pilotfish/core/auto-trades/config/rule-facts';
import { exactRuleValue, type RuleValue, shownRuleValue } from '@pilotfish/core/auto-trades/config/rule-values';
import type { FieldError } from '@pilotfish/core/http/problem';
import type { Language, Texts } from '../http/texts.ts';

const shown = (value: RuleValue | undefined): string | number => (value === undefined ? '' : shownRuleValue(value));

/** Violated rules of a bot as errors of its fields: the sentence as a person reads it, the values to the last digit. */
export const ruleErrors = (violations: readonly RuleViolation[], texts: Texts, language: Language): FieldError[] =>
  violations.map(({ path, code, limit, actual, symbol, text }) => ({
    path,
    code,
    message: texts.text(language, text ?? `rules.${code}`, {
      limit: shown(limit),
      actual: shown(actual),
      symbol: symbol ?? texts.text(language, 'rules.ANY_PAIR'),
    }),
    ...(limit === undefined ? {} : { limit: exactRuleValue(limit) }),
    ...(actual === undefined ? {} : { actual: exactRuleValue(actual) }),
  }));

/** Rules by which a pair is not bought, though its name may stay. */
const NOT_BOUGHT: ReadonlySet<string> = new Set(['SYMBOL_NOT_PERMITTED', 'NO_MARKET_ORDERS', 'NO_LIMIT_ORDERS']);

/**
 * What is wrong with settings, without pairs that the bot named before and no longer buys: its other settings, such as a
 * tighter stop of what it holds, must not wait for that.
 */
export function withoutNotBought(
  violations: readonly RuleViolation[],
  before: Pick<AutoTradeConfig, 'coins'> | undefined,
): RuleViolation[] {
  const named = new Set(before?.coins.symbols);
  return violations.filter(({ code, actual }) => !NOT_BOUGHT.has(code) || actual === undefined || !named.has(exactRuleValue(actual)));
}
