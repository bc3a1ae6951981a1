import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type HeldPosition, heldPositions } from '@pilotfish/core/auto-trades/held-positions';
import { type CommandContext, CommandRefusal } from './telegram-command.ts';

/** Every live position of every bot of the account. */
export const allHeldPositions = async ({ call }: CommandContext): Promise<HeldPosition[]> =>
  heldPositions(await call('listAutoTrades', {}), (id) => call('getAutoTradeDetail', { params: { id } }));

/**
 * The one thing that is meant: by its number in the list, its whole name, or the beginning of only one name.
 * @throws CommandRefusal naming what there is
 */
export function pick<Item>(items: readonly Item[], wanted: string, nameOf: (item: Item) => string, missing: string): Item {
  const number = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0;
  const numbered = number > 0 ? items[number - 1] : undefined;
  if (numbered !== undefined) return numbered;
  const folded = wanted.toLocaleUpperCase('en');
  const names = items.map((item) => nameOf(item).toLocaleUpperCase('en'));
  const exact = items.filter((_, index) => names[index] === folded);
  const found = exact.length > 0 ? exact : items.filter((_, index) => folded !== '' && names[index]?.startsWith(folded));
  const [only, ...others] = found;
  const list = (found.length > 0 ? found : items).slice(0, 10).map(nameOf).join(', ');
  if (only === undefined) throw new CommandRefusal(missing, { wanted, names: list === '' ? '–' : list });
  if (others.length > 0) throw new CommandRefusal('ambiguous', { wanted, names: list });
  return only;
}

/** A bot by number or name; without either, the only one there is. */
export async function findBot(context: CommandContext, wanted: string): Promise<AutoTrade> {
  const bots = await context.call('listAutoTrades', {});
  if (wanted === '' && bots.length === 1) return bots[0]!;
  if (wanted === '')
    throw new CommandRefusal(bots.length === 0 ? 'noBots' : 'whichBot', { names: bots.map(({ name }) => name).join(', ') });
  return pick(bots, wanted, ({ name }) => name, 'unknownBot');
}
