import type { Preferences, ViewChoices, Watchlist } from '@pilotfish/core/account/preferences';
import { LONGEST_NAME, VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import { watchlistNameProblem } from '@pilotfish/core/account/watchlists';
import type { App } from './app.ts';
import { createStore, type Store } from './store.ts';

/** How the screens are arranged: what the account keeps for all devices, and how close rows stand. */
type Choices = { [Name in keyof ViewChoices]: Exclude<ViewChoices[Name], null> } & Pick<Preferences, 'density'>;
export type ChoiceName = keyof Choices;

type Place<Value> = { readonly key: string; readonly read: (parsed: unknown) => Value | undefined };

const isName = (value: unknown): boolean => typeof value === 'string' && value.length > 0 && value.length <= LONGEST_NAME;
const names = (key: string, most: number): Place<string[]> => ({
  key,
  read: (parsed) => (isNames(parsed) ? parsed.slice(0, most) : undefined),
});

const isNames = (value: unknown): value is string[] => Array.isArray(value) && value.every(isName);
/**
 * Lists that the account would not take are left out, since one of them would have all others refused; the rest stays. By
 * hand: the schema would bring its library to the first page.
 */
function watchlists(parsed: unknown): Watchlist[] | undefined {
  if (!Array.isArray(parsed)) return undefined;
  const lists: Watchlist[] = [];
  for (const each of parsed as (Partial<Watchlist> | null)[]) {
    const name = typeof each?.name === 'string' ? each.name.trim() : '';
    if (watchlistNameProblem(lists, name) !== undefined || !isNames(each?.symbols)) continue;
    lists.push({ name, symbols: each.symbols.slice(0, VIEW_LIMITS.watchlistPairs) });
  }
  return lists.slice(0, VIEW_LIMITS.watchlists);
}

/** Where each lies in local storage, and what of it is taken: nonsense in storage is no choice. */
const PLACES: { readonly [Name in ChoiceName]: Place<Choices[Name]> } = {
  favourites: names('favourite_pairs', VIEW_LIMITS.favourites),
  watchlists: { key: 'watchlists', read: watchlists },
  chartIndicators: names('chart_indicators', VIEW_LIMITS.chartIndicators),
  pricesColumns: names('prices_columns', VIEW_LIMITS.pricesColumns),
  recentItems: names('palette_recent', VIEW_LIMITS.recentItems),
  dismissedSteps: names('dismissed_steps', VIEW_LIMITS.dismissedSteps),
  pricesFilterOpen: { key: 'prices_filter_open', read: (parsed) => (typeof parsed === 'boolean' ? parsed : undefined) },
  defaultCoinFilter: { key: 'default_coin_filter', read: (parsed) => (isName(parsed) ? (parsed as string) : undefined) },
  density: { key: 'prices_density', read: (parsed) => (parsed === 'comfortable' || parsed === 'compact' ? parsed : undefined) },
};

/** Those whose home is the account's views; density is one of its preferences. */
export const VIEW_NAMES = Object.keys(PLACES).filter((name) => name !== 'density') as (keyof ViewChoices)[];

type Unsent = { [Name in keyof ViewChoices]?: ViewChoices[Name] };

/** The choices of this browser: the first paint's and a guest's. What is chosen while signed in is due to the account as well. */
function createChoices({ browser: { storage }, session }: Pick<App, 'browser' | 'session'>) {
  const stores = new Map<ChoiceName, Store<unknown>>();
  const listeners: (<Name extends ChoiceName>(name: Name, value: Choices[Name] | undefined) => void)[] = [];
  let unsent: Unsent = {};
  session.on('session.ended', () => {
    unsent = {};
  });
  const of = <Name extends ChoiceName>(name: Name): Store<Choices[Name] | undefined> => {
    const { key, read } = PLACES[name];
    const parsed = (): unknown => {
      try {
        return JSON.parse(storage.get(key) ?? 'null');
      } catch {
        return undefined;
      }
    };
    const store = stores.get(name) ?? createStore<unknown>(read(parsed()));
    stores.set(name, store);
    return store as Store<Choices[Name] | undefined>;
  };
  /** What the account says, written here. */
  const load = <Name extends ChoiceName>(name: Name, value: Choices[Name] | undefined) => {
    if (value === undefined) storage.remove(PLACES[name].key);
    else storage.set(PLACES[name].key, JSON.stringify(value));
    of(name).set(value);
  };
  return {
    of,
    load,
    /** What the account does not have yet. */
    unsent: (): Unsent => unsent,
    add: (more: Unsent) => {
      unsent = { ...unsent, ...more };
    },
    /** The account has these; what was chosen since stays. */
    sent: (body: Unsent) => {
      unsent = Object.fromEntries(Object.entries(unsent).filter(([name, value]) => body[name as keyof ViewChoices] !== value));
    },
    /** Somebody chose, here. */
    choose: <Name extends ChoiceName>(name: Name, value: Choices[Name] | undefined) => {
      load(name, value);
      if (name !== 'density' && session.getSnapshot().matches('active')) unsent = { ...unsent, [name]: value ?? null };
      for (const run of listeners) run(name, value);
    },
    onChosen: (run: (typeof listeners)[number]) => void listeners.push(run),
  };
}

/** Made when a screen first asks: the landing page does without. */
export const choicesOf = (app: App) => app.keep('choices', () => createChoices(app));
