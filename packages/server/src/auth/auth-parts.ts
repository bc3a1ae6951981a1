import type { AppContext } from '../app/context.ts';
import type { AuthPolicy } from '../app/settings.ts';
import type { Queries } from '../database/database.ts';
import type { Language } from '../http/texts.ts';
import type { KnownDevices } from './known-devices.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import type { Throttle } from './throttle.ts';

/** What the services of this feature share. */
export type AuthParts = {
  context: AppContext;
  policy: AuthPolicy;
  hasher: PasswordHasher;
  throttle: Throttle;
  limits: SignInLimits;
  devices: KnownDevices;
  codes: OneTimeCodes;
  readonly sendEmailConfirmation: (
    queries: Queries,
    account: { id: string; username: string; email: string; language: Language },
  ) => Promise<void>;
};
