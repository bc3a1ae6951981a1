import { expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import tr from '../locales/tr.json' with { type: 'json' };
import { ALERT_KINDS } from '../price-alerts/alert-kinds.ts';
import { type Facts, factsAmong, shownFacts } from './notification-facts.ts';

const text = (key: string) => ({ 'exitReasons.StopLoss': 'stop loss' })[key];
const shown = (facts: Facts, language = 'en') => shownFacts(facts, { language, timeZone: 'Europe/Istanbul', text });

test('figures are read as everywhere in the apps', () => {
  expect(
    shown({ price: '65000.10', quantity: '0.00100000', pct: '-1.5', realised: '12.5', trades: 1234, rsi: 71.25, currency: 'USDT' }),
  ).toEqual({
    price: '65,000.1',
    quantity: '0.001',
    pct: '−1.5',
    realised: '+12.50 USDT',
    trades: '1,234',
    rsi: '71.25',
    currency: 'USDT',
  });
});

test('sums and averages have as many digits as are read in their currency, and name it', () => {
  const sums = { reserved: '201.19258276', fees: '0.00012345', quote: '50', realised: '0.0000125' };
  expect(shown({ ...sums, averageCost: '64123.4567890123456789', currency: 'BTC' })).toEqual({
    reserved: '201.19258276 BTC',
    fees: '0.00012345 BTC',
    quote: '50.00000000 BTC',
    realised: '+0.00001250 BTC',
    averageCost: '64,123.4568',
    currency: 'BTC',
  });
  expect(shown({ ...sums, averageCost: '0.1439991891891891891891891892', currency: 'USDT' })).toEqual({
    reserved: '201.1926 USDT',
    fees: '0.00012 USDT',
    quote: '50.00 USDT',
    realised: '+0.000012 USDT',
    averageCost: '0.14399919',
    currency: 'USDT',
  });
  // An earlier version told some sums without a currency.
  expect(shown(sums as Facts)).toEqual({ reserved: '201.19258276', fees: '0.00012345', quote: '50', realised: '+0.0000125' });
});

test('names stay as they were written, even when they look like numbers', () => {
  expect(shown({ bot: '1000.00', wallet: '5000', note: '0001', symbol: '1INCHUSDT' })).toEqual({
    bot: '1000.00',
    wallet: '5000',
    note: '0001',
    symbol: '1INCHUSDT',
  });
});

test('keys become their texts, times the reader’s clock and durations the reader’s words', () => {
  expect(shown({ reasonKey: 'exitReasons.StopLoss', channelKey: 'exitReasons.New', untilAt: Date.UTC(2026, 0, 15, 22, 30) })).toEqual({
    reason: 'stop loss',
    channel: 'New',
    untilAt: '16 Jan 2026 01:30',
  });
  expect(shown({ minutes: 125 })).toEqual({ minutes: '2 hours 5 minutes' });
  expect(shown({ minutes: 125 }, 'tr')).toEqual({ minutes: '2 saat 5 dakika' });
});

test('what an alert saw is told where notifications have a fact of that kind', () => {
  expect(factsAmong({ rsi: 71, from: '100', average: 12.5, already: 'so', alreadyTrue: true, anchor: null, trades: '3' })).toEqual({
    rsi: 71,
    from: '100',
  });
});

test('a fact without a kind, of another kind, or a sum without a currency does not compile', () => {
  const told: Facts[] = [
    { symbol: 'BTCUSDT', price: '1' },
    // @ts-expect-error no fact has this name
    { gain: '1' },
    // @ts-expect-error a count is a number
    { trades: '3' },
    // @ts-expect-error of which currency
    { realised: '1.5' },
  ];
  expect(told).toHaveLength(4);
});

test.each([
  ['en', en],
  ['tr', tr],
])('sentences of notifications are filled with facts that have a kind: %s', (_, texts) => {
  const sentences = Object.values(texts.notifications).flatMap((each) =>
    typeof each === 'object' && 'title' in each && 'text' in each ? [each.title, each.text] : [],
  );
  const names = new Set(sentences.flatMap((each) => [...String(each).matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name)));
  expect(names.size).toBeGreaterThan(30);
  const known = factsAmong(Object.fromEntries([...names].flatMap((name) => [name, `${name}Key`].flatMap((each) => [[each, 'x']]))));
  const counted = factsAmong(Object.fromEntries([...names].map((name) => [name, 1])));
  const filled = shownFacts({ ...known, ...counted } as Facts, { language: 'en', timeZone: 'UTC', text });
  expect([...names].filter((name) => filled[name] === undefined)).toEqual([]);
});

test('every parameter of an alert is a fact', () => {
  const parameters = Object.values(ALERT_KINDS).flatMap((kind) => Object.entries(kind.parameters));
  const unknown = parameters.filter(([name, { type }]) => Object.keys(factsAmong({ [name]: type === 'integer' ? 1 : '1' })).length === 0);
  expect(unknown.map(([name]) => name)).toEqual([]);
});

test('what was added lately is read from a notice of an earlier version, and by an Admin’s text of then', () => {
  const both = { added: 'Telegram, a webhook', recent: 'Telegram, a webhook' };
  expect(shown({ added: 'Telegram, a webhook' } as unknown as Facts)).toEqual(both);
  expect(shown({ recent: 'Telegram, a webhook' })).toEqual(both);
  expect(shown({ added: 1234 })).toEqual({ added: '1,234' });
});

test('a price has the decimals of its pair, where they are known; one that a person wrote is told as it was written', () => {
  const prices = { price: '65000.1', line: '64000', level: '66000', places: 2 };
  expect(shown(prices)).toMatchObject({ price: '65,000.10', line: '64,000.00', level: '66,000' });
  expect(shown({ ...prices, places: undefined })).toMatchObject({ price: '65,000.1', line: '64,000' });
});
