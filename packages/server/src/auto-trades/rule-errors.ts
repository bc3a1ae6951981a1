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
