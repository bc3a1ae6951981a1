import type { MarketSource } from '@pilotfish/core/prices/prices-contract';

/** Where one exchange answers: REST, market streams and the WebSocket API, without trailing slash. */
export type ExchangeOrigins = {
  readonly rest: string;
  readonly stream: string;
  readonly api: string;
  /** Further REST hosts of the same exchange, tried in this order where `rest` cannot be reached. */
  readonly restOthers?: readonly string[];
  /** Hosts that serve public market data alone: asked first for it, with those above behind them. */
  readonly dataRest?: string;
  readonly dataStream?: string;
  /** Of the simulated exchange inside this process: what its own control calls need. */
  readonly controlKey?: string;
};

/**
 * Published addresses, from Binance's documents: rest-api.md (General API Information), web-socket-api.md,
 * web-socket-streams.md and faqs/market_data_only.md for `binance`, demo-mode/general-info.md for `binance-demo`,
 * testnet/general-info.md for `binance-testnet`. docs/exchange.md lists them.
 */
const PUBLISHED: Record<Exclude<MarketSource, 'simulated'>, ExchangeOrigins> = {
  binance: {
    rest: 'https://api.binance.com',
    restOthers: ['api-gcp', 'api1', 'api2', 'api3', 'api4'].map((host) => `https://${host}.binance.com`),
    dataRest: 'https://data-api.binance.vision',
    stream: 'wss://stream.binance.com:9443',
    dataStream: 'wss://data-stream.binance.vision',
    api: 'wss://ws-api.binance.com:443',
  },
  'binance-demo': {
    rest: 'https://demo-api.binance.com',
    stream: 'wss://demo-stream.binance.com',
    api: 'wss://demo-ws-api.binance.com',
  },
  'binance-testnet': {
    rest: 'https://testnet.binance.vision',
    restOthers: ['https://api1.testnet.binance.vision'],
    stream: 'wss://stream.testnet.binance.vision',
    api: 'wss://ws-api.testnet.binance.vision',
  },
};

/**
 * Addresses of the chosen exchange. An override means exactly that host: nothing takes its place. `ws` stands for both
 * WebSocket addresses, `api` and `stream` win over it. The simulated exchange has no published address, so its own must
 * be given.
 */
export function exchangeOrigins(
  exchange: MarketSource,
  overrides: { readonly [Name in 'rest' | 'ws' | 'api' | 'stream']?: string | undefined },
): ExchangeOrigins {
  const { restOthers, dataRest, dataStream, ...published }: Partial<ExchangeOrigins> = exchange === 'simulated' ? {} : PUBLISHED[exchange];
  const given = (address: string | undefined) => address?.replace(/\/+$/, '');
  const own = { rest: given(overrides.rest), stream: given(overrides.stream ?? overrides.ws), api: given(overrides.api ?? overrides.ws) };
  const rest = own.rest ?? published.rest;
  const stream = own.stream ?? published.stream;
  const api = own.api ?? published.api;
  if (!rest || !stream || !api) throw new Error('exchangeOrigins(): the simulated exchange needs its REST and WebSocket address');
  return {
    rest,
    stream,
    api,
    ...(own.rest === undefined && restOthers && { restOthers }),
    ...(own.rest === undefined && dataRest !== undefined && { dataRest }),
    ...(own.stream === undefined && dataStream !== undefined && { dataStream }),
  };
}

/** What the market-data-only host serves (faqs/market_data_only.md). The time is not among it here: that of the hosts which check signatures counts. */
const DATA_PATHS: ReadonlySet<string> = new Set(
  ['aggTrades', 'avgPrice', 'depth', 'exchangeInfo', 'klines', 'ticker', 'ticker/24hr', 'ticker/bookTicker', 'ticker/price', 'trades'].map(
    (name) => `/api/v3/${name}`,
  ),
);
/** How long a host that could not be reached is left alone, ms. */
const AWAY_MS = 60_000;

export type RestHosts = ReturnType<typeof restHosts>;

/**
 * Which REST host is asked first, and which after it. A host that could not be reached goes behind the others; each
 * minute one question looks whether it is back. An order is never that question: its fate could be unknown.
 * @param running monotonic ms
 */
export function restHosts(
  { rest, restOthers = [], dataRest }: Pick<ExchangeOrigins, 'rest' | 'restOthers' | 'dataRest'>,
  running: () => number,
) {
  const trading = [rest, ...restOthers];
  const data = dataRest === undefined ? trading : [dataRest, ...trading];
  /** Hosts that could not be reached, and when the next question may look again. */
  const away = new Map<string, number>();
  return {
    /** Hosts for one request, in the order to try. */
    of: (method: string, path: string, isSigned: boolean): readonly string[] => {
      const all = method === 'GET' && !isSigned && DATA_PATHS.has(path) ? data : trading;
      const isDue = (host: string) => method === 'GET' && running() >= (away.get(host) ?? Number.POSITIVE_INFINITY);
      const first = all.find((host) => !away.has(host) || isDue(host));
      if (first !== undefined && away.has(first)) away.set(first, running() + AWAY_MS);
      const isBehind = (host: string) => away.has(host) && host !== first;
      return [...all.filter((host) => !isBehind(host)), ...all.filter(isBehind)];
    },
    answered: (host: string): void => void away.delete(host),
    lost: (host: string): void => void away.set(host, running() + AWAY_MS),
  };
}
