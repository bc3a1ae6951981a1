import { AppError } from '@pilotfish/core/http/problem';
import { readZone } from '@pilotfish/core/trade-import/import-cells';
import { NEEDED_FIELDS } from '@pilotfish/core/trade-import/import-questions';
import { operationName } from '@pilotfish/core/trade-import/statement-operations';
import { IMPORT_FIELDS, OPERATION_MEANINGS } from '@pilotfish/core/trade-import/trade-import-contract';
import * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Language } from '../http/texts.ts';
import { toFileError } from './file-refused.ts';
import { type ImportParts, importService } from './import-service.ts';
import { uploadPlaces } from './upload-places.ts';

/** Most answers in one call; a file is never asked about more (`MOST_UNKNOWN`). */
const MOST_ANSWERS = 1000;
const meaningsSchema = z
  .record(z.string().min(1).max(100), z.enum(OPERATION_MEANINGS))
  .refine((answers) => Object.keys(answers).length <= MOST_ANSWERS);
const mappingSchema = z.record(z.string().max(200), z.enum(IMPORT_FIELDS));

/** Import of export files, what was imported, and how it is taken back. */
export function importFeature(context: AppContext, parts: ImportParts): Feature {
  const { database, texts, audit, log, quotas } = context;
  const service = importService(context, parts);
  const places = uploadPlaces();
  const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);
  quotas.countBy('importMb', async (accountId) => megabytes(await service.bytesOf(accountId)));
  const refuse = (path: string, code: string, language: Language, actual: string): never => {
    const message = texts.text(language, `tradeImport.${code}`, { actual });
    throw new AppError('invalid', { fields: [{ path, code, message, actual }] });
  };

  const zoneOf = (text: string | undefined, language: Language): number | undefined =>
    text === undefined ? undefined : (readZone(text) ?? refuse('zone', 'badZone', language, text.slice(0, 20)));

  const mappingOf = (text: string | undefined, language: Language) => {
    if (text === undefined) return undefined;
    const parsed = mappingSchema.safeParse(readJson(text));
    if (!parsed.success) return refuse('mapping', 'badMapping', language, text.slice(0, 40));
    const fields = Object.values(parsed.data);
    const missing = NEEDED_FIELDS.filter((field) => !fields.includes(field));
    if (missing.length > 0) return refuse('mapping', 'mappingMisses', language, missing.join(', '));
    return parsed.data;
  };

  const meaningsOf = (text: string | undefined, language: Language) => {
    if (text === undefined) return undefined;
    const parsed = meaningsSchema.safeParse(readJson(text));
    if (!parsed.success) return refuse('operations', 'badOperations', language, text.slice(0, 40));
    return Object.fromEntries(Object.entries(parsed.data).map(([operation, meaning]) => [operationName(operation), meaning]));
  };

  return {
    start: async () => {
      service.sweep().catch((error: unknown) => log.error({ err: error }, 'what an unfinished import left could not be removed'));
    },
    stop: () => service.stop(),
    handlers: {
      importTrades: async ({ account, query, file, language, origin, gone }) => {
        const options = {
          ...query,
          commit: !query.preview,
          zone: zoneOf(query.zone, language),
          mapping: mappingOf(query.mapping, language),
        };
        // Refused before the file is here, where that can be.
        meaningsOf(query.operations, language);
        // One at a time per account, so nothing is stored between the count and this file.
        const place = places.enter(account.id);
        // Before the file is read: nobody waits a minute to be refused.
        const room = options.commit
          ? database.transaction((queries) => quotas.requireRoom(queries, account.id, 'imports', language))
          : Promise.resolve();
        const answer = await room
          .then(file)
          .then(async (upload) => {
            const stored = options.commit ? await service.bytesOf(account.id) : 0;
            const requireRoom = (bytes: number) => quotas.requireWithin('importMb', megabytes(stored + bytes), language);
            const operations = meaningsOf(upload.fields?.operations ?? query.operations, language);
            return service.importFile(account.id, upload, { ...options, operations, turn: place.turn, signal: gone(), requireRoom });
          })
          .catch((error: unknown) => {
            throw toFileError(error, texts, language);
          })
          .finally(place.leave);
        if (answer.committed)
          await audit.record({ accountId: account.id, action: 'trade-import.commit', origin, details: { rows: answer.counts.imported } });
        return answer;
      },
      listImports: ({ account }) => service.list(account.id),
      undoImport: async ({ account, params, origin }) => {
        if (!(await service.undo(account.id, params.id))) throw new AppError('not-found');
        await audit.record({ accountId: account.id, action: 'trade-import.undo', target: params.id, origin });
      },
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
