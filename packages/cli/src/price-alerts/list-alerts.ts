import { priceAlertState } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { sayUnreadable } from '../app/unreadable.ts';
import { printRows } from '../ui/output.ts';
import { alerts } from './alert-columns.ts';
import { alertsClient } from './find-alert.ts';

/** Alerts by pair, the nearest to firing first. */
export async function list(context: Context, { symbol, state, watch }: { symbol?: string; state?: string; watch?: true }): Promise<void> {
  const wantedState = priceAlertState.options.find((each) => each.toLowerCase() === state?.toLowerCase());
  if (state !== undefined && wantedState === undefined)
    throw new UsageError('invalidValue', { word: '--state', allowed: priceAlertState.options.join(', ') });
  const client = await alertsClient(context);
  const load = async () =>
    (await client.listPriceAlerts())
      .filter(
        (row) => (symbol === undefined || row.symbol === symbol.toUpperCase()) && (wantedState === undefined || row.state === wantedState),
      )
      .sort(
        (a, b) =>
          (a.symbol ?? '').localeCompare(b.symbol ?? '') ||
          Math.abs(Number(a.distancePct ?? Number.POSITIVE_INFINITY)) - Math.abs(Number(b.distancePct ?? Number.POSITIVE_INFINITY)),
      );
  const resource = alerts(await context.texts());
  if (watch) {
    const { watchRows } = await import('../ui/watch-rows.ts');
    return watchRows(context, resource, load, ['price-alerts', 'tickers']);
  }
  await printRows(context, resource, await load());
  await sayUnreadable(context, 'price-alert');
}
