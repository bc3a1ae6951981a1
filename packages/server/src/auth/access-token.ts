import { webcrypto } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { SignedIn } from '../http/endpoint-handler.ts';

const ISSUER = 'pilotfish';
const TYPE = 'at+jwt';
const ALGORITHM = 'HS256';
const KEPT = 5000;

export type AccessTokens = {
  issue(account: SignedIn, time: number): Promise<{ token: string; expiresAt: number }>;
  /** The account of a genuine, unexpired token; whether its session still lives is asked elsewhere. */
  verify(token: string, time: number): Promise<SignedIn | undefined>;
};

type Verified = SignedIn & { expiresAt: number };

/**
 * Short-lived JWTs, one pinned algorithm. The key is imported once, and tokens already verified are remembered:
 * both matter more than anything else to the cost of a request.
 * @param key 32 bytes
 */
export async function accessTokens(key: Uint8Array, lifeSeconds: () => number): Promise<AccessTokens> {
  const cryptoKey = await webcrypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const known = new Map<string, Verified>();
  return {
    issue: async (account, time) => {
      const issued = Math.floor(time / 1000);
      const expires = issued + lifeSeconds();
      const token = await new SignJWT({ sid: account.sessionId, name: account.username })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(account.id)
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setIssuedAt(issued)
        .setExpirationTime(expires)
        .sign(cryptoKey);
      return { token, expiresAt: expires * 1000 };
    },
    verify: async (token, time) => {
      const remembered = known.get(token);
      if (remembered !== undefined) {
        if (remembered.expiresAt > time) return remembered;
        known.delete(token);
        return undefined;
      }
      const verified = await verifiedToken(token, cryptoKey, time);
      if (verified === undefined) return undefined;
      if (known.size >= KEPT) known.delete(known.keys().next().value ?? '');
      known.set(token, verified);
      return verified;
    },
  };
}

async function verifiedToken(token: string, key: webcrypto.CryptoKey, time: number): Promise<Verified | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: ISSUER,
      currentDate: new Date(time),
      requiredClaims: ['sub', 'exp', 'sid', 'name'],
    });
    const { sub, exp, sid, name } = payload;
    if (sub === undefined || exp === undefined || typeof sid !== 'string' || typeof name !== 'string') return undefined;
    return { id: sub, username: name, sessionId: sid, expiresAt: exp * 1000 };
  } catch {
    return undefined;
  }
}
