import { expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import tr from '../locales/tr.json' with { type: 'json' };
import { PROTECTIONS } from './engine/protections.ts';
import type { Trace, TraceFacts } from './trace.ts';
import { factKind, spokenFacts, traceText } from './trace-text.ts';

const said = (price: string, pricePrecision?: number, after: TraceFacts = {}) =>
  traceText(
    { kind: 'Buy', reason: 'Entry', symbol: 'X', price, before: {}, after } as unknown as Trace,
    'USDT',
    (_, values) => [values.price, values.line].filter(Boolean).join(' '),
    pricePrecision,
  );

test('prices of a trace have the decimals of its pair, zeros too; without the pair those they have', () => {
  expect([said('117513.9', 2), said('0.0000123', 8), said('117513.9')]).toEqual(['117,513.90', '0.00001230', '117,513.9']);
  expect(said('117513.9', 2, { line: '117000' })).toBe('117,513.90 117,000.00');
});

test('what a protection saw is told as what it is', () => {
  const line = (protection: string, observed: string) => spokenFacts({ protection, observed, limit: observed }, 'BTC').observed;
  expect([line('lossStreak', '1200'), line('drawdown', '20.12345'), line('dailyLoss', '0.5')]).toEqual(['1200', '20.1234', '0.50000000']);
});

test('times in a log line are written for its reader, where one is given', () => {
  const facts = { until: '2026-01-16T12:02:20.000Z', detail: '2026' };
  expect(spokenFacts(facts, 'USDT', { moment: () => 'noon' })).toEqual({ until: 'noon', detail: expect.any(String) });
  expect(spokenFacts(facts, 'USDT').until).toBe(facts.until);
});

test.each([
  [{ refusals: '1', code: '-1013', detail: 'Filter failure: LOT_SIZE' }, 'The order was rejected: Filter failure: LOT_SIZE. Nothing'],
  [{ refusals: '2', code: '-2010', detail: 'Not permitted.' }, 'The order was rejected: Not permitted. Nothing'],
  [{ refusals: '1', code: 'SLIPPAGE' }, 'The order was rejected: The order book is too thin for the allowed slippage. Nothing'],
  [{}, 'Nothing was bought'],
])('the exit of an entry that bought nothing says what refused it: %j', (after, begins) => {
  const flat = (texts: object, prefix = ''): [string, string][] =>
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
    );
  const texts = new Map(flat({ traces: en.traces, exitReasons: en.exitReasons, botReasons: en.botReasons }));
  const translate = (keys: string[], values: Readonly<Record<string, string | number>>) =>
    (texts.get(keys.find((key) => texts.has(key)) ?? '') ?? String(values.defaultValue)).replaceAll(/\{\{(\w+)\}\}/g, (_, name) =>
      String(values[name]),
    );
  const trace = { kind: 'Exit', reason: 'Abandoned', symbol: 'X', price: '1', before: {}, after } as unknown as Trace;
  expect(traceText(trace, 'USDT', translate).startsWith(begins)).toBe(true);
});

const placesOf = (texts: unknown): string[] =>
  typeof texts === 'string'
    ? [...texts.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
    : Object.values(texts as object).flatMap((each) => placesOf(each));

test('each value that the sentences of traces and log lines name says what it measures', () => {
  const named = new Set([en, tr].flatMap(({ traces, botLogs }) => placesOf({ traces, botLogs })));
  const kinds = (name: string) => PROTECTIONS.map((protection) => factKind(name, { protection }));
  expect([...named].filter((name) => name !== 'currency' && kinds(name).includes(undefined))).toEqual([]);
});
