import { fromPromise } from 'xstate';
import type { Client } from '../http/client.ts';
import { fileForm } from '../http/file-form.ts';
import { type ImportAnswer, importFieldsOf, importQueryOf, type tradeImportContract } from './trade-import-contract.ts';
import type { ImportFile, TradeImportInput } from './trade-import-machine.ts';

const exchange = 'Binance';

/** The calls of the import machine, as its `provide({ actors })` wants them. `bytesOf` opens what the app calls a file. */
export function tradeImportActors(client: Client<typeof tradeImportContract>, bytesOf: (file: ImportFile) => Blob | Promise<Blob>) {
  const send = async ({ file, uploadId, zone, mapping, operations, commit, acceptPartial }: TradeImportInput, signal: AbortSignal) =>
    client.importTrades(
      { params: { exchange }, query: importQueryOf({ preview: !commit, acceptPartial, uploadId, zone, mapping, operations }) },
      { form: fileForm(await bytesOf(file), file.name, importFieldsOf({ operations })), signal, quiet: true },
    );
  return {
    read: fromPromise<ImportAnswer, TradeImportInput>(({ input, signal }) => send(input, signal)),
    // A commit is not called back: once it is on its way it may be stored, whether somebody waits or not.
    commit: fromPromise<ImportAnswer, TradeImportInput>(({ input }) => send(input, new AbortController().signal)),
    undo: fromPromise<void, { batchId: string }>(({ input }) =>
      client.undoImport({ params: { exchange, id: input.batchId } }, { quiet: true }),
    ),
  };
}
