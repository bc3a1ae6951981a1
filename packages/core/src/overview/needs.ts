import { isTradeEnabled } from '../account/claims.ts';
import { type MarketTrouble, marketTroubleText } from '../admin/market-choice-contract.ts';
import type { AutoTrade } from '../auto-trades/auto-trades-contract.ts';
import type { Exposure } from '../auto-trades/exposure.ts';
import { NAMED_STOP_REFUSALS } from '../auto-trades/position/position-resident.ts';
import { NAMED_EXPIRIES } from '../auto-trades/position/position-retry.ts';
import { BALANCE_JUMP, PRICE_JUMP, UNLISTED } from '../auto-trades/position/position-state.ts';
import { KEY_ENDS_SOON_MS, type Permissions } from '../exchange-connection/exchange-connection-contract.ts';
import type { TradeMode } from '../http/wire.ts';
import type { Quantity } from '../money/figure.ts';
import type { Facts } from '../notifications/notification-facts.ts';
import type { OuterChannel } from '../notifications/notification-kinds.ts';
import type { Need, NeedAction, NeedKind } from './overview-contract.ts';

// What needs a person, by what is known of each source: pure rules, so that screens, server and terminal agree.

export const RANKS = { protection: 1, access: 2, books: 3, channels: 4, instance: 5, paper: 6 } as const;

const CONNECTION = '/user/exchange-connect';
const POSITIONS = '/positions/open-positions';
const BOTS = '/auto-trade';
const botLink = (id: string): string => `${BOTS}/detail/${id}`;
const iso = (at: number): string => new Date(at).toISOString();

type Given = Partial<Need> & Pick<Need, 'id' | 'kind' | 'rank' | 'code' | 'action' | 'link'>;
const need = (given: Given): Need => ({
  mode: null,
  autoTradeId: null,
  botName: null,
  symbol: null,
  facts: {},
  since: null,
  ...given,
});

/** A position of a bot that holds something, or that waits for its owner. */
export type NeedPosition = {
  readonly id: string;
  readonly symbol: string;
  readonly holds: boolean;
  readonly attention: string | null;
  /** When the jump was that its owner is asked about, epoch ms. */
  readonly jumpAt: number | null;
  readonly exposure: Exposure | undefined;
  /** A stop or a protected cost is drawn now. */
  readonly hasFloor: boolean;
  readonly stopRefused: string | null;
};
export type NeedBot = {
  readonly id: string;
  readonly name: string;
  readonly mode: TradeMode;
  readonly state: AutoTrade['state'];
  readonly reason: string | null;
  /** No exit is sent, and why: as `silenceOf` says. */
  readonly silence: 'frozen' | 'halted' | null;
  /** The pair whose data cannot be read, so that the bot is not at work. */
  readonly unreadPair: string | null;
  readonly positions: readonly NeedPosition[];
};

/** Attentions with a text of their own; what else is written there is the exchange's code. */
const NAMED_ATTENTIONS: ReadonlySet<string> = new Set([PRICE_JUMP, BALANCE_JUMP, UNLISTED, ...NAMED_EXPIRIES]);
/** Halts with a text of their own; anything else is what a person wrote. */
const NAMED_HALTS: ReadonlySet<string> = new Set(['kill-switch', 'database-set-back']);

const attentionFacts = (code: string): Facts => (NAMED_ATTENTIONS.has(code) ? { reasonKey: `errors.${code}.title` } : { reason: code });
const stopFacts = (code: string): Facts => (NAMED_STOP_REFUSALS.has(code) ? { reasonKey: `stopReasons.${code}` } : { reason: code });
const haltFacts = (reason: string): Facts =>
  reason === '' ? { reasonKey: 'botReasons.halt' } : NAMED_HALTS.has(reason) ? { reasonKey: `botReasons.${reason}` } : { reason };

/** Live money first; what is on paper comes after everything else, whatever its cause. */
const rankOf = ({ mode }: Pick<NeedBot, 'mode'>, rank: number): number => (mode === 'paper' ? RANKS.paper : rank);

function stateNeeds(bot: NeedBot): Need[] {
  const { id, name, mode, reason } = bot;
  const count = bot.positions.filter(({ holds }) => holds).length;
  const of = { mode, autoTradeId: id, botName: name, link: botLink(id) };
  const unprotected = rankOf(bot, count > 0 ? RANKS.protection : RANKS.access);
  const about = (kind: NeedKind, more: { code: string; action: NeedAction; facts: Facts; symbol?: string }): Need =>
    need({ ...of, id: `${kind}:${id}`, kind, rank: unprotected, ...more });
  if (bot.unreadPair !== null)
    return [
      about('bot-unread', {
        code: 'pair-unread',
        action: 'review',
        symbol: bot.unreadPair,
        facts: { bot: name, symbol: bot.unreadPair, reasonKey: 'overview.reasons.pair-unread' },
      }),
    ];
  // Halted before frozen: enabling it is what ends both.
  if (bot.state === 'Halted')
    return [about('bot-halted', { code: reason ?? 'halt', action: 'resume', facts: { bot: name, ...haltFacts(reason ?? '') } })];
  if (bot.silence !== null && count > 0)
    return [
      about('exits-frozen', { code: bot.silence, action: bot.silence === 'frozen' ? 'unfreeze' : 'resume', facts: { bot: name, count } }),
    ];
  if (bot.state === 'Blocked') {
    const facts = { bot: name, reasonKey: `botReasons.${reason ?? 'blocked'}` };
    // Exits go on while it is blocked.
    return [{ ...about('bot-blocked', { code: reason ?? 'blocked', action: 'review', facts }), rank: rankOf(bot, RANKS.access) }];
  }
  return [];
}

function positionNeeds(bot: NeedBot, position: NeedPosition): Need[] {
  const { symbol, attention, stopRefused } = position;
  const of = { mode: bot.mode, autoTradeId: bot.id, botName: bot.name, symbol, rank: rankOf(bot, RANKS.protection), link: botLink(bot.id) };
  const beside = { bot: bot.name, symbol };
  if (attention !== null)
    return [
      need({
        ...of,
        id: `position-attention:${position.id}`,
        kind: 'position-attention',
        code: attention,
        facts: { ...beside, ...attentionFacts(attention) },
        action: 'resolve',
        since: position.jumpAt === null ? null : iso(position.jumpAt),
      }),
    ];
  // Nothing is lost on paper while no stop rests.
  if (bot.mode === 'paper' || !position.holds) return [];
  if (position.exposure === 'noStop' && !position.hasFloor)
    return [
      need({
        ...of,
        id: `no-stop:${position.id}`,
        kind: 'no-stop',
        code: position.exposure,
        facts: beside,
        action: 'set-stop',
        link: `${botLink(bot.id)}/edit`,
      }),
    ];
  if (stopRefused === null) return [];
  const facts = { ...beside, ...stopFacts(stopRefused) };
  return [need({ ...of, id: `stop-refused:${position.id}`, kind: 'stop-refused', code: stopRefused, facts, action: 'review' })];
}

/** What bots and their positions need. A bot that sends no exits says so once, not for each of its positions. */
export const botNeeds = (bots: readonly NeedBot[]): Need[] =>
  bots.flatMap((bot) => [...stateNeeds(bot), ...bot.positions.flatMap((position) => positionNeeds(bot, position))]);

/** Bots whose stored rows this version cannot read: they do not trade, and what they hold is not known. */
export const unreadableBotNeeds = (bots: readonly { readonly id: string; readonly name: string }[]): Need[] =>
  bots.map(({ id, name }) =>
    need({
      id: `bot-unread:${id}`,
      kind: 'bot-unread',
      rank: RANKS.protection,
      autoTradeId: id,
      botName: name,
      code: 'bot-unreadable',
      facts: { bot: name, reasonKey: 'overview.reasons.bot-unreadable' },
      action: 'review',
      link: BOTS,
    }),
  );

export type NeedConnection = {
  /** Why the account could not be read when it was asked last, as an error code, and since when it fails. */
  readonly trouble: { readonly code: string; readonly since: number } | undefined;
  /** What the keys may do, as the exchange last said; undefined without keys. */
  readonly permissions: Permissions | undefined;
};

/** What the connection and its keys need: a key that fails, may not trade, or is about to end. */
export function connectionNeeds({ trouble, permissions }: NeedConnection, now: number): Need[] {
  const of = { rank: RANKS.access, mode: 'live', link: CONNECTION } as const;
  const found: Need[] = [];
  // A pause that the exchange asks for is over by itself.
  if (trouble && trouble.code !== 'exchange-rate-limited')
    found.push(
      need({
        ...of,
        id: 'connection-failing',
        kind: 'connection-failing',
        code: trouble.code,
        facts: { reasonKey: `errors.${trouble.code}.title` },
        action: trouble.code === 'invalid-key' ? 'renew-key' : trouble.code === 'not-connected' ? 'connect' : 'retry',
        since: iso(trouble.since),
      }),
    );
  if (permissions === undefined || trouble?.code === 'invalid-key') return found;
  const endsAt = permissions.tradingEndsAt === undefined ? undefined : Date.parse(permissions.tradingEndsAt);
  const ended = endsAt !== undefined && endsAt <= now;
  if (!isTradeEnabled(permissions) || ended)
    found.push(
      need({
        ...of,
        id: 'key-no-trading',
        kind: 'key-no-trading',
        code: ended ? 'key-ended' : 'trading-disabled',
        facts: { reasonKey: `overview.reasons.${ended ? 'key-ended' : 'trading-disabled'}` },
        action: ended ? 'renew-key' : 'allow-trading',
        since: ended ? iso(endsAt) : null,
      }),
    );
  else if (endsAt !== undefined && endsAt - now < KEY_ENDS_SOON_MS)
    found.push(
      need({ ...of, id: `key-ends:${endsAt}`, kind: 'key-ends', code: 'trading-ends-soon', facts: { endsAt }, action: 'renew-key' }),
    );
  return found;
}

export type NeedBooks = {
  readonly differences: readonly { readonly asset: string; readonly difference: Quantity }[];
  /** Why the last reading of the trade history failed, as an error code. */
  readonly historyFailed: string | null;
  /** Positions whose figures cannot be trusted, and since when the first is known. */
  readonly broken: { readonly count: number; readonly since: number | null };
};
/** More than these are told as one: without an imported history every coin differs. */
const MOST_DIFFERENCES = 5;

/** What of the books does not add up. */
export function bookNeeds({ differences, historyFailed, broken }: NeedBooks): Need[] {
  const of = { rank: RANKS.books, mode: 'live', link: POSITIONS } as const;
  const found: Need[] = [];
  if (differences.length > MOST_DIFFERENCES)
    found.push(
      need({
        ...of,
        id: 'balance-differences',
        kind: 'balance-differences',
        code: 'unexplained',
        facts: { count: differences.length, named: differences.map(({ asset }) => asset).join(', ') },
        action: 'explain',
      }),
    );
  else
    for (const { asset, difference } of differences)
      found.push(
        need({
          ...of,
          id: `balance-difference:${asset}`,
          kind: 'balance-difference',
          code: 'unexplained',
          facts: { asset, quantity: difference },
          action: 'explain',
        }),
      );
  if (historyFailed !== null)
    found.push(
      need({
        ...of,
        id: 'history-failed',
        kind: 'history-failed',
        code: historyFailed,
        facts: { reasonKey: `errors.${historyFailed}.title` },
        action: 'sync',
      }),
    );
  if (broken.count > 0)
    found.push(
      need({
        ...of,
        id: 'positions-broken',
        kind: 'positions-broken',
        code: 'broken',
        facts: { count: broken.count },
        action: 'resolve',
        since: broken.since === null ? null : iso(broken.since),
      }),
    );
  return found;
}

/** Channels whose receiver refused for good. @param reason a code of `notifications.failures` */
export const channelNeeds = (
  channels: readonly { readonly channel: OuterChannel; readonly reason: string; readonly since: number }[],
): Need[] =>
  channels.map(({ channel, reason, since }) =>
    need({
      id: `channel-failed:${channel}`,
      kind: 'channel-failed',
      rank: RANKS.channels,
      code: channel,
      facts: { channelKey: `notifications.channels.${channel}`, reasonKey: `notifications.failures.${reason}` },
      action: 'fix-channel',
      link: '/user/notifications',
      since: iso(since),
    }),
  );

/** For who can choose another one: the market has not answered since the server started. */
export const marketNeeds = ({ loaded, trouble }: { readonly loaded: boolean; readonly trouble: MarketTrouble | undefined }): Need[] =>
  loaded
    ? []
    : [
        need({
          id: 'market-silent',
          kind: 'market-silent',
          rank: RANKS.instance,
          code: trouble ?? 'network',
          facts: { reasonKey: marketTroubleText(trouble) },
          action: 'choose-market',
          link: '/management/market',
        }),
      ];

export const NEED_SOURCES = {
  bots: RANKS.protection,
  connection: RANKS.access,
  books: RANKS.books,
  channels: RANKS.channels,
  market: RANKS.instance,
} as const;
export type NeedSource = keyof typeof NEED_SOURCES;
const SOURCE_LINKS: Readonly<Record<NeedSource, string>> = {
  bots: BOTS,
  connection: CONNECTION,
  books: POSITIONS,
  channels: '/user/notifications',
  market: '/management/market',
};

/** In place of what a source would have said: it may hide the most urgent of its causes, so it stands where that would. */
export const unknownSource = (source: NeedSource): Need =>
  need({
    id: `unknown-source:${source}`,
    kind: 'unknown-source',
    rank: NEED_SOURCES[source],
    code: source,
    facts: { reasonKey: `overview.sources.${source}` },
    action: 'retry',
    link: SOURCE_LINKS[source],
  });

const KIND_ORDER: readonly NeedKind[] = [
  'exits-frozen',
  'bot-unread',
  'position-attention',
  'bot-halted',
  'no-stop',
  'stop-refused',
  'connection-failing',
  'key-no-trading',
  'key-ends',
  'bot-blocked',
  'balance-difference',
  'balance-differences',
  'history-failed',
  'positions-broken',
  'channel-failed',
  'market-silent',
  'unknown-source',
];
/** What an account's own item says already of each of its bots. */
const SAID_BY: Readonly<Record<string, (need: Need) => boolean>> = {
  'invalid-key': ({ kind, code }) => kind === 'connection-failing' && code === 'invalid-key',
  'trading-disabled': ({ kind }) => kind === 'key-no-trading',
};

/** Most urgent first; within a rank by cause, then by what has lasted longest, then by name, so that rows keep their place. */
export function orderedNeeds(needs: readonly Need[]): Need[] {
  const shown = needs.filter(({ kind, code }) => kind !== 'bot-blocked' || !needs.some((other) => SAID_BY[code]?.(other)));
  const key = ({ since, botName, symbol, id }: Need) => `${since ?? '9'} ${botName ?? ''} ${symbol ?? ''} ${id}`;
  return shown.sort((a, b) => a.rank - b.rank || KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) || (key(a) < key(b) ? -1 : 1));
}
