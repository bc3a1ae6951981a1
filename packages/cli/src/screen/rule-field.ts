import { nearestWord } from '@pilotfish/core/fields/nearest-word';
import type { FilterFieldRef, FilterOption } from '@pilotfish/core/prices/screener-contract';
import { RuleError } from './rule-tokens.ts';

/** `rsi.1h` as one of the fields, with the timeframe it needs. @throws RuleError */
export function readField(text: string, fields: readonly FilterOption[]): { option: FilterOption; ref: FilterFieldRef } {
  const point = text.indexOf('.');
  const [key, frame] = point < 0 ? [text, undefined] : [text.slice(0, point), text.slice(point + 1)];
  const option = fields.find((each) => each.key === key) ?? fields.find((each) => each.key.toLowerCase() === key.toLowerCase());
  if (!option) {
    const allowed = fields.map((each) => each.key);
    throw new RuleError('unknownField', key, { allowed, meant: nearestWord(key, allowed) });
  }
  return { option, ref: { key: option.key, ...readTimeframe(frame, option) } };
}

function readTimeframe(frame: string | undefined, { key, timeframes }: Pick<FilterOption, 'key' | 'timeframes'>): { timeframe?: string } {
  if (timeframes === undefined) {
    if (frame !== undefined) throw new RuleError('noTimeframe', `${key}.${frame}`, { meant: key });
    return {};
  }
  if (frame === undefined) throw new RuleError('missingTimeframe', key, { allowed: timeframes, meant: `${key}.${timeframes[0]}` });
  if (timeframes.includes(frame)) return { timeframe: frame };
  const near = nearestWord(frame, timeframes);
  throw new RuleError('unknownTimeframe', frame, { allowed: timeframes, meant: near && `${key}.${near}` });
}
