import { type ParsedAlert, parseAlert } from '@pilotfish/core/price-alerts/alert-grammar';
import type { AlertLanguage } from '@pilotfish/core/price-alerts/alert-numbers';
import { printAlert } from '@pilotfish/core/price-alerts/alert-printer';
import type { GrammarError } from '@pilotfish/core/price-alerts/grammar-error';
import type { PriceAlertBody } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { shownTimeZone } from '../ui/fields/field-time.ts';

/** A bare coin is meant in this one. */
export const LINE_QUOTE = 'USDT';

export type LineOptions = { readonly symbols: readonly string[]; readonly language: AlertLanguage; readonly now: number };

export const readLine = (line: string, { symbols, language, now }: LineOptions): ParsedAlert =>
  parseAlert(line, { symbols, quote: LINE_QUOTE, language, now, timeZone: shownTimeZone() });

/** What a line that begins with no pair is refused with. */
const NO_PAIR = new Set<GrammarError['code']>(['symbol-missing', 'symbol-unknown']);

/**
 * A line beside a pair: `> 100,000` is meant for it, as every line is that names no other. Places in a refusal are those
 * of the line as it was typed.
 */
export function readLineFor(symbol: string, line: string, options: LineOptions): ParsedAlert {
  const plain = readLine(line, options);
  if (!plain.ok && !NO_PAIR.has(plain.error.code)) return plain;
  const named = readLine(`${symbol} ${line}`, options);
  // Coins are called MOVE or UP, too: a line that can be meant for the pair is, and the whole symbol names another.
  if (plain.ok) return named.ok ? named : plain;
  // A coin that is not listed here is named, and nothing is guessed in its place.
  if (named.ok || plain.error.code === 'symbol-unknown') return named.ok ? named : plain;
  const position = named.error.position - symbol.length - 1;
  return position < 0 ? plain : { ok: false, error: { ...named.error, position } };
}

/** An alert as a line; empty for what one line cannot say. */
export const lineOf = (body: PriceAlertBody | undefined, language: AlertLanguage): string =>
  body === undefined ? '' : (printAlert(body, language) ?? '');

/** Refusals that miss something: what is offered comes after the word they point at. */
const MISSES = new Set<GrammarError['code']>(['condition-missing', 'level-missing', 'window-missing', 'event-missing', 'percent-missing']);

/** Words that want something after them, which refusals point at when nothing stands there. */
const KEYWORD = /^(?:until|for|kadar|boyunca|via|kanal)$/i;

/** The line with what was offered in its place. */
export function acceptSuggestion(line: string, { code, position, text }: GrammarError, suggestion: string): string {
  if (code === 'empty') return suggestion;
  const end = position + text.length;
  // A sign that stands there already is not wanted twice.
  const isSaid = /^[<>]/.test(text) && suggestion.startsWith(text.charAt(0));
  const comesAfter = MISSES.has(code) || KEYWORD.test(text);
  if (comesAfter && !isSaid) return [line.slice(0, end).trimEnd(), suggestion, line.slice(end).trimStart()].filter(Boolean).join(' ');
  return `${line.slice(0, position)}${suggestion}${line.slice(end)}`;
}

/** The line in three: before what was refused, that itself, and after it. */
export const aroundError = (line: string, { position, text }: GrammarError): [string, string, string] => [
  line.slice(0, position),
  line.slice(position, position + text.length),
  line.slice(position + text.length),
];
