import { expect, test } from 'vitest';
import { permissionsSchema } from '../exchange-connection/exchange-connection-contract.ts';
import en from '../locales/en.json' with { type: 'json' };
import { shownFacts } from '../notifications/notification-facts.ts';
import {
  bookNeeds,
  botNeeds,
  channelNeeds,
  connectionNeeds,
  marketNeeds,
  NEED_SOURCES,
  type NeedBot,
  type NeedPosition,
  type NeedSource,
  orderedNeeds,
  RANKS,
  unknownSource,
  unreadableBotNeeds,
} from './needs.ts';
import { type Need, needAction, needKind } from './overview-contract.ts';
import { needActionText, needTexts } from './overview-words.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const DAY = 86_400_000;

const position = (more: Partial<NeedPosition> = {}): NeedPosition => ({
  id: 'p1',
  symbol: 'BTCUSDT',
  holds: true,
  attention: null,
  jumpAt: null,
  exposure: undefined,
  hasFloor: true,
  stopRefused: null,
  ...more,
});
const bot = (more: Partial<NeedBot> = {}): NeedBot => ({
  id: 'b1',
  name: 'Dip',
  mode: 'live',
  state: 'Running',
  reason: null,
  silence: null,
  unreadPair: null,
  positions: [position()],
  ...more,
});
const kinds = (needs: readonly Need[]) => needs.map(({ kind, rank }) => `${kind} ${rank}`);
const keys = (more: object = {}) => permissionsSchema.parse({ enableSpotAndMarginTrading: true, ...more });
const endsIn = (days: number) => keys({ tradingEndsAt: new Date(NOW + days * DAY).toISOString() });

test('a bot that does its work with stops drawn needs nobody', () => {
  expect(botNeeds([bot(), bot({ state: 'Paused', reason: 'lossStreak' }), bot({ state: 'Disabled', positions: [] })])).toEqual([]);
});

test('exits that are not sent are said once for a bot, and only while it holds something', () => {
  const frozen = { state: 'Disabled', silence: 'frozen' } as const;
  const two = [position(), position({ id: 'p2', symbol: 'ETHUSDT' })];
  expect(botNeeds([bot({ ...frozen, positions: two })])).toMatchObject([
    { id: 'exits-frozen:b1', kind: 'exits-frozen', rank: RANKS.protection, mode: 'live', action: 'unfreeze', facts: { count: 2 } },
  ]);
  expect(botNeeds([bot({ ...frozen, positions: [] })])).toEqual([]);
});

test('a halted bot is urgent while it holds something; flat it only stands still', () => {
  const halted = { state: 'Halted', silence: 'halted', reason: 'kill-switch' } as const;
  expect(kinds(botNeeds([bot(halted), bot({ ...halted, positions: [] })]))).toEqual(['bot-halted 1', 'bot-halted 2']);
  // What a person wrote is no code of ours.
  expect(botNeeds([bot({ ...halted, reason: 'over the weekend' })])[0]?.facts).toMatchObject({ reason: 'over the weekend' });
});

test('a blocked bot goes on selling, so it is not money without protection', () => {
  expect(kinds(botNeeds([bot({ state: 'Blocked', reason: 'underfunded' })]))).toEqual(['bot-blocked 2']);
});

test('a position that waits for its owner, one without a stop, one whose stop was refused', () => {
  const of = (more: Partial<NeedPosition>, mode: 'live' | 'paper' = 'live') => botNeeds([bot({ mode, positions: [position(more)] })]);
  expect(of({ attention: 'PRICE_JUMP', jumpAt: NOW })).toMatchObject([
    { kind: 'position-attention', code: 'PRICE_JUMP', facts: { reasonKey: 'errors.PRICE_JUMP.title' }, since: '2026-11-27T12:00:00.000Z' },
  ]);
  expect(of({ attention: '-2010' })[0]).toMatchObject({ facts: { reason: '-2010' }, since: null });
  expect(of({ exposure: 'noStop', hasFloor: false })).toMatchObject([
    { kind: 'no-stop', action: 'set-stop', link: '/auto-trade/detail/b1/edit' },
  ]);
  // A line that is drawn sells, whatever the settings say; so does a trailing cost once it is drawn.
  expect(of({ exposure: 'noStop', hasFloor: true })).toEqual([]);
  expect(of({ exposure: 'untilLine', hasFloor: false })).toEqual([]);
  expect(of({ stopRefused: 'PERCENT_PRICE' })).toMatchObject([{ kind: 'stop-refused', facts: { reasonKey: 'stopReasons.PERCENT_PRICE' } }]);
  expect(of({ holds: false, exposure: 'noStop', hasFloor: false })).toEqual([]);
  expect(of({ exposure: 'noStop', hasFloor: false }, 'paper')).toEqual([]);
  expect(kinds(of({ attention: 'PRICE_JUMP' }, 'paper'))).toEqual(['position-attention 6']);
});

test('keys that end, ended or may not trade; nothing of keys that were refused', () => {
  const of = (permissions: ReturnType<typeof keys>, trouble?: { code: string; since: number }) =>
    connectionNeeds({ permissions, trouble }, NOW);
  expect(of(keys())).toEqual([]);
  expect(of(endsIn(15))).toEqual([]);
  expect(of(endsIn(7))).toMatchObject([{ kind: 'key-ends', action: 'renew-key', facts: { endsAt: NOW + 7 * DAY } }]);
  expect(of(endsIn(-1))).toMatchObject([{ kind: 'key-no-trading', code: 'key-ended', since: '2026-11-26T12:00:00.000Z' }]);
  expect(of(keys({ enableSpotAndMarginTrading: false }))).toMatchObject([{ kind: 'key-no-trading', action: 'allow-trading' }]);
  expect(of(endsIn(7), { code: 'invalid-key', since: NOW })).toMatchObject([{ kind: 'connection-failing', action: 'renew-key' }]);
  expect(of(keys(), { code: 'exchange-rate-limited', since: NOW })).toEqual([]);
  expect(kinds(of(endsIn(7), { code: 'exchange-unreachable', since: NOW }))).toEqual(['connection-failing 2', 'key-ends 2']);
});

test('each difference has its asset and amount; of many the number', () => {
  const books = { historyFailed: null, broken: { count: 0, since: null } };
  const some = (count: number) => Array.from({ length: count }, (_, index) => ({ asset: `C${index}`, difference: '-0.42' }));
  expect(bookNeeds({ ...books, differences: [{ asset: 'SOL', difference: '0.42' }] })).toMatchObject([
    { id: 'balance-difference:SOL', facts: { asset: 'SOL', quantity: '0.42' }, action: 'explain' },
  ]);
  expect(bookNeeds({ ...books, differences: some(5) })).toHaveLength(5);
  expect(bookNeeds({ ...books, differences: some(6) })).toMatchObject([
    { kind: 'balance-differences', facts: { count: 6, named: 'C0, C1, C2, C3, C4, C5' } },
  ]);
});

/** One of everything, in the wrong order. */
const everything = (): Need[] => [
  ...botNeeds([
    bot({ id: 'p', name: 'Paper', mode: 'paper', positions: [position({ id: 'pp', attention: 'PRICE_JUMP' })] }),
    bot({ id: 'x', name: 'Blocked', state: 'Blocked', reason: 'underfunded' }),
    bot({ id: 'r', positions: [position({ id: 'r', stopRefused: 'TOO_SMALL' })] }),
    bot({ id: 'n', positions: [position({ id: 'n', exposure: 'noStop', hasFloor: false })] }),
    bot({ id: 'a', positions: [position({ id: 'a', attention: 'BALANCE_JUMP' })] }),
    bot({ id: 'h', state: 'Halted', silence: 'halted', reason: 'kill-switch' }),
    bot({ id: 'u', unreadPair: 'ABCUSDT' }),
    bot({ id: 'f', state: 'Disabled', silence: 'frozen' }),
  ]),
  ...unreadableBotNeeds([{ id: 'z', name: 'Old' }]),
  ...marketNeeds({ loaded: false, trouble: 'place' }),
  ...channelNeeds([{ channel: 'webhook', reason: 'hook-gone', since: NOW }]),
  ...bookNeeds({
    differences: [{ asset: 'SOL', difference: '0.42' }],
    historyFailed: 'exchange-unreachable',
    broken: { count: 2, since: NOW - DAY },
  }),
  ...bookNeeds({
    differences: Array.from({ length: 6 }, (_, index) => ({ asset: `C${index}`, difference: '1' })),
    historyFailed: null,
    broken: { count: 0, since: null },
  }),
  ...connectionNeeds({ permissions: endsIn(3), trouble: { code: 'exchange-unreachable', since: NOW } }, NOW),
  ...connectionNeeds({ permissions: endsIn(-1), trouble: undefined }, NOW),
  ...(Object.keys(NEED_SOURCES) as NeedSource[]).map(unknownSource),
];

test('money without protection, access, books, channels, the instance, paper; a source that is not known stands where it may hide', () => {
  expect(kinds(orderedNeeds(everything()))).toEqual([
    'exits-frozen 1',
    'bot-unread 1',
    'bot-unread 1',
    'position-attention 1',
    'bot-halted 1',
    'no-stop 1',
    'stop-refused 1',
    'unknown-source 1',
    'connection-failing 2',
    'key-no-trading 2',
    'key-ends 2',
    'bot-blocked 2',
    'unknown-source 2',
    'balance-difference 3',
    'balance-differences 3',
    'history-failed 3',
    'positions-broken 3',
    'unknown-source 3',
    'channel-failed 4',
    'unknown-source 4',
    'market-silent 5',
    'unknown-source 5',
    'position-attention 6',
  ]);
});

test('bots that are blocked by the keys of the account are not listed beside the keys', () => {
  const blocked = (reason: string, id: string) => bot({ id, state: 'Blocked', reason });
  const needs = [
    ...botNeeds([blocked('invalid-key', 'b1'), blocked('underfunded', 'b2')]),
    ...connectionNeeds({ permissions: keys(), trouble: { code: 'invalid-key', since: NOW } }, NOW),
  ];
  expect(orderedNeeds(needs).map(({ id }) => id)).toEqual(['connection-failing', 'bot-blocked:b2']);
  // Without that item the bot says it itself.
  expect(kinds(orderedNeeds(botNeeds([blocked('invalid-key', 'b1')])))).toEqual(['bot-blocked 2']);
});

test('every cause and action has its texts, and no text lacks a fact', () => {
  const text = (key: string): string | undefined => {
    const found = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], en);
    return typeof found === 'string' ? found : undefined;
  };
  const needs = everything();
  expect(new Set(needs.map(({ kind }) => kind))).toEqual(new Set(needKind.options));
  for (const need of needs) {
    const values = shownFacts(need.facts, { language: 'en', timeZone: 'UTC', text });
    for (const key of Object.values(needTexts(need))) {
      const said = text(key);
      expect(said, key).toBeDefined();
      for (const [, name] of said!.matchAll(/\{\{(\w+)\}\}/g)) expect(values[name!], `${key} ${name} of ${need.id}`).toBeTruthy();
    }
    // A key without a text would be read as its last part.
    const { reasonKey } = need.facts;
    if (reasonKey !== undefined) expect(text(reasonKey), reasonKey).toBeDefined();
  }
  for (const action of needAction.options) expect(text(needActionText({ action })), action).toBeDefined();
  expect(new Set(needs.map(({ id }) => id)).size).toBe(needs.length);
});
