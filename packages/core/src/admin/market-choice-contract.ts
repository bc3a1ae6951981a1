import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { type MarketSource, marketSource } from '../prices/prices-contract.ts';

const admin = { backend: 'bff', access: 'admin' } as const;

/** What lies at one market, over all accounts. It rests while another market is chosen, and is there again with it. */
export const marketRestSchema = z.object({
  market: marketSource,
  bots: z.int(),
  /** Those of them that trade as soon as the market is back. */
  runningBots: z.int(),
  /** Positions of bots that are not closed, on paper and live. */
  openPositions: z.int(),
  /** Those of them that hold coins of an account at the exchange: its orders stay there, and nothing follows them. */
  liveOpenPositions: z.int(),
  wallets: z.int(),
  priceAlerts: z.int(),
  /** Trades and movements. */
  ledgerEntries: z.int(),
});
export type MarketRest = z.infer<typeof marketRestSchema>;

export const marketTrouble = z.enum(['place', 'firewall', 'pause', 'network']);
export type MarketTrouble = z.infer<typeof marketTrouble>;
/** The text that says why no prices come; without a reason known, that no answer comes. */
export const marketTroubleText = (trouble: MarketTrouble = 'network'): string =>
  ({
    place: 'errors.exchange-unreachable.detail_place',
    firewall: 'errors.exchange-unreachable.detail_firewall',
    pause: 'marketChoice.pause',
    network: 'errors.exchange-unreachable.detail',
  })[trouble];

export const marketChoiceSchema = z.object({
  market: marketSource,
  /** `environment`: PILOTFISH_EXCHANGE says it and cannot be changed here. `default`: the question of the first run is open. */
  decidedBy: z.enum(['environment', 'admin', 'default']),
  /** Whether its prices are there. */
  reachable: z.boolean(),
  /**
   * Why not: the exchange does not serve the place that the server asks from, its firewall turned the server away, it asks for
   * a pause, or no answer came. Left out while nothing went wrong.
   */
  trouble: marketTrouble.optional(),
  /** One that is being changed to: this server ends within moments and begins again with it. */
  changingTo: marketSource.nullable(),
  /** Markets at which something lies. */
  rests: z.array(marketRestSchema),
});
export type MarketChoice = z.infer<typeof marketChoiceSchema>;

/**
 * What a change to `market` leaves without anybody to follow it: bots that run, live positions that are open. Undefined
 * where nothing is left like that. It is asked before the change, by whoever offers it and by the server.
 */
export function marketToRest(
  { market: present, rests }: Pick<MarketChoice, 'market' | 'rests'>,
  market: MarketSource,
): MarketRest | undefined {
  if (market === present) return undefined;
  return rests.find((rest) => rest.market === present && (rest.runningBots > 0 || rest.liveOpenPositions > 0));
}

export const getMarketChoice = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/market',
  summary: 'Which market this server works with, who decided it, and what lies at each',
  answer: marketChoiceSchema,
});
export const chooseMarket = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v2/admin/market',
  secondFactor: true,
  summary:
    'Works with another market from now on: the server begins again with it, what lies at the present one rests. Running bots rest only where `rest` says that this is known',
  body: z.object({ market: marketSource, rest: z.boolean().default(false) }),
  answer: marketChoiceSchema,
  errors: ['not-possible-now', 'in-use'],
});

export const marketChoiceContract = { getMarketChoice, chooseMarket };
