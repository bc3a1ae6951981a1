import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import type { BotSettingsInput } from '@pilotfish/core/auto-trades/config/bot-settings';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../platform/app-context.tsx';
import { useDeed } from '../../platform/use-action.ts';
import { useOnce } from '../../platform/use-once.ts';
import { useQuery } from '../../platform/use-query.ts';

/** The templates of the account, by name. */
export const useBotTemplates = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery('bot-templates', (client, _: null, signal) => client.listBotTemplates(undefined, { signal, quiet: true }), null, { enabled });

/** Creates, replaces, renames and deletes templates, with a toast when done. A refusal rejects without a toast: the dialog shows it. */
export function useTemplateChanges() {
  const { client } = useApp();
  const { t } = useTranslation();
  const once = useOnce();
  const deed = useDeed();
  const done = <Answer>(call: Promise<Answer>, said: string) => deed(call, ['bot-templates'], said);
  return {
    create: (name: string, settings: BotSettingsInput, currency: string) => {
      const body = { name, settings, currency };
      return done(
        once(body, (idempotencyKey) => client.createBotTemplate({ body }, { quiet: true, idempotencyKey })),
        t('autoTrades.templates.saved', { name }),
      );
    },
    replace: ({ id, name, updatedAt }: BotTemplate, settings: BotSettingsInput, currency: string) =>
      done(
        client.updateBotTemplate({ params: { id }, body: { settings, currency, basedOn: updatedAt } }, { quiet: true }),
        t('autoTrades.templates.replaced', { name }),
      ),
    rename: ({ id, updatedAt }: BotTemplate, name: string) =>
      done(
        client.updateBotTemplate({ params: { id }, body: { name, basedOn: updatedAt } }, { quiet: true }),
        t('autoTrades.templates.renamed', { name }),
      ),
    remove: ({ id, name }: BotTemplate) =>
      done(client.deleteBotTemplate({ params: { id } }, { quiet: true }), t('autoTrades.templates.deleted', { name })),
  };
}
