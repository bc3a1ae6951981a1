import { type AutoTradeConfig, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type CoinFilter, type FilterOptions, listCoinFilters } from '@pilotfish/core/prices/screener-contract';
import { walletsContract } from '@pilotfish/core/wallets/wallets-contract';
import type { Context } from '../app/context.ts';
import { LocalFailure } from '../app/failure.ts';
import { findByName } from '../app/find.ts';
import type { Translate } from '../app/texts.ts';
import { fieldError } from '../screen/rule-problems.ts';
import { loadOptions } from '../screen/screen-question.ts';
import { hasWords, readConditions, writeConditions } from './bot-conditions.ts';
import type { Draft } from './bot-source.ts';

/** Files name wallets and coin filters and write conditions in words; the wire has ids and groups. */
export type Names = {
  readonly wallets: readonly { id: string; name: string; currency?: string }[];
  readonly filters: readonly Pick<CoinFilter, 'id' | 'name'>[];
  /** What conditions can ask about; loaded once, when conditions are read. */
  readonly options: () => Promise<FilterOptions>;
};

/** A broken setting, by the path it has in a file. */
export type Problem = { path: string; code: string; message: string; limit?: string | undefined; actual?: string | undefined };

export async function loadNames(context: Context): Promise<Names> {
  const client = await context.client({ listWallets: walletsContract.listWallets, listCoinFilters });
  const [wallets, filters] = await Promise.all([client.listWallets(), client.listCoinFilters()]);
  let options: Promise<FilterOptions> | undefined;
  return { wallets, filters, options: () => (options ??= loadOptions(context)) };
}

const isTree = (value: unknown): value is Draft => typeof value === 'object' && value !== null && !Array.isArray(value);
const words = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value).split(',')).map((each) => String(each).trim()).filter((each) => each !== '');

/** The settings as the wire has them, and every name and every condition that cannot be read. */
export async function toWire(draft: Draft, names: Names, t: Translate): Promise<{ body: Draft; problems: Problem[] }> {
  const problems: Problem[] = [];
  const named = <Thing extends { id: string; name: string }>(
    kind: 'wallet' | 'filter',
    things: readonly Thing[],
    wanted: string,
    path: string,
  ) => {
    try {
      return findByName(kind, things, wanted).id;
    } catch (error) {
      if (!(error instanceof LocalFailure)) throw error;
      problems.push({ path, code: error.code, message: t(`cli.failures.${error.code}`, error.values) });
      return undefined;
    }
  };
  const { wallet, ...body } = draft;
  if (wallet !== undefined) body.walletId = typeof wallet === 'string' ? named('wallet', names.wallets, wallet, 'wallet') : wallet;
  if (Array.isArray(body.coins) || typeof body.coins === 'string') body.coins = { symbols: words(body.coins) };
  if (isTree(body.coins)) {
    const { filters, symbols, ...others } = body.coins;
    const ids =
      filters === undefined
        ? undefined
        : words(filters).map((each, index) => named('filter', names.filters, each, `coins.filters.${index}`));
    body.coins = {
      ...others,
      ...(symbols === undefined ? {} : { symbols: Array.isArray(symbols) ? symbols.map((each) => String(each).toUpperCase()) : symbols }),
      ...(ids ? { coinFilterIds: ids } : {}),
    };
  }
  return { body: await withConditions(body, names.options, t, problems), problems };
}

/** Settings of a file with its conditions as groups; wallets and coin filters stay named. */
export async function groupsForWords(context: Context, draft: Draft): Promise<{ draft: Draft; problems: Problem[] }> {
  const problems: Problem[] = [];
  return { draft: await withConditions(draft, () => loadOptions(context), await context.texts(), problems), problems };
}

/** Settings whose conditions are groups, in place of the words of a file. */
async function withConditions(draft: Draft, options: () => Promise<FilterOptions>, t: Translate, problems: Problem[]): Promise<Draft> {
  const read = async (written: unknown, path: string): Promise<unknown> => {
    if (!hasWords(written)) return readConditions(written, { filter: [] }, path).group;
    const { group, wrong } = readConditions(written, await options(), path);
    for (const each of wrong) {
      const { path: typed, ...said } = fieldError(t, each);
      problems.push({ ...said, path: each.path, message: `${typed}: ${said.message}` });
    }
    return group;
  };
  const body = { ...draft };
  if (isTree(body.entry) && isTree(body.entry.trigger) && body.entry.trigger.rules !== undefined) {
    const rules = await read(body.entry.trigger.rules, 'entry.trigger.rules');
    body.entry = { ...body.entry, trigger: { ...body.entry.trigger, rules } };
  }
  if (isTree(body.exit) && body.exit.conditions != null)
    body.exit = { ...body.exit, conditions: await read(body.exit.conditions, 'exit.conditions') };
  return body;
}

/** Settings as a file has them: every field, names in place of ids, conditions in words. */
export function toFile(config: AutoTradeConfig, { wallets, filters }: Pick<Names, 'wallets' | 'filters'>): Draft {
  const { name, walletId, coins, entry, exit, ...others } = autoTradeConfigSchema.parse(config);
  const wallet = wallets.find(({ id }) => id === walletId);
  const { trigger } = entry;
  return {
    name,
    ...(wallet ? { wallet: wallet.name } : { walletId }),
    coins:
      coins.coinFilterIds.length > 0
        ? { filters: coins.coinFilterIds.map((id) => filters.find((each) => each.id === id)?.name ?? id) }
        : { symbols: coins.symbols },
    entry: { ...entry, trigger: trigger.kind === 'conditions' ? { ...trigger, rules: writeConditions(trigger.rules) } : trigger },
    exit: { ...exit, conditions: exit.conditions ? writeConditions(exit.conditions) : null },
    ...others,
  };
}
