import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Tape } from './candle-file.ts';
import { readTapes } from './read-tapes.ts';

/** The file that runs as a thread: this one, also when it is bundled. Imported dynamically, it is a bundle of its own. */
export const TAPE_WORKER_FILE = import.meta.url;
export const TAPE_WORKER_KIND = 'pilotfish-tapes';

/** The tapes of a folder, or the sentence that says what is wrong with it. */
export type TapeNews = { readonly tapes: Tape[] } | { readonly failure: string };

/** Columns go over as they are, without a copy. */
const columnsOf = ({ times, open, high, low, close, volume }: Tape) =>
  [times, open, high, low, close, volume].map(({ buffer }) => buffer as ArrayBuffer);

const port = parentPort;
const data = workerData as { kind?: unknown; folder?: string } | null;
if (!isMainThread && port !== null && data?.kind === TAPE_WORKER_KIND && data.folder !== undefined)
  readTapes(data.folder).then(
    (tapes) => port.postMessage({ tapes } satisfies TapeNews, tapes.flatMap(columnsOf)),
    (error: unknown) => port.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies TapeNews),
  );
