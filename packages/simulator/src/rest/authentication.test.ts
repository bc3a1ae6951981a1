import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedBy } from '../accounts/api-key.ts';
import { isPercentEncoded, restPayload, webSocketPayload } from './authentication.ts';

// The documentation's own key and secret, with the signatures it prints.
const apiKey = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A';
const key = { type: 'hmac', verifier: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j' } as const;
const order = 'side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559';

test.each([
  ['query only', `symbol=LTCBTC&${order}`, '', 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71'],
  ['body only', '', `symbol=LTCBTC&${order}`, 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71'],
  [
    'a percent-encoded symbol',
    `symbol=%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96&${order}`,
    '',
    'e1353ec6b14d888f1164ae9af8228a3dbd508bc82eb867db8ab6046442f33ef3',
  ],
  [
    'query and body, joined by nothing',
    'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC',
    'quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559',
    '0fd168b8ddb4876a0358a8d14d0c9f3da0e9b20c5d52b2a00fcf7d1c602f9a77',
  ],
])('accepts the documented REST signature: %s', (_, query, body, signature) => {
  const sentQuery = body === '' ? `${query}&signature=${signature}` : query;
  const sentBody = body === '' ? '' : `${body}&signature=${signature}`;
  expect(isSignedBy(key, restPayload(sentQuery, sentBody), signature)).toBe(true);
  expect(isSignedBy(key, restPayload(sentQuery, sentBody), signature.toUpperCase())).toBe(true);
  expect(isSignedBy(key, restPayload(sentQuery.replace('BUY', 'SELL'), sentBody.replace('quantity=1', 'quantity=2')), signature)).toBe(
    false,
  );
});

test.each([
  [
    {
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.01000000',
      price: '52000.00',
      recvWindow: '100',
      timestamp: '1645423376532',
    },
    'aa1b5712c094bc4e57c05a1a5c1fd8d88dcd628338ea863fec7b88e59fe2db24',
  ],
  [
    {
      symbol: '１２３４５６',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '1.00000000',
      price: '0.10000000',
      recvWindow: '5000',
      timestamp: '1645423376532',
    },
    'b33892ae8e687c939f4468c6268ddd4c40ac1af18ad19a064864c47bae0752cd',
  ],
])('accepts the documented WebSocket API signature of $symbol', (parameters, signature) => {
  expect(isSignedBy(key, webSocketPayload(Object.entries({ ...parameters, apiKey, signature })), signature)).toBe(true);
  expect(isSignedBy(key, webSocketPayload(Object.entries({ ...parameters, price: '1', apiKey })), signature)).toBe(false);
});

test('checks Ed25519 and RSA signatures against the public key', () => {
  for (const [type, pair, algorithm] of [
    ['ed25519', generateKeyPairSync('ed25519'), null],
    ['rsa', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
  ] as const) {
    const verifier = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const signature = sign(algorithm, Buffer.from(order), pair.privateKey).toString('base64');
    expect(isSignedBy({ type, verifier }, order, signature)).toBe(true);
    expect(isSignedBy({ type, verifier }, `${order}0`, signature)).toBe(false);
    expect(isSignedBy({ type, verifier }, order, 'not base64!')).toBe(false);
  }
});

test('knows text that was not percent-encoded', () => {
  expect(isPercentEncoded('symbols=%5B%22BTCUSDT%22%5D&a=b')).toBe(true);
  expect(isPercentEncoded('symbols=["BTCUSDT"]')).toBe(false);
  expect(isPercentEncoded('symbol=１２３')).toBe(false);
});
