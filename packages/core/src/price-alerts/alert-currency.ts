/** Assets a sign of money stands for: the money first, or what most pairs have for it, and coins that are worth one of it. */
const ASSETS_OF_SIGN: Readonly<Record<string, readonly string[]>> = {
  $: ['USDT', 'USDC', 'FDUSD', 'USD', 'TUSD', 'BUSD', 'USDP', 'DAI', 'USD1', 'USDS'],
  '€': ['EUR', 'EURI', 'AEUR'],
  '₺': ['TRY'],
  '£': ['GBP'],
  '¥': ['JPY'],
  '₽': ['RUB'],
  '₴': ['UAH'],
};

/** What people write for a sign. */
const SIGN_OF_WORD: Readonly<Record<string, string>> = {
  usd: '$',
  dollar: '$',
  dollars: '$',
  dolar: '$',
  eur: '€',
  euro: '€',
  euros: '€',
  avro: '€',
  try: '₺',
  tl: '₺',
  lira: '₺',
  gbp: '£',
  jpy: '¥',
  rub: '₽',
  uah: '₴',
};

const CODES = ['BTC', 'ETH', 'BNB', 'PLN', 'BRL', 'ARS', 'ZAR', 'NGN', 'RON', 'AUD', 'CZK', 'MXN', 'COP', 'IDR'];

/** Quote assets a line can name. `USD`, `EUR`, `TRY` … stand for their symbol and every coin worth one; any other code only for itself. */
export const ALERT_QUOTES: ReadonlySet<string> = new Set([...Object.values(ASSETS_OF_SIGN).flat(), ...CODES]);

/** The currency of a folded word behind an amount: a sign, or the code of an asset; undefined for another word. */
export const currencyOfWord = (folded: string): string | undefined => {
  const code = folded.toUpperCase();
  return SIGN_OF_WORD[folded] ?? (ALERT_QUOTES.has(code) ? code : undefined);
};

/** The assets that a currency stands for, the first of them meant before the others. */
export const assetsOfCurrency = (currency: string): readonly string[] => ASSETS_OF_SIGN[currency] ?? [currency];
