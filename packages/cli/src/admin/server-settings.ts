import { readSettings, type Settings } from '@pilotfish/server/app/settings';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

/** The settings that `serve` would have here, with the folder of the flag. */
export function serverSettings({ env }: Context, dataDir: string | undefined): Settings {
  try {
    return readSettings(dataDir === undefined ? env : { ...env, PILOTFISH_DATA_DIR: dataDir });
  } catch (error) {
    throw new LocalFailure('settings', { reason: (error as Error).message }, { exit: EXIT.usage, cause: error });
  }
}
