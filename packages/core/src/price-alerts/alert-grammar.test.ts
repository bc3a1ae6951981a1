import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../testing/tiers.ts';
import { parseAlert } from './alert-grammar.ts';
import { ALERT_INTERVALS, ALERT_KINDS, type AlertConditionInput, type AlertKind, BOT_EVENTS, CHANGE_WINDOWS } from './alert-kinds.ts';
import { printAlert } from './alert-printer.ts';
import { priceAlertBody } from './price-alerts-contract.ts';

const NOW = Date.UTC(2026, 10, 18, 12); // a Wednesday
const symbols = ['BTCUSDT', 'BTCTRY', 'ETHUSDT', 'SOLUSDT', 'BNBUSDT', 'ADAUSDT', 'PEPEUSDC', 'PEPEFDUSD', '1INCHUSDT', '币安人生USDT'];
const read = (text: string, language: 'en' | 'tr' = 'en') => parseAlert(text, { symbols, quote: 'USDT', language, now: NOW });
const input = (text: string, language: 'en' | 'tr' = 'en') => {
  const parsed = read(text, language);
  if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.error)}`);
  return parsed.input;
};
const refusal = (text: string, language: 'en' | 'tr' = 'en') => {
  const parsed = read(text, language);
  if (parsed.ok) throw new Error(`${text} was read as ${JSON.stringify(parsed.input)}`);
  return parsed.error;
};

describe('what one line can say', () => {
  const cases: [string, 'en' | 'tr', string | undefined, AlertConditionInput][] = [
    ['BTC > 70k', 'en', 'BTCUSDT', { kind: 'above', level: '70000' }],
    ['btc<65.5k', 'en', 'BTCUSDT', { kind: 'below', level: '65500' }],
    ['btc crosses below 65,5k', 'en', 'BTCUSDT', { kind: 'crosses', direction: 'down', level: '65500' }],
    ['BTC/TRY hits 3m', 'en', 'BTCTRY', { kind: 'crosses', direction: 'either', level: '3000000' }],
    ['eth drops 5% in 1h', 'en', 'ETHUSDT', { kind: 'change', direction: 'down', pct: '5', window: '1h' }],
    ['eth +5% 24h', 'en', 'ETHUSDT', { kind: 'change', direction: 'up', pct: '5', window: '24h' }],
    ['eth moves 3 % in 1 day', 'en', 'ETHUSDT', { kind: 'change', direction: 'either', pct: '3', window: '24h' }],
    ['sol rsi 14 1h < 30', 'en', 'SOLUSDT', { kind: 'rsi', relation: 'below', value: '30', period: 14, interval: '1h' }],
    ['sol rsi below 30', 'en', 'SOLUSDT', { kind: 'rsi', relation: 'below', value: '30' }],
    ['sol rsi 30 < 30', 'en', 'SOLUSDT', { kind: 'rsi', relation: 'below', value: '30', period: 30 }],
    ['BTC every 2%', 'en', 'BTCUSDT', { kind: 'step', pct: '2' }],
    ['BTC every 2% from 65k', 'en', 'BTCUSDT', { kind: 'step', pct: '2', anchor: '65000' }],
    ['bnb volume x3', 'en', 'BNBUSDT', { kind: 'volumeSpike', times: '3' }],
    ['bnb volume > 5m', 'en', 'BNBUSDT', { kind: 'volume', amount: '5000000' }],
    ['BTC 60k-70k exits', 'en', 'BTCUSDT', { kind: 'channel', event: 'exit', lower: '60000', upper: '70000' }],
    ['BTC enters 60-70k', 'en', 'BTCUSDT', { kind: 'channel', event: 'enter', lower: '60000', upper: '70000' }],
    ['btc ema 20 > ema 50 4h', 'en', 'BTCUSDT', { kind: 'ema', relation: 'above', period: 20, slowPeriod: 50, interval: '4h' }],
    ['btc above sma 200 1d', 'en', 'BTCUSDT', { kind: 'sma', relation: 'above', period: 200, interval: '1d' }],
    ['btc macd 1h above signal', 'en', 'BTCUSDT', { kind: 'macd', relation: 'above', interval: '1h' }],
    ['btc < lower bollinger 15m', 'en', 'BTCUSDT', { kind: 'bollinger', band: 'lower', relation: 'below', interval: '15m' }],
    ['new listing USDT', 'en', undefined, { kind: 'newListing', quoteAsset: 'USDT' }],
    ['btc status HALT', 'en', 'BTCUSDT', { kind: 'statusChange', status: 'HALT' }],
    ['eth pnl < -5%', 'en', 'ETHUSDT', { kind: 'positionPnl', relation: 'below', pct: '-5' }],
    ['eth target within 1%', 'en', 'ETHUSDT', { kind: 'positionTarget', pct: '1' }],
    ['eth %5 düşerse 1s içinde', 'tr', 'ETHUSDT', { kind: 'change', direction: 'down', pct: '5', window: '1h' }],
    ['ETH 1 SAAT İÇİNDE %5 DÜŞERSE', 'tr', 'ETHUSDT', { kind: 'change', direction: 'down', pct: '5', window: '1h' }],
    ['BTC 70 bini geçerse', 'tr', 'BTCUSDT', { kind: 'above', level: '70000' }],
    ["btc'nin fiyatı 65,5k altına inerse", 'tr', 'BTCUSDT', { kind: 'crosses', direction: 'down', level: '65500' }],
    ['BTC 60 bin aşağı keserse', 'tr', 'BTCUSDT', { kind: 'crosses', direction: 'down', level: '60000' }],
    ['BTC 60k-70k dışına çıkarsa', 'tr', 'BTCUSDT', { kind: 'channel', event: 'exit', lower: '60000', upper: '70000' }],
    ['ADA > 1,234', 'tr', 'ADAUSDT', { kind: 'above', level: '1.234' }],
    ['BTC > 1.234.567,8', 'tr', 'BTCUSDT', { kind: 'above', level: '1234567.8' }],
    ['BTC > 1,234,567', 'en', 'BTCUSDT', { kind: 'above', level: '1234567' }],
    ['ADA > 0.125', 'tr', 'ADAUSDT', { kind: 'above', level: '0.125' }],
    ['bnb hacim 3x 4h', 'tr', 'BNBUSDT', { kind: 'volumeSpike', times: '3', interval: '4h' }],
    ['币安人生 > 0.2', 'en', '币安人生USDT', { kind: 'above', level: '0.2' }],
    ["币安人生usdt'nin fiyatı 0,2'yi geçerse", 'tr', '币安人生USDT', { kind: 'above', level: '0.2' }],
    ['1inch > 2', 'en', '1INCHUSDT', { kind: 'above', level: '2' }],
  ];
  test.each(cases)('%s (%s)', (text, language, symbol, condition) => {
    const found = input(text, language);
    expect(found.symbol).toBe(symbol);
    expect(found.condition).toEqual(condition);
  });

  test('how often, until when, and a note', () => {
    expect(input('BTC > 70k repeat')).toMatchObject({ repeat: 'every', cooldownMin: 60 });
    expect(input('BTC > 70k every 30m')).toMatchObject({ repeat: 'every', cooldownMin: 30 });
    expect(input('BTC > 70k her 2 saat', 'tr')).toMatchObject({ repeat: 'every', cooldownMin: 120 });
    expect(input('BTC > 70k until ack every 5m')).toMatchObject({ repeat: 'untilAcknowledged', cooldownMin: 5 });
    expect(input('BTC every 2%')).toMatchObject({ repeat: 'every', cooldownMin: 1 });
    expect(input('BTC > 70k')).toMatchObject({ repeat: 'once' });
    expect(input('BTC > 70k for 7d').expiresAt).toBe('2026-11-25T12:00:00.000Z');
    expect(input('BTC > 70k 7 gün boyunca', 'tr').expiresAt).toBe('2026-11-25T12:00:00.000Z');
    expect(input('BTC > 70k until fri').expiresAt).toBe('2026-11-21T00:00:00.000Z');
    expect(input('BTC > 70k cuma gününe kadar', 'tr').expiresAt).toBe('2026-11-21T00:00:00.000Z');
    expect(input('BTC > 70k until 2026-12-31').expiresAt).toBe('2027-01-01T00:00:00.000Z');
    expect(input('BTC > 70k forever').expiresAt).toBeNull();
    expect(input('BTC > 70k # sell the rest, #2').note).toBe('sell the rest, #2');
    expect(input('BTC > 70k via app,telegram mid hysteresis 1%')).toMatchObject({
      channels: ['app', 'telegram'],
      priceSource: 'mark-mid',
      hysteresisPct: '1',
    });
    const local = parseAlert('BTC > 70k until fri', { symbols, quote: 'USDT', language: 'en', now: NOW, timeZone: 'Europe/Istanbul' });
    expect(local.ok && local.input.expiresAt).toBe('2026-11-20T21:00:00.000Z');
  });
});

describe('what is refused, where, and with what instead', () => {
  test.each([
    ['', 'en', 'empty', 0, undefined],
    ['> 70k', 'en', 'symbol-missing', 0, 'BTC >'],
    ['PEPE > 1', 'en', 'symbol-unknown', 0, 'PEPEUSDC'],
    ['DOGEX > 1', 'en', 'symbol-unknown', 0, undefined],
    ['BTC > 65,500', 'en', 'number-ambiguous', 6, '65500'],
    ['BTC > 65.500', 'tr', 'number-ambiguous', 6, '65500'],
    ['BTC > 65.500', 'tr', 'number-ambiguous', 6, '65,500'],
    // Short for bin, or for billion: never guessed.
    ['BTC > 70b', 'tr', 'number-ambiguous', 6, '70 bin'],
    ['BTC 60-70b', 'tr', 'number-ambiguous', 4, '60-70milyar'],
    ['BTC > 1.234,5', 'en', 'number-wrong', 6, undefined],
    ['BTC', 'en', 'condition-missing', 0, undefined],
    ['BTC crosses', 'en', 'level-missing', 4, undefined],
    ['BTC drops', 'en', 'level-missing', 4, '5% 1h'],
    ['BTC drops 100% in 1h', 'en', 'out-of-range', 0, '0.01 – 99.99'],
    ['BTC drops 5%', 'en', 'window-missing', 10, '1h'],
    ['BTC drops 5% in 2h', 'en', 'window-unknown', 16, '1h'],
    ['BTC 60k-70k', 'en', 'event-missing', 4, 'exits'],
    ['BTC > 70k 80k', 'en', 'too-much', 10, undefined],
    ['BTC abouve 70k', 'en', 'word-unknown', 4, 'above'],
    ['BTC rsi 14 7m < 30', 'en', 'interval-unknown', 11, '15m'],
    ['BTC rises 5% drops in 1h', 'en', 'too-much', 10, undefined],
    ['BTC > 70k via fax', 'en', 'channel-unknown', 14, 'telegram'],
    ['BTC > 70k until yesterday', 'en', 'date-unknown', 16, undefined],
    ['BTC > 70k until 2020-01-01', 'en', 'date-unknown', 16, undefined],
    ['BTC drops 5% in 60s', 'en', 'word-unknown', 16, undefined],
    ['BTC rsi < 130', 'en', 'out-of-range', 0, '0 – 100'],
    [`BTC > 1 # ${'x'.repeat(201)}`, 'en', 'note-too-long', 8, '200'],
  ] as const)('%s (%s): %s', (text, language, code, position, suggestion) => {
    const error = refusal(text, language);
    expect(error).toMatchObject({ code, position });
    if (suggestion !== undefined) expect(error.suggestions).toContain(suggestion);
  });

  test('a line of anything is read or refused, never thrown over', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'BTC',
        '>',
        '<',
        '70k',
        '5%',
        '%5',
        '1h',
        '5m',
        'every',
        'until',
        'fri',
        'x3',
        '60k-70k',
        'rsi',
        'via',
        'for',
        'her',
        'kadar',
        '%',
        'x',
        '-',
        '€',
        '$60',
        "70'000",
        '000',
      ),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('en' as const, 'tr' as const), (pieces, language) => {
        const parsed = read(pieces.join(' '), language);
        if (parsed.ok) expect(priceAlertBody.safeParse(parsed.input).success).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('thousands and money as people write them', () => {
  test.each([
    ["BTC > 70'000", 'en', '70000'],
    ['BTC > 70’000', 'tr', '70000'],
    ["BTC > 1'234'567.5", 'en', '1234567.5'],
    ["BTC > 70'000,50", 'en', '70000.5'],
    ['BTC > 70 000', 'en', '70000'],
    ['BTC>70\u00a0000', 'en', '70000'],
    ['BTC > 70\u202f000 repeat', 'en', '70000'],
    ['BTC > 1\u2009234\u2009567,8', 'tr', '1234567.8'],
    ['BTC > 70 500 every 30m', 'en', '70500'],
    ['BTC > 70,000.50', 'en', '70000.5'],
    ['BTC > 70.000,50', 'tr', '70000.5'],
    ["BTC > 70'e", 'tr', '70'],
    ["BTC > 70'bin", 'tr', '70000'],
    ["BTC > 70'bini", 'tr', '70000'],
    ["BTC > 70'in", 'tr', '70'],
    ["BTC > 70'sa", 'tr', '70'],
    ["BTC > 70'000'e", 'tr', '70000'],
    ["BTC > 70 000'i", 'tr', '70000'],
    ["BTC > 70k'yı", 'tr', '70000'],
    ['BTC > $70 000', 'en', '70000'],
    ['BTC > 1 500 bin', 'tr', '1500000'],
  ] as const)('%s (%s) is %s', (text, language, level) => {
    expect(input(text, language)).toMatchObject({ symbol: 'BTCUSDT', condition: { kind: 'above', level } });
  });

  test.each([
    ["BTC exits 60'000-70'000", '60000', '70000'],
    ['BTC exits 60 000 – 70 000', '60000', '70000'],
    ['BTC exits 60 000-70 000', '60000', '70000'],
    ['BTC exits 60\u00a0000\u00a0–\u00a070\u00a0000', '60000', '70000'],
    ['BTC exits 60k - 70k', '60000', '70000'],
    ['BTC exits 60 - 70k', '60000', '70000'],
    ['BTC exits $60,000.50-$70,000.50', '60000.5', '70000.5'],
  ])('%s is a range', (text, lower, upper) => {
    expect(input(text).condition).toEqual({ kind: 'channel', event: 'exit', lower, upper });
  });

  test('numbers side by side stay two', () => {
    expect(input('btc ema 50 > 200 4h').condition).toMatchObject({ period: 50, slowPeriod: 200 });
    expect(input('btc ema 50 200 4h above').condition).toMatchObject({ period: 50, slowPeriod: 200 });
    expect(input('eth rises % 5 240 min').condition).toMatchObject({ pct: '5', window: '4h' });
    expect(input("eth %5'e 240 dk yükselirse", 'tr').condition).toMatchObject({ pct: '5', window: '4h' });
    const digits = parseAlert('4 200 crosses', { symbols: ['4USDT'], quote: 'USDT', language: 'en', now: NOW });
    expect(digits).toMatchObject({ ok: true, input: { symbol: '4USDT', condition: { level: '200' } } });
  });

  test.each([
    ["BTC > 70'00", 'en', 'number-wrong', 6, "70'00", []],
    ["BTC > 7'0000", 'en', 'number-wrong', 6, "7'0000", []],
    ["BTC > 0'500", 'en', 'number-wrong', 6, "0'500", []],
    ["BTC > 70'000,000.5", 'en', 'number-wrong', 6, "70'000,000.5", []],
    ["BTC > 70 000'000", 'en', 'number-wrong', 9, "000'000", []],
    ["BTC drops %1'00 in 1h", 'en', 'number-wrong', 10, "%1'00", []],
    ['BTC > 1.234,5', 'en', 'number-wrong', 6, '1.234,5', ['1234.5']],
    ['BTC > 1,234.5', 'tr', 'number-wrong', 6, '1,234.5', ['1234,5']],
    ['BTC > 1.234.567', 'en', 'number-wrong', 6, '1.234.567', ['1234567']],
    ['BTC > 1.2,3.4', 'en', 'number-wrong', 6, '1.2,3.4', []],
    ['BTC > 70.000', 'en', 'number-ambiguous', 6, '70.000', ['70000', '70']],
    ['BTC > €65,500', 'en', 'number-ambiguous', 6, '€65,500', ['€65500', '€65.500']],
    ["BTC > 65.500'e", 'tr', 'number-ambiguous', 6, "65.500'e", ["65500'e", "65,500'e"]],
    ['BTC exits 60,000 – 70,000', 'en', 'number-ambiguous', 10, '60,000 – 70,000', ['60000 – 70000', '60.000 – 70.000']],
    ['BTC exits 60k-70b', 'tr', 'number-ambiguous', 10, '60k-70b', ['60k-70bin', '60k-70milyar']],
    ['BTC exits 60 700', 'en', 'number-ambiguous', 10, '60 700', ['60700', '60-700']],
    ['BTC exits 60 000 700 000', 'en', 'number-ambiguous', 10, '60 000 700 000', ['60000700000', '60 000-700 000']],
    ['BTC 60 70', 'en', 'too-much', 7, '70', []],
    ['BTC > 70 00', 'en', 'too-much', 9, '00', []],
    ['BTC > 7 0000', 'en', 'too-much', 8, '0000', []],
    ['BTC > 70 500 d', 'en', 'too-much', 9, '500 d', []],
    ['BTC > 70 000 80 000', 'en', 'too-much', 13, '80 000', []],
    ['BTC > 70`000', 'en', 'word-unknown', 6, '70`000', []],
  ] as const)('%s (%s) is refused: %s', (text, language, code, position, word, suggestions) => {
    expect(refusal(text, language)).toMatchObject({ code, position, text: word, suggestions });
  });

  const moneyed = (text: string, language: 'en' | 'tr' = 'en') =>
    parseAlert(text, {
      symbols: [...symbols, 'BTCEUR', 'BTCEURI', 'BTCUSDC', 'BTCFDUSD', 'ETHBTC', 'EURUSDT'],
      quote: 'USDT',
      language,
      now: NOW,
    });
  test.each([
    ['BTC > €60000', 'en', 'BTCEUR', '60000'],
    ['BTC > 60000€', 'en', 'BTCEUR', '60000'],
    ['BTC>€ 60 000', 'en', 'BTCEUR', '60000'],
    ['BTC > 60.000,5 ₺', 'tr', 'BTCTRY', '60000.5'],
    ["BTC > 3m ₺'yi", 'tr', 'BTCTRY', '3000000'],
    ['BTC > 60 bin €', 'tr', 'BTCEUR', '60000'],
    ["BTC > 60 bin€'ya", 'tr', 'BTCEUR', '60000'],
    ['BTCEUR > €60k', 'en', 'BTCEUR', '60000'],
    ['BTC/EUR > 60000', 'en', 'BTCEUR', '60000'],
    ['BTC > 60000 EUR', 'en', 'BTCEUR', '60000'],
    ['btc > 60k eur', 'en', 'BTCEUR', '60000'],
    ['BTC > 60000EUR', 'en', 'BTCEUR', '60000'],
    ["BTC > 60 bin euro'ya", 'tr', 'BTCEUR', '60000'],
    ['BTC > 60000 dolar', 'tr', 'BTCUSDT', '60000'],
    ['BTC > 60000 USDC', 'en', 'BTCUSDC', '60000'],
    ['ETH > 0.05 BTC', 'en', 'ETHBTC', '0.05'],
    ['BTCEUR > 60000 EUR', 'en', 'BTCEUR', '60000'],
    ['BTC > EUR 60000', 'en', 'BTCEUR', '60000'],
    ['btc above eur 60k', 'en', 'BTCEUR', '60000'],
    ['BTC > EUR60,000.5', 'en', 'BTCEUR', '60000.5'],
    ['BTC > EUR 5m', 'en', 'BTCEUR', '5000000'],
    ["BTC > euro 60 bin'e", 'tr', 'BTCEUR', '60000'],
    ['BTC > TL 60.000,5', 'tr', 'BTCTRY', '60000.5'],
    ['BTC > USDC 60 000', 'en', 'BTCUSDC', '60000'],
    ['ETH > BTC 0.05', 'en', 'ETHBTC', '0.05'],
    ['EUR > USD 1.1', 'en', 'EURUSDT', '1.1'],
    ['BTCEURI > €60000', 'en', 'BTCEURI', '60000'],
    ['BTC > $60000', 'en', 'BTCUSDT', '60000'],
    ['BTC > 60000$', 'en', 'BTCUSDT', '60000'],
    ['BTCUSDC > $60000', 'en', 'BTCUSDC', '60000'],
    ['EUR > $1.1', 'en', 'EURUSDT', '1.1'],
  ] as const)('%s (%s) is of %s', (text, language, symbol, level) => {
    expect(moneyed(text, language)).toMatchObject({ ok: true, input: { symbol, condition: { kind: 'above', level } } });
  });
  test('a range, a volume and a step of euros are of the pair of euros', () => {
    expect(moneyed('BTC exits €60k-70k')).toMatchObject({ input: { symbol: 'BTCEUR', condition: { lower: '60000', upper: '70000' } } });
    expect(moneyed('BTC exits 60 000 – 70 000 €')).toMatchObject({ input: { symbol: 'BTCEUR', condition: { lower: '60000' } } });
    expect(moneyed('BTC exits EUR 60k-70k')).toMatchObject({ input: { symbol: 'BTCEUR', condition: { lower: '60000', upper: '70000' } } });
    expect(moneyed('BTC volume > €5m')).toMatchObject({ input: { symbol: 'BTCEUR', condition: { amount: '5000000' } } });
    expect(moneyed('BTC every 2% from €65k')).toMatchObject({ input: { symbol: 'BTCEUR', condition: { anchor: '65000' } } });
  });
  test.each([
    ['BTCUSDT > €60000', 'currency-other', 0, 'BTCUSDT > €60000', ['BTCEUR > 60000', 'BTCUSDT > 60000']],
    ['BTC/USDT>60 000 € repeat', 'currency-other', 0, 'BTC/USDT>60 000 €', ['BTCEUR>60 000', 'BTCUSDT>60 000']],
    ['BTCEUR > $60000', 'currency-other', 0, 'BTCEUR > $60000', ['BTCUSDT > 60000', 'BTCEUR > 60000']],
    ['ETHBTC > $60', 'currency-other', 0, 'ETHBTC > $60', ['ETHUSDT > 60', 'ETHBTC > 60']],
    // No pair of pounds: only what there is can be offered.
    ['BTC > £60000', 'currency-other', 0, 'BTC > £60000', ['BTCUSDT > 60000']],
    ['BTCUSDT > 60 000 EUR', 'currency-other', 0, 'BTCUSDT > 60 000 EUR', ['BTCEUR > 60 000', 'BTCUSDT > 60 000']],
    ['BTCUSDT > 60k eur', 'currency-other', 0, 'BTCUSDT > 60k eur', ['BTCEUR > 60k', 'BTCUSDT > 60k']],
    ['BTCUSDT > EUR 60 000', 'currency-other', 0, 'BTCUSDT > EUR 60 000', ['BTCEUR > 60 000', 'BTCUSDT > 60 000']],
    ['BTCUSDT > EUR60k', 'currency-other', 0, 'BTCUSDT > EUR60k', ['BTCEUR > 60k', 'BTCUSDT > 60k']],
    ['BTC > GBP 60000', 'currency-other', 0, 'BTC > GBP 60000', ['BTCUSDT > 60000']],
    ['BTC > ETH 70k', 'currency-other', 0, 'BTC > ETH 70k', ['BTCUSDT > 70k']],
    ['BTC > EUR 60000 USD', 'word-unknown', 16, 'USD', []],
    ['BTC > EUR 60000 EUR', 'word-unknown', 16, 'EUR', []],
    ['BTC > EUR €60000', 'word-unknown', 6, 'EUR', []],
    ['BTC > EUR60000EUR', 'word-unknown', 6, 'EUR60000EUR', []],
    // One dollar, or the coin.
    ['BTC > USD1', 'word-unknown', 6, 'USD1', []],
    ['BTC > EUR 65,500', 'number-ambiguous', 10, '65,500', ['65500', '65.500']],
    ['BTC > EUR65,500', 'number-ambiguous', 6, 'EUR65,500', ['EUR65500', 'EUR65.500']],
    ['BTC EUR > 60000', 'word-unknown', 4, 'EUR', []],
    ['BTC > 60000 GBP', 'currency-other', 0, 'BTC > 60000 GBP', ['BTCUSDT > 60000']],
    ['BTCEUR > £60000', 'currency-other', 0, 'BTCEUR > £60000', ['BTCEUR > 60000']],
    ['DOGEX > €1', 'symbol-unknown', 0, 'DOGEX', []],
    // Dollars of several kinds, none of them the usual one.
    ['PEPE > $1', 'symbol-unknown', 0, 'PEPE', ['PEPEUSDC', 'PEPEFDUSD']],
    ['BTC exits €60k-$70k', 'word-unknown', 10, '€60k-$70k', []],
    ['BTC > €60000₺', 'word-unknown', 6, '€60000₺', []],
    ['BTC > €60000 $70000', 'currency-other', 13, '$70000', []],
    ['BTC drops €5 % 1h', 'word-unknown', 13, '%', []],
    ['BTC > R$60000', 'word-unknown', 6, 'R$60000', []],
    ['BTC > € repeat', 'word-unknown', 6, '€', []],
  ] as const)('%s: %s', (text, code, position, word, suggestions) => {
    expect(moneyed(text)).toMatchObject({ ok: false, error: { code, position, text: word, suggestions } });
    for (const suggestion of code === 'currency-other' ? suggestions : []) expect(moneyed(suggestion).ok).toBe(true);
  });
});

const digits = fc
  .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 9999 }))
  .map(([whole, part]) => String(Number(`${whole}.${String(part).padStart(4, '0')}`)))
  .filter((text) => /^\d+(?:\.\d+)?$/.test(text) && Number(text) > 0);
const between = (min: number, max: number) => fc.integer({ min: min * 100, max: max * 100 }).map((n) => String(n / 100));
const choice = <const Name extends string>(...names: readonly Name[]) => fc.constantFrom(...names);
const relation = choice('above', 'below');
const interval = choice(...ALERT_INTERVALS);
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const conditions: { [Kind in AlertKind]?: fc.Arbitrary<object> } = {
  crosses: fc.record({ direction: choice('up', 'down', 'either'), level: digits }),
  above: fc.record({ level: digits }),
  below: fc.record({ level: digits }),
  channel: fc
    .tuple(choice('enter', 'exit'), digits, digits)
    .filter(([, a, b]) => a !== b)
    .map(([event, a, b]) => ({ event, lower: Number(a) < Number(b) ? a : b, upper: Number(a) < Number(b) ? b : a })),
  change: fc.record({
    direction: choice('up', 'down', 'either'),
    pct: between(0.01, 99),
    window: choice(...(Object.keys(CHANGE_WINDOWS) as (keyof typeof CHANGE_WINDOWS)[])),
  }),
  step: fc.record({ pct: between(0.01, 99), anchor: some(digits) }),
  volume: fc.record({ amount: digits }),
  volumeSpike: fc.record({ times: between(2, 50), interval, candles: fc.integer({ min: 5, max: 200 }) }),
  rsi: fc.record({ relation, value: between(1, 99), period: fc.integer({ min: 2, max: 200 }), interval }),
  ema: fc
    .tuple(relation, fc.integer({ min: 2, max: 200 }), some(fc.integer({ min: 201, max: 400 })), interval)
    .map(([r, period, slowPeriod, i]) => ({ relation: r, period, slowPeriod, interval: i })),
  sma: fc.record({ relation, period: fc.integer({ min: 2, max: 200 }), interval }),
  macd: fc.record({
    relation,
    fast: fc.integer({ min: 2, max: 50 }),
    slow: fc.integer({ min: 51, max: 200 }),
    signal: fc.integer({ min: 2, max: 100 }),
    interval,
  }),
  bollinger: fc.record({
    band: choice('upper', 'middle', 'lower'),
    relation,
    period: fc.integer({ min: 2, max: 200 }),
    deviations: between(0.1, 10),
    interval,
  }),
  newListing: fc.record({ quoteAsset: some(choice('USDT', 'BTC', 'FDUSD')) }),
  statusChange: fc.record({ status: some(choice('HALT', 'TRADING', 'END_OF_DAY', 'DELISTED')) }),
  positionPnl: fc.record({ relation, pct: between(-90, 900) }),
  positionTarget: fc.record({ pct: between(0.01, 100) }),
};
const oneLiners = (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => ALERT_KINDS[kind].oneLine);

test('every kind that the table says can be said in one line is in the round trip', () => {
  expect(Object.keys(conditions).sort()).toEqual([...oneLiners].sort());
  expect(BOT_EVENTS.length).toBeGreaterThan(1);
});

test('whatever is printed reads back to the same, in both languages', () => {
  const alert = fc.constantFrom(...oneLiners).chain((kind) =>
    fc.record({
      condition: conditions[kind]!.map((parameters) => ({ kind, ...parameters })),
      symbol: fc.constantFrom(...symbols),
      repeat: choice('once', 'every', 'untilAcknowledged'),
      cooldownMin: fc.integer({ min: 1, max: 100_000 }),
      priceSource: choice('last', 'mark-mid'),
      hysteresisPct: between(0, 10),
      fireIfTrue: fc.boolean(),
      channels: fc.uniqueArray(choice('app', 'telegram', 'webhook', 'email', 'push'), { minLength: 1 }),
      expiresAt: fc.constantFrom(undefined, null, '2026-12-01T10:00:00.000Z'),
      note: fc.constantFrom('', 'take half', 'ölçülü ol # 2'),
    }),
  );
  fc.assert(
    fc.property(alert, fc.constantFrom('en' as const, 'tr' as const), (made, language) => {
      const market = ALERT_KINDS[made.condition.kind].subject === 'market';
      const { symbol, expiresAt, ...rest } = made;
      const body = priceAlertBody.parse(
        JSON.parse(
          JSON.stringify({
            ...rest,
            cooldownMin: made.repeat === 'once' ? 60 : made.cooldownMin,
            ...(market ? {} : { symbol }),
            ...(expiresAt === undefined ? {} : { expiresAt }),
          }),
        ),
      );
      const line = printAlert(body, language)!;
      const parsed = read(line, language);
      expect(parsed.ok ? parsed.body : { line, ...parsed.error }).toEqual(body);
    }),
    { numRuns: runs(3000) },
  );
});
