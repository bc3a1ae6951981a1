import type { Context } from '../app/context.ts';
import { printRows } from '../ui/output.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { firings } from './alert-columns.ts';
import { alertsClient, findAlert } from './find-alert.ts';

/** What fired, newest first: of one alert, of a pair, or of all. */
export async function history(
  context: Context,
  { alert, symbol, limit }: { alert?: string; symbol?: string; limit: string },
): Promise<void> {
  const pageSize = Math.min(200, wholeNumber(limit, '--limit') ?? 25);
  const client = await alertsClient(context);
  const priceAlertId = alert === undefined ? undefined : (await findAlert(context, client, alert)).id;
  const { items } = await client.getPriceAlertHistory({
    query: { pageSize, ...(priceAlertId ? { priceAlertId } : {}), ...(symbol ? { symbol: symbol.toUpperCase() } : {}) },
  });
  await printRows(context, firings(await context.texts()), items);
}
