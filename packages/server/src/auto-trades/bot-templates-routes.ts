import type { BotSettings } from '@pilotfish/core/auto-trades/config/bot-settings';
import { violatedSettingsRules } from '@pilotfish/core/auto-trades/config/settings-rules';
import { AppError } from '@pilotfish/core/http/problem';
import type { ScreenerKnowledge } from '@pilotfish/core/prices/screener-rules';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Language } from '../http/texts.ts';
import { botTemplatesStore } from './bot-templates-store.ts';
import { ruleErrors } from './rule-errors.ts';

/** Settings of bots that an account keeps under names, to begin other bots with. They trade nothing. */
export function botTemplatesFeature(
  { database, newId, now, quotas, texts }: Pick<AppContext, 'database' | 'newId' | 'now' | 'quotas' | 'texts'>,
  { knowledge }: { /** What conditions may ask now. */ readonly knowledge: () => ScreenerKnowledge },
): Feature {
  const store = botTemplatesStore(database);

  /** @throws AppError `rules-violated`, by the paths of the body */
  const requireRules = (settings: BotSettings, language: Language): void => {
    const errors = ruleErrors(violatedSettingsRules(settings, knowledge()), texts, language);
    if (errors.length > 0)
      throw new AppError('rules-violated', { fields: errors.map((error) => ({ ...error, path: `settings.${error.path}` })) });
  };
  const nameTaken = (name: string, language: Language): AppError => {
    return new AppError('name-taken', { detail: texts.text(language, 'autoTrades.templates.nameTaken', { name }) });
  };

  return {
    handlers: {
      listBotTemplates: ({ account }) => store.list(account.id),
      createBotTemplate: async ({ account, body, language }) => {
        requireRules(body.settings, language);
        const created = await store.insert({ id: newId(), accountId: account.id, at: now(), ...body }, (queries) =>
          quotas.requireRoom(queries, account.id, 'botTemplates', language),
        );
        if (created === undefined) throw nameTaken(body.name, language);
        return created;
      },
      updateBotTemplate: async ({ account, params, body, language }) => {
        if (body.settings) requireRules(body.settings, language);
        const updated = await store.update(account.id, params.id, body, now());
        if (updated === 'missing') throw new AppError('not-found');
        if (updated === 'changed') throw new AppError('version-conflict', { parameters: { context: 'template' } });
        if (updated === 'taken') throw nameTaken(body.name ?? '', language);
        return updated;
      },
      deleteBotTemplate: async ({ account, params }) => {
        if (!(await store.remove(account.id, params.id))) throw new AppError('not-found');
      },
    },
  };
}
