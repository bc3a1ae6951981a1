import { getPreferences } from '@pilotfish/core/account/account-contract';
import { listAutoTrades } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { listBotTemplates } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { listPriceAlerts } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { isOffered } from '@pilotfish/core/prices/currency';
import { listPairs } from '@pilotfish/core/prices/prices-contract';
import { listCoinFilters } from '@pilotfish/core/prices/screener-contract';
import { listWallets } from '@pilotfish/core/wallets/wallets-contract';
import type { Context } from '../app/context.ts';
import { unchecked } from '../ui/unchecked.ts';

/** A word and what is said of it. */
export type Choice = { readonly word: string; readonly about: string };
type Asked = Pick<Context, 'client'>;
type How = { readonly signal: AbortSignal; readonly quiet: true };

const named = (things: readonly { readonly name: string }[]): Choice[] => things.map(({ name }) => ({ word: name, about: '' }));

async function symbols(context: Asked, how: How): Promise<Choice[]> {
  const { listPairs: list } = await context.client({ listPairs: unchecked(listPairs) });
  return (await list(undefined, how)).filter(isOffered).map(({ symbol }) => ({ word: symbol, about: '' }));
}
async function bots(context: Asked, how: How): Promise<Choice[]> {
  const { listAutoTrades: list } = await context.client({ listAutoTrades });
  return (await list(undefined, how)).map(({ name, mode, state }) => ({ word: name, about: `${mode}, ${state}` }));
}

/** What an argument or option of that name can be, as the server of the profile knows it. */
const NAMES: Readonly<Record<string, (context: Asked, how: How) => Promise<Choice[]>>> = {
  bot: bots,
  botOrFile: bots,
  other: bots,
  symbol: symbols,
  symbols,
  pairs: symbols,
  wallet: async (context, how) => named(await (await context.client({ listWallets })).listWallets(undefined, how)),
  filter: async (context, how) => named(await (await context.client({ listCoinFilters })).listCoinFilters(undefined, how)),
  template: async (context, how) => named(await (await context.client({ listBotTemplates })).listBotTemplates(undefined, how)),
  watchlist: async (context, how) =>
    named((await (await context.client({ getPreferences })).getPreferences(undefined, how)).watchlists ?? []),
  alert: async (context, how) =>
    (await (await context.client({ listPriceAlerts })).listPriceAlerts(undefined, how)).map(({ id, symbol }) => ({
      word: id,
      about: symbol ?? '',
    })),
};

/** Longest wait for names, ms: somebody waits with a finger on the key. */
const PATIENCE = 2000;

/** The names that these kinds stand for; none where they stand for none, or where they cannot be had now. */
export async function namesOf(kinds: readonly string[], context: Pick<Context, 'client' | 'timers'>): Promise<readonly Choice[]> {
  const ask = kinds.map((kind) => NAMES[kind]).find((each) => each !== undefined);
  if (!ask) return [];
  const patience = new AbortController();
  const timer = context.timers.setTimeout(() => patience.abort(), PATIENCE);
  try {
    // What begins with a dash would be read as an option: `--yes` where a bot is meant.
    return (await ask(context, { signal: patience.signal, quiet: true })).filter(({ word }) => !word.startsWith('-'));
  } catch {
    // No server, no session: a Tab is no place to say so.
    return [];
  } finally {
    context.timers.clearTimeout(timer);
  }
}
