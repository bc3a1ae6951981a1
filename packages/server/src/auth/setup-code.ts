import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LeftSetupCode, SETUP_CODE_FILE } from '@pilotfish/core/auth/setup-code';
import { AppError } from '@pilotfish/core/http/problem';
import type { Settings } from '../app/settings.ts';
import type { Database } from '../database/database.ts';
import type { Random } from '../database/uuid.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { typedCode } from './recovery-codes.ts';
import type { Throttle } from './throttle.ts';

/** What makes the server reachable from elsewhere than this machine. */
type Reach = Pick<Settings, 'host' | 'publicUrl' | 'allowedHosts' | 'trustProxy'>;

/**
 * What the first account of a server that others can reach has to give: whoever registers first becomes Admin. It is
 * made at each start until that account exists, and dies with it.
 */
export type SetupCode = {
  /** To be shown to the operator once; undefined when none is needed. */
  readonly shown: { readonly code: string /** By PILOTFISH_SETUP_CODE: the operator knows it. */; readonly given: boolean } | undefined;
  needed(): boolean;
  /** @throws AppError `setup-code-required`, `wrong-setup-code`, or `throttled` after several wrong ones */
  require(given: string | undefined, address: string, throttle: Throttle): Promise<void>;
  /** Leaves it in the data folder, for a terminal beside the server at one of these addresses. */
  leaveFor(addresses: readonly string[]): void;
  /** The first account exists. */
  done(): void;
  close(): void;
};

export const setupCodeFile = (dataDir: string): string => join(dataDir, SETUP_CODE_FILE);

const LOOPBACK = /^(?:localhost|127\.[\d.]+|::1|\[::1\])$/i;

/** Whether anything says that people from elsewhere come here. */
export const isReachable = ({ host, publicUrl, allowedHosts, trustProxy }: Reach): boolean =>
  !LOOPBACK.test(host) || publicUrl !== undefined || allowedHosts.length > 0 || trustProxy !== 0;

/** Typed by hand: case, hyphens and spaces do not count. */
const normalised = (code: string): string => code.toUpperCase().replace(/[\s-]/g, '');

export async function openSetupCode(parts: {
  settings: Reach & Pick<Settings, 'setupCode' | 'dataDir'>;
  database: Database;
  secretBox: SecretBox;
  random: Random;
}): Promise<SetupCode> {
  const { settings, database, secretBox, random } = parts;
  const file = setupCodeFile(settings.dataDir);
  const remove = () => rmSync(file, { force: true });
  remove();
  const instance = await database.queries.selectFrom('instance').select('first_account_id').executeTakeFirst();
  const isNeeded = instance?.first_account_id == null && isReachable(settings);
  const given = settings.setupCode !== undefined;
  let code = isNeeded ? (settings.setupCode ?? typedCode(random)) : undefined;
  // Begun while none was asked for; without a first account nobody has ever confirmed one, so nothing of anybody is lost.
  if (isNeeded) await database.queries.deleteFrom('accounts').where('two_factor_confirmed', '=', 0).execute();
  const hashOf = (text: string) => secretBox.fingerprint(`setup ${normalised(text)}`);

  return {
    shown: code === undefined ? undefined : { code, given },
    needed: () => code !== undefined,
    require: async (offered, address, throttle) => {
      if (code === undefined) return;
      const refused = (name: 'setup-code-required' | 'wrong-setup-code') =>
        new AppError(name, { fields: [{ path: 'setupCode', code: name, message: '' }] });
      if (offered === undefined || offered === '') throw refused('setup-code-required');
      await throttle.reserve('setup', address);
      // Hashes of one length, so that the time says nothing of where they differ.
      if (hashOf(offered) !== hashOf(code)) throw refused('wrong-setup-code');
      await throttle.succeed('setup', address);
    },
    leaveFor: (addresses) => {
      if (code === undefined) return;
      const left: LeftSetupCode = { code, addresses: [...addresses] };
      writeFileSync(file, `${JSON.stringify(left)}\n`, { mode: 0o600 });
    },
    done: () => {
      code = undefined;
      remove();
    },
    close: remove,
  };
}
