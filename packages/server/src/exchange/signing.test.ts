import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeParameters, signedQuery, signedSocketParameters, signerFor } from './signing.ts';

// The exchange's own published example key and signatures.
const apiKey = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A';
const secret = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
const signer = signerFor(apiKey, secret);
const order = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '1', price: '0.1', recvWindow: 5000, timestamp: 1499827319559 };

describe('HMAC signatures equal the published ones', () => {
  test('REST', () => {
    expect(signedQuery(signer, { symbol: 'LTCBTC', ...order })).toMatch(
      /&signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71$/,
    );
  });
  test('REST with a Unicode symbol: encoded, then signed', () => {
    const query = signedQuery(signer, { symbol: '１２３４５６', ...order });
    expect(query).toContain('symbol=%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96');
    expect(query).toMatch(/&signature=e1353ec6b14d888f1164ae9af8228a3dbd508bc82eb867db8ab6046442f33ef3$/);
  });
  test('WebSocket API', () => {
    const parameters = {
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.01000000',
      price: '52000.00',
      recvWindow: 100,
      timestamp: 1645423376532,
    };
    expect(signedSocketParameters(signer, parameters).signature).toBe('aa1b5712c094bc4e57c05a1a5c1fd8d88dcd628338ea863fec7b88e59fe2db24');
  });
  test('WebSocket API with a Unicode symbol: not encoded', () => {
    const parameters = {
      symbol: '１２３４５６',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '1.00000000',
      price: '0.10000000',
      recvWindow: 5000,
      timestamp: 1645423376532,
    };
    expect(signedSocketParameters(signer, parameters).signature).toBe('b33892ae8e687c939f4468c6268ddd4c40ac1af18ad19a064864c47bae0752cd');
  });
});

test('an Ed25519 key signs what its public key verifies', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const own = signerFor('key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  expect(own.kind).toBe('ed25519');
  expect(verify(null, Buffer.from('a=1'), publicKey, Buffer.from(own.sign('a=1'), 'base64'))).toBe(true);
});

test('a signature in base64 is percent-encoded: a bare + would arrive as a space', () => {
  const own = { ...signer, sign: () => 'a+b/c==' };
  expect(signedQuery(own, { symbol: 'LTCBTC' })).toBe('symbol=LTCBTC&signature=a%2Bb%2Fc%3D%3D');
});

test('a broken private key is refused without being quoted', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----';
  expect(() => signerFor('key', pem)).toThrow(/could not be read/);
  expect(() => signerFor('key', pem)).not.toThrow(/CANARY/);
});

test('absent parameters are left out', () => {
  expect(encodeParameters({ a: 1, b: undefined, c: 'x y' })).toBe('a=1&c=x%20y');
});
