import {
  type AutoTradeConfig,
  type AutoTradeConfigInput,
  autoTradeConfigSchema,
} from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { FilterGroup, FilterOptions } from '@pilotfish/core/prices/screener-contract';
import { describe, expect, test } from 'vitest';
import { loadTexts } from '../app/texts.ts';
import { RuleError } from '../screen/rule-tokens.ts';
import { parseJoined, readConditions, writeConditions } from './bot-conditions.ts';
import { type Names, toFile, toWire } from './bot-names.ts';
import { parseBots } from './bot-source.ts';
import { toYaml } from './bot-yaml.ts';
import { settingsDiff } from './settings-diff.ts';

const WALLET = '01a1fc3a-46e6-72f7-a393-a88a45a667dc';
const FILTER = '01a1fc3a-46e6-72f7-a393-a88a45a667dd';
const options: FilterOptions = {
  sort: [],
  filter: [
    { key: 'rsi', label: 'RSI', type: 'number', operations: ['lt', 'gt', 'crossesAbove'], timeframes: ['1h', '1d'] },
    { key: 'price', label: 'Price', type: 'number', operations: ['lt', 'gt', 'between'] },
    { key: 'tags', label: 'Tags', type: 'tags', operations: ['hasAny'], values: ['meme', 'layer-1'] },
  ],
};
const names: Names = {
  wallets: [{ id: WALLET, name: 'Main' }],
  filters: [{ id: FILTER, name: 'Only, majors' }],
  options: async () => options,
};
const anyOf: FilterGroup = {
  match: 'any',
  rules: [
    { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 },
    {
      match: 'all',
      rules: [
        { key: 'price', operation: 'between', value: [1, 2.5] },
        { key: 'tags', operation: 'hasAny', value: ['meme'], negate: true },
      ],
    },
  ],
};
const config = (over: Partial<AutoTradeConfigInput> = {}): AutoTradeConfig =>
  autoTradeConfigSchema.parse({
    name: 'Dip',
    walletId: WALLET,
    coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
    entry: {},
    stopLoss: { mode: 'percent', pct: '5.50' },
    ...over,
  });

const again = async (one: AutoTradeConfig): Promise<AutoTradeConfig> => {
  const [source] = await parseBots('bot.yaml', await toYaml(toFile(one, names)));
  const { body, problems } = await toWire(source!.draft, names, await loadTexts('en'));
  expect(problems).toEqual([]);
  return autoTradeConfigSchema.parse(body);
};

describe('what is shown as YAML says the same when it is read again', () => {
  test.each<[string, AutoTradeConfig]>([
    ['the defaults', config()],
    ['names that look like numbers or words of YAML', config({ name: '007' })],
    ['a name with signs', config({ name: 'yes: #1 "x"' })],
    ['a coin filter', config({ coins: { coinFilterIds: [FILTER] } })],
    [
      'conditions',
      config({
        entry: { trigger: { kind: 'conditions', rules: anyOf } },
        exit: { conditions: { ...anyOf, negate: true }, minGainPct: '-1.5' },
      }),
    ],
    [
      'every setting that is off at first',
      config({
        maxExposurePerCoin: '12345678901234567890.123456789',
        rebuys: { levels: [{ dropPct: '2' }, { dropPct: '4.250', sizeMultiplier: '1.5' }] },
        takeProfit: {
          levels: [
            { gainPct: '1', sellPct: '33.3' },
            { gainPct: '2', sellPct: '66.7' },
          ],
        },
        timeStop: { hours: 4, onlyIfGainPctAbove: '-2' },
        protections: {
          lowProfitCoin: { minTrades: 2, minProfitPct: '0.1', lookbackHours: 5, pauseHours: 6 },
          dailyLoss: { amount: '50', tz: 'Europe/Istanbul' },
          btcGuard: { dropPct: '3', windowMin: 60, resumePct: '1' },
        },
        notifications: { Entry: 'off', Exit: 'both' },
      }),
    ],
    ['rebuys that are made', config({ rebuys: { generator: { count: 4, stepPct: '1.5', sizeScale: '1.2' } } })],
  ])('%s', async (_, one) => {
    expect(await again(one)).toEqual(one);
  });
  test('it reads as a person writes', async () => {
    const text = await toYaml(toFile(config({ entry: { trigger: { kind: 'conditions', rules: anyOf } } }), names));
    expect(text).toContain('wallet: Main\ncoins:\n  symbols: [ BTCUSDT, ETHUSDT ]\n');
    expect(text).toContain('      - rsi.1h < 30\n');
    expect(text).toContain('all(price between 1,2.5; not tags hasAny meme)');
    expect(text).toContain('pct: "5.50"');
    expect(text).toContain('- { gainPct: 2, sellPct: 100 }');
    expect(text).not.toContain(WALLET);
  });
});

describe('what a person writes', () => {
  const read = async (text: string, language: 'en' | 'tr' = 'en') => {
    const [source] = await parseBots('bots/dip.yaml', text);
    return { source: source!, ...(await toWire(source!.draft, names, await loadTexts(language))) };
  };
  test('amounts keep every digit that was written; counts stay numbers', async () => {
    const { body } = await read('entry: {size: {value: 0.12345678901234567890}, trigger: {lookbackMin: 60, dropPct: 1.10}}');
    expect(body.entry).toEqual({ size: { value: '0.12345678901234567890' }, trigger: { lookbackMin: 60, dropPct: '1.10' } });
  });
  test('short forms of coins, wallets and filters by name', async () => {
    expect((await read('wallet: main\ncoins: [btcusdt, ethusdt]')).body).toEqual({
      walletId: WALLET,
      coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
    });
    expect((await read('coins: {filters: ["Only, majors"]}')).body).toEqual({ coins: { coinFilterIds: [FILTER] } });
    expect((await read('coins: btcusdt')).body).toEqual({ coins: { symbols: ['BTCUSDT'] } });
  });
  test('an unknown wallet, filter and rule are named together, each with its line', async () => {
    const { source, problems } = await read(
      'wallet: Mian\ncoins:\n  filters:\n    - Only, majors\n    - Others\nentry:\n  trigger:\n    kind: conditions\n    rules:\n      - rsi.1h < 30\n      - rsy.1h < 30\n',
    );
    expect(problems.map(({ path, code, message }) => [source.lineOf(path), path, code, message])).toEqual([
      [1, 'wallet', 'noSuchWallet', 'There is no wallet Mian. Wallets: Main.'],
      [5, 'coins.filters.1', 'noSuchFilter', 'There is no coin filter Others. Coin filters: Only, majors.'],
      [11, 'entry.trigger.rules.1', 'unknownField', expect.stringMatching(/^rsy\.1h < 30: .*Did you mean rsi\?/)],
    ]);
    expect((await read('exit: {conditions: rsy.1h < 30}', 'tr')).problems[0]?.message).toContain('rsi mi demek istediniz?');
  });
  test('the line of what the server names, by its own words', async () => {
    const { source } = await read(
      'wallet: Main\ncoins: [BTCUSDT]\nentry:\n  trailing:\n    reboundPct: 0.01\n  trigger:\n    kind: conditions\n    rules:\n      - price > 1\n',
    );
    const lines = [
      'walletId',
      'entry.trailing.reboundPct',
      'entry.trigger.rules.rules.0.value',
      'coins.symbols.0',
      'stopLoss',
      'entry.order.type',
    ];
    expect(lines.map(source.lineOf)).toEqual([1, 5, 9, 2, 1, 3]);
  });
  test('several bots in one file keep their own lines', async () => {
    const [, second] = await parseBots('two.yaml', 'name: A\n---\nname: B\nwallet: X\n');
    expect([second?.draft.name, second?.lineOf('wallet')]).toEqual(['B', 4]);
  });
  test('parts that are marked once can be taken over', async () => {
    const { body } = await read(
      'protections: {lossStreak: &usual {count: 3, pauseHours: 6}}\nexit: {order: {<<: *usual, maxSlippagePct: 1.50}}',
    );
    expect(body.exit).toEqual({ order: { count: 3, pauseHours: 6, maxSlippagePct: '1.50' } });
  });
  test.each([
    ['name: [', 'notYaml', 'f:1'],
    ['name: x\nname: y', 'notYaml', 'f:2'],
    ['\nname: x\nentry: {<<: 5}', 'notYaml', 'f:2'],
    ['- a', 'notSettings', 'f'],
    ['', 'notSettings', 'f'],
    ['# only words', 'notSettings', 'f'],
  ])('%j is refused with %s at %s', async (text, code, file) => {
    await expect(parseBots('f', text)).rejects.toMatchObject({ code, exit: 2, values: { file } });
  });
});

describe('conditions in words', () => {
  const rsi = { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 };
  const price = { key: 'price', operation: 'gt', value: 5 };
  test.each<[unknown, unknown]>([
    ['rsi.1h < 30', { match: 'all', rules: [rsi] }],
    ['rsi.1h < 30 and price > 5', { match: 'all', rules: [rsi, price] }],
    ['rsi.1h < 30 OR price > 5', { match: 'any', rules: [rsi, price] }],
    [['rsi.1h < 30', 'any(price > 5; rsi.1h < 30)'], { match: 'all', rules: [rsi, { match: 'any', rules: [price, rsi] }] }],
    [
      { match: 'any', rules: ['price > 5', rsi] },
      { match: 'any', rules: [price, rsi] },
    ],
    [
      { match: 'all', rules: [rsi] },
      { match: 'all', rules: [rsi] },
    ],
    ['not any(price > 5; rsi.1h < 30)', { match: 'any', rules: [price, rsi], negate: true }],
  ])('%j', (written, group) => {
    expect(readConditions(written, options, 'x')).toEqual({ group, wrong: [] });
    expect(readConditions(writeConditions(group as FilterGroup), options, 'x').group).toEqual(group);
  });
  test('and beside or is not guessed', () => {
    expect(() => parseJoined('price > 1 and price < 2 or rsi.1h < 3', options)).toThrow(RuleError);
  });
});

test('a difference is told setting by setting', () => {
  const [before, after] = [config(), config({ coins: { symbols: ['BTCUSDT'] }, stopLoss: { mode: 'none' }, timeStop: { hours: 4 } })];
  expect(settingsDiff(toFile(before, names), toFile(after, names))).toEqual([
    { path: 'coins.symbols', before: 'BTCUSDT, ETHUSDT', after: 'BTCUSDT' },
    { path: 'stopLoss.mode', before: 'percent', after: 'none' },
    { path: 'timeStop.hours', before: null, after: '4' },
    { path: 'timeStop.onlyIfGainPctAbove', before: null, after: 'null' },
    { path: 'stopLoss.pct', before: '5.50', after: null },
    { path: 'stopLoss.basis', before: 'avgCost', after: null },
    { path: 'stopLoss.confirmSec', before: '0', after: null },
  ]);
  expect(settingsDiff(toFile(before, names), toFile(before, names))).toEqual([]);
});
