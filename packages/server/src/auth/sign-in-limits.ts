import { AppError } from '@pilotfish/core/http/problem';
import { clientNetwork } from '../http/client-network.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Throttle, ThrottleKind } from './throttle.ts';

export type SignInLimits = {
  /**
   * Counts a try at a password or a second factor before it is made. A device that has signed in to the account before
   * counts by itself; any other by its network, by account and network, and by account over all networks.
   * @param subject what the account is counted by; equal for names that are not known
   * @throws AppError `throttled` with the seconds to wait
   */
  reserve(kind: 'account' | 'otp', who: { subject: string; accountId: string | undefined }, origin: Origin): Promise<Reserved>;
  /**
   * Runs what is opened by a code of 256 bits. Only failures count: others' tries must not keep its owner from using it.
   * @throws AppError `throttled` in place of `code-expired` after too many of a network
   */
  byCode<Result>(origin: Origin, work: () => Promise<Result>): Promise<Result>;
};

export type Reserved = {
  /** Whether the device is known: it goes before those that are not. */
  readonly known: boolean;
  readonly succeeded: () => Promise<void>;
};

export function signInLimits(throttle: Throttle, devices: Pick<KnownDevices, 'idOf'>): SignInLimits {
  return {
    reserve: async (kind, { subject, accountId }, origin) => {
      const device = devices.idOf(accountId, origin);
      const counts: readonly (readonly [ThrottleKind, string])[] =
        device === undefined
          ? [
              ['address', origin.address],
              [kind, `${subject} ${clientNetwork(origin.address)}`],
              // Last, so that what a network is refused for adds nothing to the total.
              [kind === 'otp' ? 'otpTotal' : 'accountTotal', subject],
            ]
          : [['device', `${kind} ${device}`]];
      for (const [rule, counted] of counts) await throttle.reserve(rule, counted);
      return {
        known: device !== undefined,
        succeeded: async () => {
          for (const [rule, counted] of counts) await throttle.succeed(rule, counted);
        },
      };
    },
    byCode: async (origin, work) => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof AppError && error.code === 'code-expired') await throttle.reserve('address', origin.address);
        throw error;
      }
    },
  };
}
