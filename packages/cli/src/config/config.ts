import { describeSettings, readSettings } from '@pilotfish/server/app/settings';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { printRows, type Resource } from '../ui/output.ts';

type Setting = { name: string; value: string; accepts: string };
const settings: Resource<Setting> = {
  empty: 'settings',
  columns: [
    { key: 'name', value: ({ name }) => name },
    { key: 'value', value: ({ value }) => value },
    { key: 'accepts', value: ({ accepts }) => accepts, shown: ({ accepts }, paint) => paint.dim(accepts) },
  ],
};

/** What is in effect: of this terminal app first, then of the server that `serve` would start here. */
export async function run(context: Context): Promise<void> {
  const { env, profile } = context;
  const mine: Setting[] = [
    { name: 'PILOTFISH_URL', value: profile.url, accepts: 'an http or https URL' },
    { name: 'PILOTFISH_PROFILE', value: profile.name, accepts: 'a name of letters, digits, dots and hyphens' },
    { name: 'PILOTFISH_TOKEN', value: env.PILOTFISH_TOKEN ? '********' : '', accepts: 'an access token, in place of a sign-in' },
    { name: 'PILOTFISH_KEYRING', value: env.PILOTFISH_KEYRING === 'off' ? 'off' : 'on', accepts: 'one of on, off' },
    { name: 'XDG_CONFIG_HOME', value: profile.folder, accepts: 'the folder of profiles and sessions' },
  ];
  try {
    await printRows(context, settings, [...mine, ...describeSettings(readSettings(env))]);
  } catch (error) {
    if (error instanceof Error && error.name === 'SettingsError')
      throw new LocalFailure('settings', { reason: error.message }, { exit: EXIT.usage, cause: error });
    throw error;
  }
}
