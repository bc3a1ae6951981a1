import type { Handlers } from '../http/endpoint-handler.ts';

/**
 * One feature as the process sees it: the calls it answers and what runs beside them.
 * `start` runs after the database is ready and before the port opens; `stop` in reverse order while the port closes.
 */
export type Feature = {
  readonly handlers: Partial<Handlers>;
  start?(): Promise<void>;
  stop?(): Promise<void>;
  /** Resolves when whatever it has decided so far is on disk; called where there is no time for `stop`. */
  write?(): Promise<void>;
};
