import { currencyOfWord } from './alert-currency.ts';
import { ALERT_INTERVALS, type AlertConditionInput, CHANGE_WINDOWS, type ChangeWindow } from './alert-kinds.ts';
import type { AlertToken } from './alert-tokens.ts';
import type { AlertWord } from './alert-words.ts';
import { wordsLike } from './alert-words.ts';
import { GrammarRefusal } from './grammar-error.ts';

type Interval = (typeof ALERT_INTERVALS)[number];
const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080 };
const INTERVAL_OF = new Map(
  ALERT_INTERVALS.map((name): [number, Interval] => [Number(name.slice(0, -1)) * UNIT_MINUTES[name.slice(-1)]!, name]),
);
const WINDOW_OF = new Map(
  (Object.entries(CHANGE_WINDOWS) as [ChangeWindow, number][]).map(([name, minutes]): [number, ChangeWindow] => [minutes, name]),
);

/** What is left of a line once its pair and its modifiers are taken out, sorted by what it is. */
type Parts = {
  readonly words: ReadonlySet<AlertWord>;
  readonly relation: 'above' | 'below' | undefined;
  readonly numbers: readonly string[];
  /** The number that stands right after a sign or word of comparison. */
  readonly compared: string | undefined;
  readonly percents: Extract<AlertToken, { type: 'percent' }>[];
  readonly times: string | undefined;
  readonly range: { from: string; to: string } | undefined;
  readonly minutes: number | undefined;
  readonly minutesAt: AlertToken | undefined;
  readonly names: AlertToken[];
  readonly last: AlertToken | undefined;
};

function sorted(tokens: readonly AlertToken[]): Parts {
  const words = new Set<AlertWord>();
  const numbers: string[] = [];
  const percents: Parts['percents'] = [];
  const names: AlertToken[] = [];
  let relation: Parts['relation'];
  let compared: string | undefined;
  let times: string | undefined;
  let range: Parts['range'];
  let minutes: number | undefined;
  let minutesAt: AlertToken | undefined;
  let afterComparison = false;
  const once = (known: unknown, token: AlertToken): void => {
    if (known !== undefined) throw new GrammarRefusal('too-much', token);
  };
  const setMinutes = (token: AlertToken, value: number): void => {
    once(minutes, token);
    minutes = value;
    minutesAt = token;
  };
  for (const token of tokens) {
    const compares: boolean = afterComparison;
    afterComparison = false;
    switch (token.type) {
      case 'operator':
        once(relation, token);
        relation = token.relation;
        afterComparison = true;
        break;
      case 'word':
        words.add(token.word);
        afterComparison = ['over', 'under', 'cross', 'rise', 'fall', 'from'].includes(token.word) || (token.word === 'filler' && compares);
        break;
      case 'number':
        if (token.minutes !== undefined && !compares && !(words.has('volume') && relation !== undefined)) setMinutes(token, token.minutes);
        else {
          numbers.push(token.value);
          if (compares) compared = token.value;
        }
        break;
      case 'duration':
        setMinutes(token, token.minutes);
        break;
      case 'percent':
        percents.push(token);
        break;
      case 'times':
        once(times, token);
        times = token.value;
        break;
      case 'range':
        once(range, token);
        range = { from: token.from, to: token.to };
        break;
      case 'other':
        names.push(token);
        break;
      default:
        throw new GrammarRefusal('word-unknown', token);
    }
  }
  if (words.has('over')) relation ??= 'above';
  if (words.has('under')) relation ??= 'below';
  return { words, relation, numbers, compared, percents, times, range, minutes, minutesAt, names, last: tokens.at(-1) };
}

const whole = (text: string | undefined, at: AlertToken | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new GrammarRefusal('number-wrong', at);
  return Number(text);
};
const given = <Value, Name extends string>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };

/** No word resembles a currency: `USD` is not a mistyped `üstü`. */
const likeName = (folded: string): readonly string[] => (currencyOfWord(folded) === undefined ? wordsLike(folded) : []);

/** The condition that the tokens say. @throws GrammarRefusal with what is missing, too much, or not understood */
export function readCondition(tokens: readonly AlertToken[], isListing: boolean): AlertConditionInput {
  const parts = sorted(tokens);
  const { words, relation, numbers, percents, last, names } = parts;
  const allow = (limits: {
    numbers?: number;
    percents?: number;
    names?: number;
    minutes?: boolean;
    range?: boolean;
    times?: boolean;
  }): void => {
    if (names.length > (limits.names ?? 0)) throw new GrammarRefusal('word-unknown', names[0], likeName(names[0]!.folded));
    if (numbers.length > (limits.numbers ?? 0))
      throw new GrammarRefusal(
        'too-much',
        tokens.findLast((token) => token.type === 'number'),
      );
    if (percents.length > (limits.percents ?? 0)) throw new GrammarRefusal('too-much', percents.at(-1));
    if (parts.minutes !== undefined && limits.minutes !== true) throw new GrammarRefusal('too-much', parts.minutesAt);
    if (parts.range !== undefined && limits.range !== true)
      throw new GrammarRefusal(
        'too-much',
        tokens.find((token) => token.type === 'range'),
      );
    if (parts.times !== undefined && limits.times !== true)
      throw new GrammarRefusal(
        'too-much',
        tokens.find((token) => token.type === 'times'),
      );
  };
  const interval = (): { interval?: Interval } => {
    if (parts.minutes === undefined) return {};
    const name = INTERVAL_OF.get(parts.minutes);
    if (name === undefined) throw new GrammarRefusal('interval-unknown', parts.minutesAt, ALERT_INTERVALS);
    return { interval: name };
  };
  const related = (): 'above' | 'below' => {
    const found = relation ?? (words.has('rise') ? 'above' : words.has('fall') ? 'below' : undefined);
    if (found === undefined) throw new GrammarRefusal('condition-missing', last, ['>', '<']);
    return found;
  };
  const onePercent = (): Parts['percents'][number] => {
    const [found] = percents;
    if (found === undefined) throw new GrammarRefusal('percent-missing', last, ['5%']);
    return found;
  };
  const subjects = (['listing', 'status', 'rsi', 'ema', 'sma', 'macd', 'bollinger', 'volume', 'pnl', 'target'] as const).filter((word) =>
    words.has(word),
  );
  if (subjects.length > 1)
    throw new GrammarRefusal(
      'too-much',
      tokens.findLast((token) => token.type === 'word' && (subjects as readonly string[]).includes(token.word)),
    );

  if (isListing) {
    allow({ names: 1 });
    return { kind: 'newListing', ...given('quoteAsset', names[0]?.folded.toUpperCase()) };
  }
  switch (subjects[0]) {
    case 'status':
      allow({ names: 1 });
      return { kind: 'statusChange', ...given('status', names[0]?.folded.toUpperCase() as 'TRADING' | undefined) };
    case 'rsi': {
      allow({ numbers: 2, minutes: true });
      const value = parts.compared;
      if (value === undefined) throw new GrammarRefusal('level-missing', last, ['< 30']);
      const period = whole(
        numbers.find((number, index) => index !== numbers.lastIndexOf(value) || number !== value),
        last,
      );
      return { kind: 'rsi', relation: related(), value, ...given('period', period), ...interval() };
    }
    case 'ema':
    case 'sma': {
      allow({ numbers: 2, minutes: true });
      return {
        kind: subjects[0],
        relation: related(),
        ...given('period', whole(numbers[0], last)),
        ...given('slowPeriod', whole(numbers[1], last)),
        ...interval(),
      };
    }
    case 'macd': {
      allow({ numbers: 3, minutes: true });
      if (numbers.length !== 0 && numbers.length !== 3) throw new GrammarRefusal('level-missing', last, ['12 26 9']);
      const [fast, slow, signal] = numbers.map((number) => whole(number, last)!);
      return {
        kind: 'macd',
        relation: related(),
        ...given('fast', fast),
        ...given('slow', slow),
        ...given('signal', signal),
        ...interval(),
      };
    }
    case 'bollinger': {
      allow({ numbers: 2, minutes: true });
      const band = (['upper', 'middle', 'lower'] as const).find((name) => words.has(name));
      if (band === undefined) throw new GrammarRefusal('condition-missing', last, ['upper', 'lower']);
      return {
        kind: 'bollinger',
        band,
        relation: related(),
        ...given('period', whole(numbers[0], last)),
        ...given('deviations', numbers[1]),
        ...interval(),
      };
    }
    case 'volume': {
      if (parts.times !== undefined) {
        allow({ numbers: 1, minutes: true, times: true });
        return { kind: 'volumeSpike', times: parts.times, ...interval(), ...given('candles', whole(numbers[0], last)) };
      }
      allow({ numbers: 1 });
      if (numbers[0] === undefined) throw new GrammarRefusal('level-missing', last, ['x3', '> 10m']);
      if (relation === 'below' || words.has('fall')) throw new GrammarRefusal('condition-missing', last, ['>']);
      return { kind: 'volume', amount: numbers[0] };
    }
    case 'pnl':
      allow({ percents: 1 });
      return { kind: 'positionPnl', relation: related(), pct: `${onePercent().sign === '-' ? '-' : ''}${onePercent().value}` };
    case 'target':
      allow({ percents: 1 });
      return { kind: 'positionTarget', pct: onePercent().value };
    default:
      break;
  }
  if (parts.range !== undefined) {
    allow({ range: true });
    const event = words.has('enter') ? 'enter' : words.has('exit') || words.has('out') ? 'exit' : undefined;
    if (event === undefined) throw new GrammarRefusal('event-missing', last, ['enters', 'exits']);
    return { kind: 'channel', event, lower: parts.range.from, upper: parts.range.to };
  }
  if (words.has('every')) {
    allow({ numbers: 1, percents: 1 });
    return { kind: 'step', pct: onePercent().value, ...given('anchor', numbers[0]) };
  }
  if (percents.length > 0) {
    allow({ percents: 1, minutes: true });
    const { value, sign } = onePercent();
    if (parts.minutes === undefined) throw new GrammarRefusal('window-missing', last, Object.keys(CHANGE_WINDOWS));
    const window = WINDOW_OF.get(parts.minutes);
    if (window === undefined) throw new GrammarRefusal('window-unknown', parts.minutesAt, Object.keys(CHANGE_WINDOWS));
    const isUp = words.has('rise') || sign === '+' || relation === 'above';
    const isDown = words.has('fall') || sign === '-' || relation === 'below';
    if (isUp && isDown) throw new GrammarRefusal('too-much', percents[0]);
    return { kind: 'change', direction: isUp ? 'up' : isDown ? 'down' : 'either', pct: value, window };
  }
  allow({ numbers: 1 });
  const [level] = numbers;
  const moves = words.has('rise') || words.has('fall') || words.has('move');
  if (level === undefined)
    throw new GrammarRefusal(tokens.length === 0 ? 'condition-missing' : 'level-missing', last, moves ? ['5% 1h', '70k'] : ['> 70k']);
  const isCross = moves || words.has('cross') || words.has('out');
  if (!isCross && relation !== undefined) return { kind: relation, level };
  const up = relation === 'above' || words.has('rise') || words.has('out');
  const down = relation === 'below' || words.has('fall');
  if (up && down) throw new GrammarRefusal('too-much', last);
  return { kind: 'crosses', direction: up ? 'up' : down ? 'down' : 'either', level };
}
