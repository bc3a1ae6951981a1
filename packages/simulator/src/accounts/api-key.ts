import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { ApiError } from '../rest/api-error.ts';

export type KeyType = 'hmac' | 'ed25519' | 'rsa';

/** What a key may do; the names of GET /sapi/v1/account/apiRestrictions. */
export type KeyRestrictions = {
  ipRestrict: boolean;
  enableReading: boolean;
  enableWithdrawals: boolean;
  enableInternalTransfer: boolean;
  enableMargin: boolean;
  enableFutures: boolean;
  permitsUniversalTransfer: boolean;
  enableVanillaOptions: boolean;
  enableFixApiTrade: boolean;
  enableFixReadOnly: boolean;
  enableSpotAndMarginTrading: boolean;
  enablePortfolioMarginTrading: boolean;
};

export const DEFAULT_RESTRICTIONS: KeyRestrictions = {
  ipRestrict: false,
  enableReading: true,
  enableWithdrawals: false,
  enableInternalTransfer: false,
  enableMargin: false,
  enableFutures: false,
  permitsUniversalTransfer: false,
  enableVanillaOptions: false,
  enableFixApiTrade: false,
  enableFixReadOnly: false,
  enableSpotAndMarginTrading: true,
  enablePortfolioMarginTrading: false,
};

/** A key of an account. `verifier` is the shared secret (HMAC) or the public key (PEM). */
export type ApiKey = {
  readonly apiKey: string;
  readonly accountId: number;
  readonly type: KeyType;
  readonly verifier: string;
  readonly restrictions: KeyRestrictions;
  /** Wall time, ms. */
  readonly createTime: number;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PATTERN = /^[A-Za-z0-9]{64}$/;

/** 64 letters and digits from the system's random source, without modulo bias. */
export function randomToken(): string {
  let token = '';
  while (token.length < 64) {
    for (const byte of randomBytes(96)) if (byte < 248 && token.length < 64) token += ALPHABET[byte % 62];
  }
  return token;
}

/** Throws -2014 unless the text looks like a key at all. */
export function checkKeyFormat(apiKey: string | undefined): asserts apiKey is string {
  if (!apiKey || !PATTERN.test(apiKey)) throw new ApiError(-2014, 'API-key format invalid.', { status: 401 });
}

/** A new key pair: what the customer keeps (`secret`) and what the exchange keeps (`verifier`). */
export function newKeyPair(type: KeyType): { secret: string; verifier: string } {
  if (type === 'hmac') {
    const secret = randomToken();
    return { secret, verifier: secret };
  }
  const { privateKey, publicKey } =
    type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    secret: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    verifier: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** True when `signature` is the key's over `payload` (UTF-8): hex HMAC-SHA256, or base64 of RSA PKCS#1 v1.5 SHA-256 or Ed25519. */
export function isSignedBy(key: Pick<ApiKey, 'type' | 'verifier'>, payload: string, signature: string): boolean {
  const data = Buffer.from(payload, 'utf8');
  if (key.type === 'hmac') {
    if (!/^[0-9a-fA-F]{64}$/.test(signature)) return false;
    return timingSafeEqual(createHmac('sha256', key.verifier).update(data).digest(), Buffer.from(signature, 'hex'));
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false;
  return verify(key.type === 'rsa' ? 'sha256' : null, data, createPublicKey(key.verifier), Buffer.from(signature, 'base64'));
}
