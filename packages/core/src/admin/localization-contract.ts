import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { id, idParams, nothing, pageOf, pageQuery } from '../http/wire.ts';

const admin = { backend: 'bff', access: 'admin' } as const;
const language = z.enum(['en', 'tr']);

export const localizationResourceSchema = z.object({
  id,
  key: z.string(),
  values: z.record(language, z.string()),
  /** What the product itself says; null for texts that this instance added. */
  bundled: z.record(language, z.string()).nullable(),
  /** Overridden or added here. */
  changed: z.boolean(),
  /** Languages it is missing in: others are shown instead. */
  missing: z.array(language),
});
export type LocalizationResource = z.infer<typeof localizationResourceSchema>;

const values = z.partialRecord(language, z.string().max(4000));
const resourceBody = z.object({ key: z.string().min(1).max(200), values });

export const listLocalizationResources = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/localization-resources',
  summary: 'Texts, with the overrides of this instance; missing ones first',
  query: pageQuery.extend({
    filter: z.string().max(200).optional(),
    /** `same`: both languages say the same words, which may mean that one was never translated. */
    state: z.enum(['all', 'changed', 'missing', 'same']).default('all'),
  }),
  answer: pageOf(localizationResourceSchema).extend({
    counts: z.object({ all: z.int(), changed: z.int(), missing: z.int(), same: z.int() }),
  }),
});
export const createLocalizationResource = endpoint({
  ...admin,
  method: 'POST',
  path: '/v2/localization-resources',
  summary: 'Adds a text',
  body: resourceBody,
  answer: localizationResourceSchema,
  status: 201,
  errors: ['conflict'],
});
export const updateLocalizationResource = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v2/localization-resources/{id}',
  summary: 'Changes a text',
  params: idParams,
  body: resourceBody,
  answer: localizationResourceSchema,
});
export const deleteLocalizationResource = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v2/localization-resources/{id}',
  summary: 'Removes an override',
  params: idParams,
  answer: nothing,
  status: 204,
});

/** Entries of one import call; a longer file is sent in parts. */
export const IMPORT_ENTRIES = 300;
const textsByKey = z.record(z.string().min(1).max(200), values);
/** A file of texts, as the export answers it. */
export const textsDocumentSchema = z.object({ format: z.literal('pilotfish-texts-1'), texts: textsByKey });

export const exportLocalizationResources = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/localization-resources/export',
  summary: 'Texts as one document that the import takes back',
  query: z.object({ scope: z.enum(['changed', 'all']).default('changed') }),
  answer: textsDocumentSchema,
});
export const importLocalizationResources = endpoint({
  ...admin,
  method: 'POST',
  path: '/v2/localization-resources/import',
  summary: 'Takes texts in, all or none; what the product says anyway is left out. With dryRun it only says what would happen',
  body: z.object({
    format: z.literal('pilotfish-texts-1'),
    texts: textsByKey.refine((texts) => Object.keys(texts).length <= IMPORT_ENTRIES, { params: { code: 'too_many' } }),
    dryRun: z.boolean().default(false),
  }),
  answer: z.object({ added: z.int(), changed: z.int(), unchanged: z.int() }),
});

/** For everybody: what this instance says differently from the texts an app carries. */
export const getLocalizationOverrides = endpoint({
  backend: 'bff',
  access: 'none',
  method: 'GET',
  path: '/v1/localization-resources/{language}',
  summary: 'Overrides of one language; texts is null when nothing changed since the version named',
  params: z.object({ language }),
  query: z.object({ since: z.string().max(40).optional() }),
  answer: z.object({ version: z.string(), texts: z.record(z.string(), z.string()).nullable() }),
});

export const localizationContract = {
  listLocalizationResources,
  createLocalizationResource,
  updateLocalizationResource,
  deleteLocalizationResource,
  exportLocalizationResources,
  importLocalizationResources,
  getLocalizationOverrides,
};
