import { isName } from '../money/asset-name.ts';
import { ALERT_QUOTES, assetsOfCurrency, currencyOfWord } from './alert-currency.ts';
import type { AlertToken } from './alert-tokens.ts';
import { foldWord } from './alert-words.ts';
import { GrammarRefusal } from './grammar-error.ts';

export type PairOptions = {
  /** Pairs of the exchange. */
  readonly symbols: readonly string[];
  /** Quote asset that a bare coin is meant in, e.g. `USDT`. */
  readonly quote: string;
};

/**
 * The pair a coin is meant in: as it is written, else that of the currency beside the number, else that of the usual
 * quote. A sign is never dropped: where it fits no pair, what could be meant is offered. Nothing similar is taken.
 * @param text the line, for the place of what does not fit
 * @param rest everything after the coin
 */
export function pairOf(text: string, token: AlertToken, rest: readonly AlertToken[], { symbols, quote }: PairOptions): string {
  const typed = foldWord(token.raw).toUpperCase().replace(/'.*$/, '').replace(/[/_-]/g, '');
  const [amount, ...more] = rest.filter((each) => 'currency' in each && each.currency !== undefined);
  const sign = signOf(amount);
  const other = more.find((each) => signOf(each) !== sign);
  if (other !== undefined) throw new GrammarRefusal('currency-other', other);
  const wanted = sign === undefined ? [quote] : assetsOfCurrency(sign).toSorted((a, b) => Number(b === quote) - Number(a === quote));
  const refuse = (pairs: readonly (string | undefined)[]): never => {
    const end = amount!.at + amount!.raw.length;
    const between = text.slice(token.at + token.raw.length, amount!.at);
    const bare = withoutCurrency(amount!.raw.replaceAll(sign!, '').trim());
    const suggestions = pairs.filter((pair) => pair !== undefined).map((pair) => `${pair}${between}${bare}`);
    throw new GrammarRefusal('currency-other', { at: token.at, raw: text.slice(token.at, end) }, suggestions);
  };
  /** The pair of a coin in that currency; undefined where there are several, and none in the first of its assets. */
  const pairIn = (coin: string): string | undefined => {
    const known = wanted.map((asset) => `${coin}${asset}`).filter((pair) => symbols.includes(pair));
    return known.length === 1 || known[0] === `${coin}${wanted[0]}` ? known[0] : undefined;
  };
  if (symbols.includes(typed)) {
    if (sign === undefined || wanted.some((asset) => typed.endsWith(asset))) return typed;
    const coins = [...ALERT_QUOTES, quote].filter((asset) => typed.endsWith(asset)).map((asset) => typed.slice(0, -asset.length));
    return refuse([coins.map(pairIn).find((pair) => pair !== undefined), typed]);
  }
  const usual = `${typed}${quote}`;
  const found = pairIn(typed);
  if (found !== undefined) return found;
  if (sign !== undefined && symbols.includes(usual)) return refuse([usual]);
  const like = isName(typed) ? symbols.filter((symbol) => symbol.startsWith(typed)).slice(0, 5) : [];
  if (like.length === 0 && (token.type === 'operator' || token.type === 'percent' || token.type === 'word'))
    throw new GrammarRefusal('symbol-missing', token, [`BTC ${token.raw}`]);
  throw new GrammarRefusal('symbol-unknown', token, like);
}

/** An amount without the word of its currency: `60 bin EUR'ya` is `60 bin`, and `EUR 60 bin` as well. */
const withoutCurrency = (raw: string): string => {
  const unlessCurrency = (all: string, word: string) => (currencyOfWord(foldWord(word)) === undefined ? all : '');
  return raw.replace(/^(\p{L}+)\s*(?=\d)/u, unlessCurrency).replace(/\s*(\p{L}[\p{L}\d]*)(?:['’]\p{L}*)?$/u, unlessCurrency);
};

const signOf = (token: AlertToken | undefined): string | undefined =>
  token !== undefined && 'currency' in token ? token.currency : undefined;
