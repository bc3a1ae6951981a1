import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AppContext } from '../app/context.ts';
import type { Origin } from '../http/endpoint-handler.ts';

const LIFE_MS = 365 * 86_400_000;
/** Accounts that one browser remembers; the one it signed in to last comes first. */
const MOST = 4;
const TOKEN = /^(?<account>[\da-f-]{36})\.(?<issued>[\da-z]{1,11})\.(?<nonce>[\w-]{16})\.(?<signature>[\w-]{43})$/;

/**
 * Device cookies, as OWASP describes them: whoever has signed in to an account with both factors keeps a signed token, and
 * its tries are counted by that token alone. Guesses from elsewhere then slow down their own sender, not the owner. A
 * token opens nothing: whoever steals one may guess a few times, as from a new network.
 */
export type KnownDevices = {
  /** What the tries of this device are counted by; undefined where it never signed in to the account. */
  idOf(accountId: string | undefined, origin: Origin): string | undefined;
  /**
   * Hands the device its token.
   * @param proof what it showed; one proof is one count, however often it is shown. Without it, both factors, just now
   */
  remember(accountId: string, origin: Origin, proof?: string): void;
};

export function knownDevices({ secretBox, random, now }: Pick<AppContext, 'secretBox' | 'random' | 'now'>): KnownDevices {
  const key = secretBox.deriveKey('device');
  const signatureOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');

  const read = (token: string): { account: string; nonce: string } | undefined => {
    const { account, issued, nonce, signature } = TOKEN.exec(token)?.groups ?? {};
    if (account === undefined || issued === undefined || nonce === undefined || signature === undefined) return undefined;
    const expected = signatureOf(`${account}.${issued}.${nonce}`);
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined;
    return Number.parseInt(issued, 36) + LIFE_MS > now() ? { account, nonce } : undefined;
  };

  return {
    idOf: (accountId, { deviceTokens = [] }) =>
      deviceTokens.map(read).find((token) => token !== undefined && token.account === accountId)?.nonce,
    remember: (accountId, { deviceTokens = [], keepDeviceTokens }, proof) => {
      const others = deviceTokens.filter((token) => {
        const account = read(token)?.account;
        return account !== undefined && account !== accountId;
      });
      const nonce = proof === undefined ? Buffer.from(random(12)).toString('base64url') : signatureOf(`${accountId} ${proof}`).slice(0, 16);
      const body = `${accountId}.${now().toString(36)}.${nonce}`;
      keepDeviceTokens?.([`${body}.${signatureOf(body)}`, ...others].slice(0, MOST));
    },
  };
}
