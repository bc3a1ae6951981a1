import { ALERT_KINDS, type AlertKind } from '@pilotfish/core/price-alerts/alert-kinds';
import { priceAlertBody } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { describe, expect, test } from 'vitest';
import { groupAlerts, liveDistance, nearness } from './alert-distance.ts';
import { type AlertDraft, checkDraft, draftOf, EMPTY_DRAFT, KIND_NAMES, parametersOf, withKind } from './alert-draft.ts';
import { acceptSuggestion, aroundError, lineOf, readLine } from './alert-line.ts';
import { tomorrowMorning } from './snooze-dialog.tsx';

const NOW = Date.UTC(2026, 0, 15, 12);
const symbols = ['BTCUSDT', 'BTCTRY', 'ETHUSDT', 'SOLUSDT'];
const read = (line: string, language: 'en' | 'tr' = 'en') => readLine(line, { symbols, language, now: NOW });
const ID = '01890000-0000-7000-8000-000000000000';

/** A draft of a kind with something plausible in whatever must be filled in. */
function filled(kind: AlertKind): AlertDraft {
  const draft = withKind({ ...EMPTY_DRAFT, symbol: 'BTCUSDT', coinFilterId: ID }, kind);
  const parameters = Object.fromEntries(
    parametersOf(kind)
      .filter(([name, parameter]) => parameter.default === undefined && !parameter.optional && draft.parameters[name] === undefined)
      .map(([name]) => [name, name === 'upper' ? '8' : '5']),
  );
  return { ...draft, parameters: { ...draft.parameters, ...parameters } };
}

describe('a draft', () => {
  test.each(KIND_NAMES)('of %s becomes a body of the contract, and the same draft again', (kind) => {
    const { body, input, errors } = checkDraft(filled(kind));
    expect([...errors]).toEqual([]);
    expect(priceAlertBody.safeParse(input).success).toBe(true);
    expect(checkDraft(draftOf(body!)).body).toEqual(body);
  });
  test('of every kind that one line can say is read back from its line', () => {
    for (const kind of KIND_NAMES.filter((each) => ALERT_KINDS[each].oneLine))
      for (const language of ['en', 'tr'] as const) {
        const { body } = checkDraft({ ...filled(kind), note: 'look', channels: ['app', 'telegram'] });
        const line = lineOf(body, language);
        const parsed = read(line, language);
        expect(parsed.ok ? parsed.body : { line, error: parsed.error }).toEqual(body);
      }
  });
  test('says of every field what is missing or too much', () => {
    expect([...checkDraft(EMPTY_DRAFT).errors.keys()].sort()).toEqual(['condition.level', 'symbol']);
    const channel = { ...filled('channel'), parameters: { event: 'enter', lower: '9', upper: '8' } };
    expect(checkDraft(channel).errors.get('condition.upper')).toEqual({ code: 'above_other', limit: '9' });
    const rsi = { ...filled('rsi'), parameters: { relation: 'above', value: '101', period: '1' } };
    expect(Object.fromEntries(checkDraft(rsi).errors)).toMatchObject({
      'condition.value': { code: 'out_of_range', limit: '0 – 100' },
      'condition.period': { code: 'too_small', limit: '2' },
    });
    expect(checkDraft({ ...filled('above'), cooldownMin: '' }).body).toBeUndefined();
    expect(checkDraft({ ...filled('above'), hysteresisPct: '11' }).errors.has('hysteresisPct')).toBe(true);
  });
  test('of another kind keeps what both ask for', () => {
    const above = { ...filled('above'), parameters: { level: '70000' } };
    expect(withKind(above, 'crosses').parameters).toEqual({ level: '70000', direction: 'either' });
    expect(withKind(above, 'step')).toMatchObject({ repeat: 'every', cooldownMin: 1 });
    expect(withKind({ ...above, repeat: 'untilAcknowledged' }, 'step').repeat).toBe('untilAcknowledged');
  });
  test('keeps quiet hours when the line is written anew', () => {
    const quietHours = { timeZone: 'UTC', windows: [{ days: [1], from: '22:00', to: '07:00' }], onWake: 'drop' as const };
    const before = { ...filled('above'), quietHours };
    const parsed = read('ETH < 1000');
    expect(parsed.ok && draftOf(parsed.body, before)).toMatchObject({ symbol: 'ETHUSDT', kind: 'below', quietHours });
  });
});

describe('what a line offers', () => {
  test.each([
    ['', 'empty'],
    ['BTC >', 'level-missing'],
    ['BTC drops 5%', 'window-missing'],
    ['BTC 60k-70k', 'event-missing'],
    ['BTCT > 5', 'symbol-unknown'],
    ['BTC > 70k repeat until', 'date-unknown'],
    ['BTC > 70k via', 'channel-unknown'],
    ['> 70k', 'symbol-missing'],
    ['BTC > 65,500 every 30m', 'number-ambiguous'],
    ['BTC exits ₺60,000 – ₺70,000', 'number-ambiguous'],
    ['BTC exits 60 700 # near', 'number-ambiguous'],
    ['BTCUSDT > ₺70 000 every 30m', 'currency-other'],
    ['btc > 70k € # near', 'currency-other'],
  ])('%s (%s) is understood once taken, or gets further', (line, code) => {
    const parsed = read(line);
    expect(!parsed.ok && parsed.error.code).toBe(code);
    if (parsed.ok) return;
    const [suggestion] = parsed.error.suggestions;
    const next = read(acceptSuggestion(line, parsed.error, suggestion!));
    // What misses two things asks for the second afterwards.
    expect(next.ok || (code === 'symbol-unknown' && next.error.code), acceptSuggestion(line, parsed.error, suggestion!)).toBe(true);
  });
  test('the place of an error is what was typed there', () => {
    const parsed = read('BTC blah 5');
    expect(!parsed.ok && aroundError('BTC blah 5', parsed.error)).toEqual(['BTC ', 'blah', ' 5']);
  });
  test.each([
    ['en', ['BTC > 70k', 'eth drops 5% in 1h', 'sol rsi 14 1h < 30']],
    ['tr', ['BTC > 70 bin', 'eth 1s içinde %5 düşerse', 'sol rsi 14 1s < 30']],
  ] as const)('the examples of %s are understood', (language, lines) => {
    for (const line of lines) expect(read(line, language)).toMatchObject({ ok: true });
    expect(read(lines[0], language)).toMatchObject({ body: { condition: { kind: 'above', level: '70000' } } });
  });
});

describe('distance', () => {
  const alert = { lastPrice: '100', distancePct: '5.0000', priceSource: 'last' as const };
  test('follows the price to its level', () => {
    expect(liveDistance(alert, '100')).toBe('5.00');
    expect(liveDistance(alert, '105')).toBe('0.00');
    expect(liveDistance(alert, '110')).toBe('-4.55');
    expect(liveDistance({ ...alert, priceSource: 'mark-mid' }, '110')).toBe('5.0000');
    expect(liveDistance({ ...alert, distancePct: null }, '110')).toBeNull();
  });
  test('fills the bar as it comes near', () => {
    expect([nearness('0'), nearness('-1'), nearness('25')]).toEqual([100, 90, 0]);
  });
  test('orders pairs and alerts by who fires first', () => {
    const make = (id: string, symbol: string | undefined, distancePct: string | null, kind = 'above', state = 'Armed') =>
      ({ id, symbol, distancePct, condition: { kind }, state }) as never;
    const groups = groupAlerts([
      make('1', 'BTCUSDT', '4'),
      make('2', 'ETHUSDT', '-1'),
      make('3', 'BTCUSDT', '-2'),
      make('4', undefined, null, 'botEvent'),
      make('5', 'BTCUSDT', '0.1', 'above', 'Disabled'),
    ]);
    expect(groups.map(({ key, alerts }) => [key, alerts.map(({ id }) => id)])).toEqual([
      ['ETHUSDT', ['2']],
      ['BTCUSDT', ['3', '1', '5']],
      ['bots', ['4']],
    ]);
  });
});

test('tomorrow morning is eight of the reader', () => {
  expect(new Date(tomorrowMorning(NOW, 'UTC')).toISOString()).toBe('2026-01-16T08:00:00.000Z');
  expect(new Date(tomorrowMorning(Date.UTC(2026, 0, 15, 23), 'Asia/Tokyo')).toISOString()).toBe('2026-01-16T23:00:00.000Z');
});
