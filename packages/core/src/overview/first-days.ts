import type { Account } from '../account/account-contract.ts';
import { isTradingDenied } from '../account/claims.ts';
import { isPermitted } from '../account/permissions-contract.ts';
import type { AutoTrade } from '../auto-trades/auto-trades-contract.ts';
import type { ChannelState } from '../notifications/notifications-contract.ts';
import type { SyncStatus } from '../positions/positions-contract.ts';
import type { Wallet } from '../wallets/wallets-contract.ts';

// What comes next in the first days of an account: pure rules, so that Home, every screen and the terminal offer the same.

type Bot = Pick<AutoTrade, 'id' | 'name' | 'state' | 'lastTrace' | 'openPositions' | 'createdAt'>;

/** What an app knows of the account. Undefined is unknown, and what depends on it is not offered. */
export type FirstDayFacts = {
  readonly account?: Pick<Account, 'claims' | 'exchanges'> | undefined;
  readonly history?: Pick<SyncStatus, 'state' | 'done' | 'total' | 'tradesFound' | 'differences'> | undefined;
  readonly wallets?: readonly Pick<Wallet, 'id' | 'mode'>[] | undefined;
  readonly bots?: readonly Bot[] | undefined;
  /** How many price alerts there are. */
  readonly alerts?: number | undefined;
  readonly channels?: readonly Pick<ChannelState, 'channel' | 'available' | 'reason'>[] | undefined;
  /** `Offer.memory` of what was dismissed or is done. */
  readonly dismissed?: readonly string[] | undefined;
};

/** A finished step, at whose end something is offered. */
export const FINISHED_STEPS = ['exchange', 'wallet', 'bot', 'start', 'alert', 'channel', 'import'] as const;
export type FinishedStep = (typeof FINISHED_STEPS)[number];

/** Which facts the offer at the end of a step depends on: nothing else has to be asked for. */
export const FACTS_OF = {
  exchange: ['account', 'history', 'wallets', 'bots'],
  wallet: ['account', 'wallets', 'bots'],
  bot: ['bots'],
  start: ['bots', 'channels'],
  alert: ['alerts', 'channels'],
  channel: ['account', 'alerts', 'channels'],
  import: ['account', 'history'],
} as const satisfies Record<FinishedStep, readonly (keyof FirstDayFacts)[]>;

/** What can be offered: its texts are `nextSteps.offers.<id>`. */
export type OfferId =
  | 'connect'
  | 'reading'
  | 'holdings'
  | 'paperOnly'
  | 'liveWallet'
  | 'bot'
  | 'start'
  | 'telegram'
  | 'push'
  | 'email'
  | 'test'
  | 'alert'
  | 'differences'
  | 'positions';

export type Offer = {
  readonly id: OfferId;
  /** A path of the web app at which it is done. */
  readonly to: string;
  /** Only advice: it can be dismissed, and is remembered under this name. */
  readonly memory?: string;
  /** What its texts are filled with. */
  readonly values?: { readonly count?: number; readonly share?: number; readonly bot?: string };
};

/** What is looked at when a step ends; each is optional. */
export type OfferFocus = {
  /** Of a wallet that was opened, or of the bot whose page it is. */
  readonly id?: string | undefined;
  /** The channel works since this visit: a test is offered before anything else. */
  readonly isNew?: boolean | undefined;
};

const CONNECT = '/user/exchange-connect';
const NEW_BOT = '/auto-trade/create';

/** It buys nothing until it is enabled, and has done nothing yet. */
export const isUnstarted = ({ state, lastTrace, openPositions }: Pick<Bot, 'state' | 'lastTrace' | 'openPositions'>): boolean =>
  (state === 'Draft' || state === 'Disabled') && lastTrace === null && openPositions === 0;
const hasStarted = (bots: readonly Bot[]): boolean => bots.some((bot) => !isUnstarted(bot));

const startOf = ({ id, name }: Pick<Bot, 'id' | 'name'>): Offer => ({
  id: 'start',
  to: `/auto-trade/detail/${id}`,
  values: { bot: name },
});

/** Until the first bot has started: the newest one that has not, or a new one. @param wallet it begins with */
function botOffer({ account, bots }: FirstDayFacts, wallet?: string): Offer | undefined {
  if (account === undefined || bots === undefined || hasStarted(bots) || !isPermitted(account, 'bots')) return undefined;
  const newest = [...bots].sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
  return newest ? startOf(newest) : { id: 'bot', to: wallet === undefined ? NEW_BOT : `${NEW_BOT}?wallet=${wallet}` };
}

/** Percent of the pairs whose trades are read, a whole number, 100 only when all are; 0 while it is not known how many there are. */
export const shareOfHistory = ({ done, total }: Pick<SyncStatus, 'done' | 'total'>): number =>
  total > 0 ? Math.floor((done / total) * 100) : 0;

function afterExchange(facts: FirstDayFacts): Offer | undefined {
  const { account, history, wallets, bots } = facts;
  if (account === undefined || account.exchanges.length === 0) return undefined;
  if (history === undefined || wallets === undefined || bots === undefined) return undefined;
  const isDenied = isTradingDenied(account);
  if (hasStarted(bots))
    return !isDenied && isPermitted(account, 'bots') && wallets.every(({ mode }) => mode === 'paper')
      ? { id: 'liveWallet', to: '/auto-trade/wallets', memory: 'liveWallet' }
      : undefined;
  if (history.state === 'running' || history.state === 'never')
    return {
      id: 'reading',
      to: '/positions/migration',
      values: { share: shareOfHistory(history), count: history.tradesFound },
    };
  if (history.state === 'idle' && history.tradesFound > 0 && !facts.dismissed?.includes('holdings'))
    return { id: 'holdings', to: '/positions', memory: 'holdings', values: { count: history.tradesFound } };
  const offer = botOffer(facts);
  return offer?.id === 'bot' && isDenied ? { ...offer, id: 'paperOnly' } : offer;
}

function afterWallet(facts: FirstDayFacts, { id }: OfferFocus): Offer | undefined {
  const { wallets = [] } = facts;
  if (wallets.length === 0) return undefined;
  return botOffer(facts, id ?? (wallets.length === 1 ? wallets[0]?.id : undefined));
}

/** Muted for a while, or refused by its receiver, it is still the channel of the account: the latter stands in *Needs you*. */
const isSetUp = ({ available, reason }: Pick<ChannelState, 'available' | 'reason'>): boolean =>
  available || reason === 'muted' || reason === 'needs-attention';

/** The easiest way to be reached outside of the apps, where there is none yet. */
function channelOffer({ channels }: FirstDayFacts): Offer | undefined {
  if (channels === undefined || channels.some(isSetUp)) return undefined;
  const lacks = (name: ChannelState['channel'], reason: ChannelState['reason']) =>
    channels.some((each) => each.channel === name && each.reason === reason);
  const memory = 'channel';
  if (lacks('telegram', 'not-connected')) return { id: 'telegram', to: '/user/telegram-connect', memory };
  if (lacks('push', 'no-browser')) return { id: 'push', to: '/user/notifications?tab=settings#push', memory };
  if (lacks('email', 'not-confirmed')) return { id: 'email', to: '/user/my-account', memory };
  return undefined;
}

const focused = ({ bots }: FirstDayFacts, { id }: OfferFocus): Bot | undefined => bots?.find((each) => each.id === id);

function afterBot(facts: FirstDayFacts, focus: OfferFocus): Offer | undefined {
  const bot = focused(facts, focus);
  return bot && isUnstarted(bot) ? startOf(bot) : undefined;
}

/** Before its first trade: once it holds something, the page is about that. */
function afterStart(facts: FirstDayFacts, focus: OfferFocus): Offer | undefined {
  const bot = focused(facts, focus);
  return bot?.state === 'Running' && bot.lastTrace === null && bot.openPositions === 0 ? channelOffer(facts) : undefined;
}

function afterChannel({ account, alerts, channels, dismissed = [] }: FirstDayFacts, { isNew }: OfferFocus): Offer | undefined {
  if (!channels?.some(({ available }) => available)) return undefined;
  if (isNew && !dismissed.includes('test')) return { id: 'test', to: '/user/notifications?tab=settings', memory: 'test' };
  if (alerts !== 0 || account === undefined || !isPermitted(account, 'price-alerts')) return undefined;
  return { id: 'alert', to: '/price-alerts', memory: 'alert' };
}

function afterImport({ account, history }: FirstDayFacts): Offer | undefined {
  // Without an exchange there are no balances to explain.
  if (account === undefined || (account.exchanges.length > 0 && history === undefined)) return undefined;
  const count = history?.differences.length ?? 0;
  return count > 0 ? { id: 'differences', to: '/positions/migration', values: { count } } : { id: 'positions', to: '/positions' };
}

const AFTER: Record<FinishedStep, (facts: FirstDayFacts, focus: OfferFocus) => Offer | undefined> = {
  exchange: afterExchange,
  wallet: afterWallet,
  bot: afterBot,
  start: afterStart,
  alert: (facts) => (facts.alerts === undefined || facts.alerts === 0 ? undefined : channelOffer(facts)),
  channel: afterChannel,
  import: afterImport,
};

/**
 * The one thing that comes next at the end of a step; undefined where it is done already, was dismissed, is refused to the
 * account, or depends on what is unknown.
 */
export function offerAfter(step: FinishedStep, facts: FirstDayFacts, focus: OfferFocus = {}): Offer | undefined {
  const offer = AFTER[step](facts, focus);
  return offer?.memory !== undefined && facts.dismissed?.includes(offer.memory) ? undefined : offer;
}

/** The steps to a first bot, in their order. */
export type FirstStep = { readonly id: 'account' | 'exchange' | 'bot'; readonly isDone: boolean };
export type FirstDays = {
  readonly steps: readonly FirstStep[];
  /** What comes next; undefined where the account may not do it. */
  readonly next: Offer | undefined;
  /** No exchange, but a paper wallet: the second step is not needed. */
  readonly isOnPaper: boolean;
  readonly hasWallet: boolean;
  /** How far the reading of trades is that the connection began; undefined without one, or while unknown. */
  readonly history: FirstDayFacts['history'];
};

/** What `dismissed` names when the steps on Home were closed. */
export const FIRST_DAYS_MEMORY = 'first-days';

/** What stands between a new account and its first bot at work; undefined once a bot has started, and while bots are unknown. */
export function firstDays(facts: FirstDayFacts): FirstDays | undefined {
  const { account, history, wallets = [], bots } = facts;
  if (account === undefined || bots === undefined || hasStarted(bots)) return undefined;
  const isConnected = account.exchanges.length > 0;
  const isOnPaper = !isConnected && wallets.some(({ mode }) => mode === 'paper');
  const isReady = isConnected || isOnPaper;
  return {
    steps: [
      { id: 'account', isDone: true },
      { id: 'exchange', isDone: isReady },
      { id: 'bot', isDone: false },
    ],
    next: isReady ? botOffer(facts) : { id: 'connect', to: CONNECT },
    isOnPaper,
    hasWallet: wallets.length > 0,
    history: isConnected ? history : undefined,
  };
}
