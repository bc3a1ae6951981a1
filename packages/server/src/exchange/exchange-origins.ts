/** Where one exchange answers: REST, market streams and the WebSocket API, without trailing slash. */
export type ExchangeOrigins = {
  readonly rest: string;
  readonly stream: string;
  readonly api: string;
  /** Of the simulated exchange inside this process: what its own control calls need. */
  readonly controlKey?: string;
};

/** Published addresses of the real exchange and its test network (see docs/exchange.md). */
const PUBLISHED: Record<'binance' | 'binance-testnet', ExchangeOrigins> = {
  binance: { rest: 'https://api.binance.com', stream: 'wss://stream.binance.com:9443', api: 'wss://ws-api.binance.com:443' },
  'binance-testnet': {
    rest: 'https://testnet.binance.vision',
    stream: 'wss://stream.testnet.binance.vision',
    api: 'wss://ws-api.testnet.binance.vision',
  },
};

/**
 * Addresses of the chosen exchange. Overrides serve proxies and tests; the simulated exchange has no published
 * address, so its own must be given.
 */
export function exchangeOrigins(
  exchange: 'simulated' | 'binance' | 'binance-testnet',
  overrides: { readonly rest?: string | undefined; readonly ws?: string | undefined },
): ExchangeOrigins {
  const published = exchange === 'simulated' ? undefined : PUBLISHED[exchange];
  const rest = (overrides.rest ?? published?.rest)?.replace(/\/+$/, '');
  const ws = overrides.ws?.replace(/\/+$/, '');
  const stream = ws ?? published?.stream;
  const api = ws ?? published?.api;
  if (!rest || !stream || !api) throw new Error('exchangeOrigins(): the simulated exchange needs its REST and WebSocket address');
  return { rest, stream, api };
}
