import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { draftSpool } from './draft-spool.ts';
import { type FileFault, FileRefused } from './file-refused.ts';
import { type Reading, type ReadingOptions, readTables } from './import-reading.ts';
import { type SavedUpload, withTables } from './uploaded-file.ts';

/** The file that runs as a thread: this one, also when it is bundled. Imported dynamically, it is a bundle of its own. */
export const UPLOAD_WORKER_FILE = import.meta.url;
export const UPLOAD_WORKER_KIND = 'pilotfish-upload';

/** One upload to be read: its rows go into the file `spool`. */
export type UploadJob = Pick<ReadingOptions, 'zone' | 'mapping' | 'meanings' | 'pairs'> & {
  readonly upload: SavedUpload;
  readonly spool: string;
};

export type UploadNews =
  | { readonly kind: 'rows'; readonly done: number }
  | { readonly kind: 'read'; readonly reading: Reading; readonly rows: number }
  | { readonly kind: 'refused'; readonly code: FileFault; readonly limit: string | undefined }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined };

async function run({ upload, spool: path, ...options }: UploadJob, tell: (news: UploadNews) => void): Promise<void> {
  const spool = draftSpool(path);
  try {
    const onRows = (done: number) => tell({ kind: 'rows', done });
    const reading = await withTables(upload, (tables) => readTables(tables, { ...options, onDraft: spool.push, onRows }));
    spool.end();
    tell({ kind: 'read', reading, rows: spool.count() });
  } catch (error) {
    if (error instanceof FileRefused) tell({ kind: 'refused', code: error.code, limit: error.limit });
    else tell({ kind: 'failed', message: String(error), stack: error instanceof Error ? error.stack : undefined });
  } finally {
    spool.end();
  }
}

const port = parentPort;
if (!isMainThread && port !== null && (workerData as { kind?: unknown } | null)?.kind === UPLOAD_WORKER_KIND)
  port.on('message', (job: UploadJob) => void run(job, (news) => port.postMessage(news)));
