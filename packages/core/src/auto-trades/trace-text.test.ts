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

const placesOf = (texts: unknown): string[] =>
  typeof texts === 'string'
    ? [...texts.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
    : Object.values(texts as object).flatMap((each) => placesOf(each));

test('each value that the sentences of traces and log lines name says what it measures', () => {
  const named = new Set([en, tr].flatMap(({ traces, botLogs }) => placesOf({ traces, botLogs })));
  const kinds = (name: string) => PROTECTIONS.map((protection) => factKind(name, { protection }));
  expect([...named].filter((name) => name !== 'currency' && kinds(name).includes(undefined))).toEqual([]);
});
