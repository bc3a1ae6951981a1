import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { asset, isoTime, nothing, pageOf, pageQuery, sortDirection } from '../http/wire.ts';
import { SETTING_KEYS } from './app-settings.ts';

const admin = { backend: 'bff', access: 'admin' } as const;

const settingValue = z.union([z.string().max(4000), z.number(), z.boolean(), z.array(z.string().max(500)).max(100)]);
export const shownSettingSchema = z.object({
  key: z.enum(SETTING_KEYS),
  value: settingValue,
  /** What holds while nothing is chosen: the environment's value where there is one. */
  default: settingValue,
  /** Null while nothing is chosen. */
  updatedAt: isoTime.nullable(),
});
export type ShownSetting = z.infer<typeof shownSettingSchema>;

export const listAppSettings = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/app-settings',
  summary: 'Settings of the instance that can change while it runs',
  answer: z.object({ items: z.array(shownSettingSchema) }),
});
export const changeAppSettings = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v2/admin/app-settings',
  secondFactor: true,
  summary: 'Changes the settings named, all or none; null restores a default',
  body: z.object({ values: z.partialRecord(z.enum(SETTING_KEYS), settingValue.nullable()) }),
  answer: z.object({ items: z.array(shownSettingSchema) }),
});

export const adminCurrencySchema = z.object({
  code: asset,
  name: z.string(),
  precision: z.int(),
  icon: z.string(),
  enabled: z.boolean(),
  sort: z.int(),
  /** Chosen here, not by the exchange. */
  changed: z.boolean(),
  hasIcon: z.boolean(),
});
export type AdminCurrency = z.infer<typeof adminCurrencySchema>;

const currencyParams = z.object({ code: asset });
export const listAdminCurrencies = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/currencies',
  summary: 'Currencies, searched, sorted and paged',
  query: pageQuery.extend({
    search: z.string().max(100).optional(),
    sortBy: z.enum(['sort', 'code', 'name']).default('sort'),
    sortOrder: sortDirection.default('asc'),
    state: z.enum(['all', 'enabled', 'disabled', 'changed']).default('all'),
  }),
  answer: pageOf(adminCurrencySchema),
});
export const changeCurrency = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v2/admin/currencies/{code}',
  summary: 'What this instance says of a currency; null gives a field back to the exchange. A code nobody lists is added',
  params: currencyParams,
  body: z.object({
    name: z.string().trim().min(1).max(60).nullable().optional(),
    precision: z.int().min(0).max(18).nullable().optional(),
    enabled: z.boolean().nullable().optional(),
    sort: z.int().min(0).max(100_000).nullable().optional(),
  }),
  answer: adminCurrencySchema,
});
export const resetCurrency = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v2/admin/currencies/{code}',
  summary: 'Forgets what this instance says of a currency, its picture too',
  params: currencyParams,
  answer: nothing,
  status: 204,
});
export const MAX_ICON_BYTES = 64 * 1024;
export const setCurrencyIcon = endpoint({
  ...admin,
  method: 'POST',
  path: '/v2/admin/currencies/{code}/icon',
  summary: 'The picture of a currency: a PNG of at most 64 KB and 512 pixels a side',
  params: currencyParams,
  content: 'multipart',
  answer: adminCurrencySchema,
  errors: ['payload-too-large'],
});
export const removeCurrencyIcon = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v2/admin/currencies/{code}/icon',
  summary: 'Back to the drawn picture',
  params: currencyParams,
  answer: nothing,
  status: 204,
});

const tagKey = z
  .string()
  .min(2)
  .max(40)
  .regex(/^[a-z0-9][a-z0-9-]*$/);
const tagBody = z.object({
  labels: z.object({ en: z.string().trim().min(1).max(40), tr: z.string().trim().min(1).max(40) }),
  assets: z.array(asset).max(1000),
});
export const adminTagSchema = z.object({
  key: z.string(),
  labels: z.object({ en: z.string(), tr: z.string() }),
  assets: z.array(z.string()),
  builtIn: z.boolean(),
});
export type AdminTag = z.infer<typeof adminTagSchema>;

export const listAdminTags = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/tags',
  summary: 'Tags of base assets: the built-in ones, and those of this instance',
  answer: z.object({ items: z.array(adminTagSchema) }),
});
export const createTag = endpoint({
  ...admin,
  method: 'POST',
  path: '/v2/admin/tags',
  summary: 'Adds a tag',
  body: tagBody.extend({ key: tagKey }),
  answer: adminTagSchema,
  status: 201,
  errors: ['conflict'],
});
export const changeTag = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v2/admin/tags/{key}',
  summary: 'Names a tag of this instance anew and says which assets bear it',
  params: z.object({ key: z.string().max(40) }),
  body: tagBody,
  answer: adminTagSchema,
  errors: ['not-found'],
});
export const deleteTag = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v2/admin/tags/{key}',
  summary: 'Removes a tag of this instance; the built-in ones stay',
  params: z.object({ key: z.string().max(40) }),
  answer: nothing,
  status: 204,
});

export const instanceContract = {
  listAppSettings,
  changeAppSettings,
  listAdminCurrencies,
  changeCurrency,
  resetCurrency,
  setCurrencyIcon,
  removeCurrencyIcon,
  listAdminTags,
  createTag,
  changeTag,
  deleteTag,
};
