import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { isOffered } from '@pilotfish/core/prices/currency';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import type { DashboardData } from './dashboard-data.ts';
import type { Action, DashboardNotice } from './dashboard-machine.ts';

const SNOOZE_MINUTES = 60;

/** Does what was asked by the same calls as the commands do, and answers what to say of it. */
export async function perform(context: Context, { client, store, reload }: DashboardData, action: Action): Promise<DashboardNotice> {
  // What was answered counts at once: the next key is judged by it, and the list comes later.
  const takeBot = (bot: AutoTrade) => store.change({ bots: store.newest().bots?.map((each) => (each.id === bot.id ? bot : each)) });
  const takeAlert = (alert: PriceAlert) =>
    store.change({ alerts: store.newest().alerts?.map((each) => (each.id === alert.id ? alert : each)) });
  const done = (values: Record<string, string>): DashboardNotice => ({ tone: 'done', key: `cli.dashboard.done.${action.kind}`, values });
  switch (action.kind) {
    case 'enable':
    case 'disable':
    case 'unfreeze': {
      const params = { id: action.id };
      const consent = action.sale === undefined ? {} : ({ sellNow: true } as const);
      takeBot(
        action.kind === 'enable'
          ? await client.enableAutoTrade({
              params,
              body: { acknowledge: false, ...consent, ...(action.version !== undefined && { version: action.version }) },
            })
          : await client.disableAutoTrade({ params, body: { exits: 'continue', ...consent } }),
      );
      reload('bots');
      return done({ name: action.name });
    }
    case 'snooze':
      takeAlert(await client.snoozePriceAlert({ params: { id: action.id }, body: { minutes: SNOOZE_MINUTES } }));
      reload('alerts');
      return done({ name: action.name, time: formatDuration(SNOOZE_MINUTES * 60_000, context.language) });
    case 'removeAlert':
      await client.deletePriceAlert({ params: { id: action.id } });
      reload('alerts');
      return done({ name: action.name });
    case 'read':
      await client.readNotification({ params: { id: action.id } });
      reload('notifications');
      return done({ name: action.name });
    case 'createAlert': {
      const { readAlert } = await import('../price-alerts/read-alert.ts');
      const known = [...store.newest().pairs.values()].filter(isOffered);
      // Typed before the list of pairs has come.
      const { body, said } = await readAlert(context, action.text, known.length > 0 ? known : (await client.listPairs()).filter(isOffered));
      await client.createPriceAlert({ body });
      reload('alerts');
      return done({ alert: said });
    }
  }
}
