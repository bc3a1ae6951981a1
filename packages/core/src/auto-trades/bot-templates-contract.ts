import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { asset, id, idParams, isoTime, nothing } from '../http/wire.ts';
import { botSettingsSchema } from './config/bot-settings.ts';

/** Longest name of a template. */
export const TEMPLATE_NAME_LENGTH = 60;

/** Settings of a bot kept under a name, to begin other bots with. It has no wallet, no coins and no keys, and trades nothing. */
export const botTemplateSchema = z.object({
  id,
  name: z.string(),
  /** Null where this version cannot read them: the template can only be renamed, replaced or deleted. */
  settings: botSettingsSchema.nullable(),
  /** Quote asset that its amounts are in: that of the wallet which they were saved with; null where that is not known. */
  currency: asset.nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
});
export type BotTemplate = z.infer<typeof botTemplateSchema>;

const name = z.string().trim().min(1).max(TEMPLATE_NAME_LENGTH);
const currency = asset.nullable();
const bff = { backend: 'bff', access: 'user' } as const;

export const listBotTemplates = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/auto-trades/templates',
  summary: 'Bot templates, by name; settings that cannot be read are null',
  answer: z.array(botTemplateSchema),
});
export const createBotTemplate = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/auto-trades/templates',
  summary: 'Keeps the settings of a bot, without name, wallet and coins, under a name of their own',
  body: z.object({ name, settings: botSettingsSchema, currency: currency.default(null) }),
  answer: botTemplateSchema,
  status: 201,
  idempotent: true,
  errors: ['name-taken', 'rules-violated', 'quota-reached'],
});
export const updateBotTemplate = endpoint({
  ...bff,
  method: 'PATCH',
  path: '/v2/auto-trades/templates/{id}',
  summary: 'Renames a template or replaces its settings with their currency; bots that began with it stay as they are',
  params: idParams,
  body: z.object({
    name: name.optional(),
    settings: botSettingsSchema.optional(),
    currency: currency.optional(),
    /** Its `updatedAt` as the caller knows it: of a template that was changed since nothing is written over. */
    basedOn: isoTime.optional(),
  }),
  guards: ['basedOn'],
  answer: botTemplateSchema,
  errors: ['name-taken', 'rules-violated', 'version-conflict'],
});
export const deleteBotTemplate = endpoint({
  ...bff,
  method: 'DELETE',
  path: '/v2/auto-trades/templates/{id}',
  summary: 'Deletes a template; bots that began with it stay as they are',
  params: idParams,
  answer: nothing,
  status: 204,
});

export const botTemplatesContract = { listBotTemplates, createBotTemplate, updateBotTemplate, deleteBotTemplate };
