import { nearestWord } from '@pilotfish/core/fields/nearest-word';
import type { Client } from '@pilotfish/core/http/client';
import { type ClosedPosition, listClosedPositions, listOpenPositions } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { formatOf } from '../ui/output.ts';
import { isOpen, type Position, positionName } from './position-columns.ts';

const PAGE = 200;
type Lists = Client<{ listOpenPositions: typeof listOpenPositions; listClosedPositions: typeof listClosedPositions }>;

/** Closed positions, the newest first, until `enough` says so. */
async function closedUntil(client: Lists, enough: (found: readonly ClosedPosition[]) => boolean): Promise<ClosedPosition[]> {
  const found: ClosedPosition[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client.listClosedPositions({ query: { page, pageSize: PAGE } });
    found.push(...answer.items);
    if (answer.items.length < PAGE || enough(found)) return found;
  }
}

/**
 * The position meant by `BTCUSDT` (the open one, else the newest closed), `BTCUSDT#3`, an id or its beginning.
 * @throws LocalFailure `noSuchPosition` (7) with what was probably meant, or `ambiguous` (2)
 */
export async function findPosition(context: Context, wanted: string, which: 'open' | 'closed' | 'any' = 'any'): Promise<Position> {
  const client = await context.client({ listOpenPositions, listClosedPositions });
  const [symbol = '', number] = wanted.toUpperCase().split('#');
  const isMeant = (each: Position): boolean =>
    each.symbol === symbol
      ? number === undefined || String(each.number) === number
      : wanted.length >= 6 && each.id.startsWith(wanted.toLowerCase());
  const open = which === 'closed' ? [] : (await client.listOpenPositions()).items;
  const found: Position[] = open.filter(isMeant);
  const closed = found.length === 0 && which !== 'open' ? await closedUntil(client, (list) => list.some(isMeant)) : [];
  found.push(...closed.filter(isMeant));
  const isName = found.every((each) => each.symbol === symbol);
  if (found[0] && (isName || found.length === 1)) return found[0];
  if (found.length > 1) throw new LocalFailure('ambiguous', { wanted, names: found.map(positionName).join(', ') }, { exit: EXIT.usage });
  const names = [...new Set([...open, ...closed].map(({ symbol: each }) => each))];
  const suggestion = nearestWord(symbol, names);
  throw new LocalFailure(
    suggestion ? 'noSuchPosition' : 'noSuchPositionAtAll',
    { wanted, ...(suggestion ? { suggestion } : {}) },
    {
      exit: EXIT.notFound,
    },
  );
}

/** Texts are loaded for tables only, which keeps data fast. */
export const recoveredWord = async (context: Context): Promise<string> =>
  formatOf(context) === 'table' ? (await context.texts())('positions.recovered') : '0';

/** Prints one position with the columns of its kind. */
export async function printPosition(context: Context, position: Position): Promise<void> {
  const [{ printOne }, { openPositions, closedPositions }] = await Promise.all([
    import('../ui/output.ts'),
    import('./position-columns.ts'),
  ]);
  if (isOpen(position)) await printOne(context, openPositions(context.unicode, await recoveredWord(context)), position);
  else await printOne(context, closedPositions, position);
}
