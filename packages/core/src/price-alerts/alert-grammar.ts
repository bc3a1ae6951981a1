import { isName } from '../money/asset-name.ts';
import type { NotificationChannel } from '../notifications/notification-kinds.ts';
import { notificationChannel } from '../notifications/notification-kinds.ts';
import { endOfDay, nextWeekday } from '../time/calendar-day.ts';
import { readCondition } from './alert-conditions.ts';
import type { AlertConditionInput } from './alert-kinds.ts';
import type { AlertLanguage } from './alert-numbers.ts';
import { type PairOptions, pairOf } from './alert-pair.ts';
import { type AlertSentence, alertSentence } from './alert-sentence.ts';
import { type AlertToken, tokensOf } from './alert-tokens.ts';
import { wordsLike } from './alert-words.ts';
import { type GrammarError, GrammarRefusal } from './grammar-error.ts';
import { MAX_NOTE, type PriceAlertBody, type PriceAlertInput, priceAlertBody } from './price-alerts-contract.ts';

export type GrammarOptions = PairOptions & {
  readonly language: AlertLanguage;
  /** Epoch ms, for `for 7d` and `until fri`. */
  readonly now: number;
  /** IANA zone in which days end; UTC when left out. */
  readonly timeZone?: string;
};

export type ParsedAlert =
  | { readonly ok: true; readonly input: PriceAlertInput; readonly body: PriceAlertBody; readonly echo: AlertSentence }
  | { readonly ok: false; readonly error: GrammarError };

/** A step is counted again and again unless told otherwise; everything else fires once. */
export const defaultRepeat = (kind: PriceAlertBody['condition']['kind']): Pick<PriceAlertBody, 'repeat' | 'cooldownMin'> =>
  kind === 'step' ? { repeat: 'every', cooldownMin: 1 } : { repeat: 'once', cooldownMin: 60 };

/**
 * One line as an alert: `BTC > 70k`, `eth drops 5% in 1h`, `sol rsi 14 1h < 30 repeat every 2h # note`. Words of both
 * languages are known in both; numbers follow the language. Nothing is guessed: what can be read in two ways, and
 * every word that was not understood, is refused with its place.
 */
export function parseAlert(text: string, options: GrammarOptions): ParsedAlert {
  try {
    return parse(text, options);
  } catch (error) {
    if (error instanceof GrammarRefusal) return { ok: false, error: error.error };
    throw error;
  }
}

function parse(text: string, options: GrammarOptions): ParsedAlert {
  const hash = text.indexOf('#');
  const note = hash < 0 ? '' : text.slice(hash + 1).trim();
  if (note.length > MAX_NOTE) throw new GrammarRefusal('note-too-long', { at: hash, raw: note.slice(0, 20) }, [String(MAX_NOTE)]);
  const found = tokensOf(hash < 0 ? text : text.slice(0, hash), options.language);
  if (!Array.isArray(found)) throw new GrammarRefusal(found.code, found, found.suggestions);
  if (found.length === 0) throw new GrammarRefusal('empty', undefined, ['BTC > 70k']);
  const tokens = [...found];
  // A new listing is of no pair; everything else begins with one.
  const isListing = tokens.some((token) => token.type === 'word' && token.word === 'listing');
  const symbol = isListing ? undefined : pairOf(text, tokens.shift()!, tokens, options);
  const settings = modifiersOf(tokens, options);
  const condition: AlertConditionInput = readCondition(tokens, isListing);
  const input: PriceAlertInput = {
    ...(symbol === undefined ? {} : { symbol }),
    condition,
    ...defaultRepeat(condition.kind),
    ...settings,
    ...(note === '' ? {} : { note }),
  };
  const checked = priceAlertBody.safeParse(input);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const limit = issue?.code === 'custom' ? issue.params?.limit : undefined;
    throw new GrammarRefusal('out-of-range', { at: 0, raw: String(issue?.path.at(-1) ?? '') }, typeof limit === 'string' ? [limit] : []);
  }
  return { ok: true, input, body: checked.data, echo: alertSentence(checked.data) };
}

const CHANNEL_NAMES: readonly string[] = notificationChannel.options;

/** Everything said of how the alert behaves; taken out of the tokens, so that only the condition is left. */
function modifiersOf(tokens: AlertToken[], { now, timeZone = 'UTC' }: GrammarOptions): Partial<PriceAlertInput> {
  const settings: { -readonly [Key in keyof PriceAlertInput]?: PriceAlertInput[Key] } = {};
  const isWord = (token: AlertToken | undefined, word: string) => token?.type === 'word' && token.word === word;
  const minutes = (token: AlertToken | undefined) =>
    token?.type === 'duration' ? token.minutes : token?.type === 'number' ? token.minutes : undefined;
  const until = (token: AlertToken | undefined): number | undefined => {
    if (token?.type === 'day') return nextWeekday(now, token.day, timeZone);
    if (token?.type !== 'date') return undefined;
    const at = token.text.includes('T') ? Date.parse(token.text) : endOfDay(token.text, timeZone);
    if (Number.isNaN(at) || at <= now) throw new GrammarRefusal('date-unknown', token);
    return at;
  };
  const isFiller = (token: AlertToken | undefined) => isWord(token, 'filler');
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    const take = (from: number, count: number): void => {
      tokens.splice(from, count);
      index = Math.max(-1, from - 1);
    };
    if (isWord(token, 'repeat')) {
      settings.repeat = 'every';
      settings.cooldownMin ??= 60;
      take(index, 1);
    } else if (isWord(token, 'once')) {
      settings.repeat = 'once';
      settings.cooldownMin = 60;
      take(index, 1);
    } else if (isWord(token, 'every') && minutes(tokens[index + 1]) !== undefined) {
      settings.repeat = settings.repeat === 'untilAcknowledged' ? settings.repeat : 'every';
      settings.cooldownMin = minutes(tokens[index + 1])!;
      take(index, 2);
    } else if (isWord(token, 'until') || isWord(token, 'for')) {
      // English says it before, Turkish after: `until fri`, `cuma gününe kadar`.
      let back = index - 1;
      while (isFiller(tokens[back])) back -= 1;
      const places = [index + 1, back];
      const place = places.find((each) => {
        const other = tokens[each];
        return token.type === 'word' && token.word === 'for'
          ? minutes(other) !== undefined
          : isWord(other, 'acknowledged') || other?.type === 'day' || other?.type === 'date';
      });
      const other = place === undefined ? undefined : tokens[place];
      if (place === undefined || other === undefined)
        throw new GrammarRefusal('date-unknown', tokens[index + 1] ?? token, ['fri', '2026-12-31', '7d']);
      if (isWord(other, 'acknowledged')) settings.repeat = 'untilAcknowledged';
      else {
        const at = isWord(token, 'for') ? now + minutes(other)! * 60_000 : until(other)!;
        settings.expiresAt = new Date(at).toISOString();
      }
      take(Math.min(index, place), Math.abs(index - place) + 1);
    } else if (isWord(token, 'forever')) {
      settings.expiresAt = null;
      take(index, 1);
    } else if (isWord(token, 'mid')) {
      settings.priceSource = 'mark-mid';
      take(index, 1);
    } else if (isWord(token, 'now')) {
      settings.fireIfTrue = true;
      take(index, 1);
    } else if (isWord(token, 'hysteresis')) {
      const amount = tokens[index + 1];
      if (amount?.type !== 'percent') throw new GrammarRefusal('percent-missing', amount ?? token, ['0.5%']);
      settings.hysteresisPct = amount.value;
      take(index, 2);
    } else if (isWord(token, 'via')) {
      const list = tokens[index + 1];
      const names = (list?.folded ?? '').split(',').filter(Boolean);
      const unknown = names.find((name) => !CHANNEL_NAMES.includes(name));
      if (names.length === 0 || unknown !== undefined) throw new GrammarRefusal('channel-unknown', list ?? token, CHANNEL_NAMES);
      settings.channels = [...new Set(names as NotificationChannel[])];
      take(index, 2);
    }
  }
  const stranger = tokens.find((token) => token.type === 'other' && !isName(token.raw.toUpperCase().replaceAll('_', '')));
  if (stranger !== undefined) throw new GrammarRefusal('word-unknown', stranger, wordsLike(stranger.folded));
  return settings;
}
