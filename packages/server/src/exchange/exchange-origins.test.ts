import { expect, test } from 'vitest';
import { exchangeOrigins } from './exchange-origins.ts';

test.each([
  [
    'binance',
    {
      rest: 'https://api.binance.com',
      restOthers: [
        'https://api-gcp.binance.com',
        'https://api1.binance.com',
        'https://api2.binance.com',
        'https://api3.binance.com',
        'https://api4.binance.com',
      ],
      dataRest: 'https://data-api.binance.vision',
      stream: 'wss://stream.binance.com:9443',
      dataStream: 'wss://data-stream.binance.vision',
      api: 'wss://ws-api.binance.com:443',
    },
  ],
  ['binance-demo', { rest: 'https://demo-api.binance.com', stream: 'wss://demo-stream.binance.com', api: 'wss://demo-ws-api.binance.com' }],
  [
    'binance-testnet',
    {
      rest: 'https://testnet.binance.vision',
      restOthers: ['https://api1.testnet.binance.vision'],
      stream: 'wss://stream.testnet.binance.vision',
      api: 'wss://ws-api.testnet.binance.vision',
    },
  ],
] as const)('%s answers where its documents say', (exchange, origins) => {
  expect(exchangeOrigins(exchange, {})).toEqual(origins);
});

test('an override is exactly that host; one of a kind wins over the one of both', () => {
  const overrides = { rest: 'http://rest.test/', ws: 'ws://both.test', stream: 'ws://stream.test/' };
  expect(exchangeOrigins('binance', overrides)).toEqual({ rest: 'http://rest.test', stream: 'ws://stream.test', api: 'ws://both.test' });
  expect(exchangeOrigins('binance', { api: 'ws://api.test' })).toEqual({ ...exchangeOrigins('binance', {}), api: 'ws://api.test' });
  expect(exchangeOrigins('binance', { ws: 'ws://both.test', api: 'ws://api.test' })).toMatchObject({
    stream: 'ws://both.test',
    api: 'ws://api.test',
  });
  expect(exchangeOrigins('binance', { rest: 'http://rest.test' })).toHaveProperty('dataStream');
});

test('the simulated exchange has no address of its own', () => {
  expect(() => exchangeOrigins('simulated', { rest: 'http://rest.test' })).toThrow('needs its REST and WebSocket address');
});
