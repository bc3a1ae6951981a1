import type { Context } from '../app/context.ts';
import type { DashboardData } from './dashboard-data.ts';
import type { Action, DashboardNotice } from './dashboard-machine.ts';

const SNOOZE_MINUTES = 60;

/** Does what was asked by the same calls as the commands do, and answers what to say of it. */
export async function perform(context: Context, { client, store, reload }: DashboardData, action: Action): Promise<DashboardNotice> {
  const done = (values: Record<string, string>): DashboardNotice => ({ tone: 'done', key: `cli.dashboard.done.${action.kind}`, values });
  switch (action.kind) {
    case 'enable':
      await client.enableAutoTrade({ params: { id: action.id }, body: { acknowledge: false } });
      reload('bots');
      return done({ name: action.name });
    case 'disable':
      await client.disableAutoTrade({ params: { id: action.id }, body: { exits: 'continue' } });
      reload('bots');
      return done({ name: action.name });
    case 'snooze':
      await client.snoozePriceAlert({ params: { id: action.id }, body: { minutes: SNOOZE_MINUTES } });
      reload('alerts');
      return done({ name: action.name, minutes: String(SNOOZE_MINUTES) });
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
      const known = [...store.newest().pairs.values()];
      // Typed before the list of pairs has come.
      const { body, said } = await readAlert(context, action.text, known.length > 0 ? known : await client.listPairs());
      await client.createPriceAlert({ body });
      reload('alerts');
      return done({ alert: said });
    }
  }
}
