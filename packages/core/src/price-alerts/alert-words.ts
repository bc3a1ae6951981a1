/** What a word of a one-line alert means, in either language. Diacritics and case do not matter. */
export type AlertWord =
  | 'cross'
  | 'over'
  | 'under'
  | 'rise'
  | 'fall'
  | 'move'
  | 'enter'
  | 'exit'
  | 'out'
  | 'every'
  | 'from'
  | 'volume'
  | 'rsi'
  | 'ema'
  | 'sma'
  | 'macd'
  | 'bollinger'
  | 'upper'
  | 'middle'
  | 'lower'
  | 'listing'
  | 'status'
  | 'pnl'
  | 'target'
  | 'repeat'
  | 'once'
  | 'until'
  | 'acknowledged'
  | 'for'
  | 'forever'
  | 'via'
  | 'mid'
  | 'hysteresis'
  | 'now'
  | 'percent'
  | 'filler';

const LISTS: Readonly<Record<AlertWord, string>> = {
  cross: 'cross crosses crossing hits hit reaches ulasirsa keser keserse kesince',
  over: 'above over up exceeds ustu ustune ustunde uzeri uzerine uzerinde yukari gecerse gecince asarsa asinca buyukse',
  under: 'below under down alti altina altinda asagi kucukse',
  rise: 'rises rise rising gains gain pumps artarsa artinca yukselirse yukselince',
  fall: 'falls fall falling drops drop dips loses duserse dusunce inerse inince',
  move: 'moves move changes degisirse oynarsa',
  enter: 'enters enter inside girerse girince',
  exit: 'exits exit leaves leave outside disina disinda',
  out: 'cikarsa cikinca',
  every: 'every each her',
  from: 'from itibaren baslayarak',
  volume: 'volume vol hacim hacmi',
  rsi: 'rsi',
  ema: 'ema',
  sma: 'sma ma',
  macd: 'macd',
  bollinger: 'bollinger bb',
  upper: 'upper ustbant',
  middle: 'middle ortabant',
  lower: 'lower altbant',
  listing: 'listing listings listed liste listelenirse listeleme',
  status: 'status durum durumu',
  pnl: 'pnl profit return kar kari getiri getirisi',
  target: 'target hedef hedefe hedefi',
  repeat: 'repeat repeats repeating tekrar tekrarla',
  once: 'once birkez',
  until: 'until kadar',
  acknowledged: 'acknowledged ack onay onaylanana onaylayana',
  for: 'for boyunca',
  forever: 'forever suresiz',
  via: 'via kanal',
  mid: 'mid ortafiyat',
  hysteresis: 'hysteresis histerezis',
  now: 'now hemen',
  percent: 'percent pct yuzde',
  filler:
    'in at to by the of if when on than its is goes price candle candles close band bands signal new pair position within ' +
    'icinde olursa olunca fiyat fiyati gelirse gelince mum mumda kapanis kapanista ile gunu gunune gununde yeni parite pozisyon bant bandi sinyal sinyali ve ',
};

const MEANING = new Map<string, AlertWord>(
  (Object.keys(LISTS) as AlertWord[]).flatMap((word) =>
    LISTS[word]
      .split(' ')
      .filter(Boolean)
      .map((text): [string, AlertWord] => [text, word]),
  ),
);

const PLAIN: Readonly<Record<string, string>> = {
  ı: 'i',
  İ: 'i',
  I: 'i',
  ş: 's',
  ç: 'c',
  ğ: 'g',
  ö: 'o',
  ü: 'u',
  â: 'a',
  î: 'i',
  û: 'u',
  '×': 'x',
  '’': "'",
};

/** Lower case without diacritics, letter for letter, so that places stay where they are. */
export const foldWord = (text: string): string =>
  Array.from(text, (letter) => {
    const known = PLAIN[letter] ?? PLAIN[letter.toLowerCase()];
    if (known !== undefined) return known;
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  }).join('');

export const meaningOf = (folded: string): AlertWord | undefined => MEANING.get(folded) ?? MEANING.get(folded.replace(/'.*$/, ''));
/** Words that begin like what was typed: what may have been meant. */
export const wordsLike = (folded: string): string[] =>
  [...MEANING.keys()].filter((word) => folded.length >= 2 && word.startsWith(folded.slice(0, 2))).slice(0, 5);

const DAYS: readonly string[] = [
  'monday mon pazartesi pzt',
  'tuesday tue sali',
  'wednesday wed carsamba car',
  'thursday thu persembe per',
  'friday fri cuma',
  'saturday sat cumartesi cmt',
  'sunday sun pazar',
];
/** 1 Monday … 7 Sunday. */
export const weekdayOf = (folded: string): number | undefined => {
  const index = DAYS.findIndex((names) => names.split(' ').includes(folded.replace(/'.*$/, '')));
  return index < 0 ? undefined : index + 1;
};

const UNITS: readonly (readonly [minutes: number, names: string, onlyTurkish?: boolean])[] = [
  [1, 'm min minute minutes dk dakika'],
  [60, 'h hour hours sa saat'],
  [60, 's', true],
  [1440, 'd day days g gun'],
  [10_080, 'w week weeks hf hafta'],
];
/** Minutes of a unit of time; a bare `s` is an hour in Turkish and a second, of which there is no alert, in English. */
export const minutesOfUnit = (folded: string, language: 'en' | 'tr'): number | undefined =>
  UNITS.find(([, names, onlyTurkish]) => names.split(' ').includes(folded) && (onlyTurkish !== true || language === 'tr'))?.[0];
