import { balanceOf } from '../accounts/account.ts';
import { balancesPayload, money } from '../matching/order-payload.ts';
import { ApiError, invalidKey } from './api-error.ts';
import { accountOf, type Call, type Endpoint, pairOf } from './endpoint.ts';

function account(call: Call): unknown {
  const owner = accountOf(call);
  const omitZero = call.parameters.flag('omitZeroBalances') ?? false;
  return {
    makerCommission: 10,
    takerCommission: 10,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { maker: '0.00100000', taker: '0.00100000', buyer: '0.00000000', seller: '0.00000000' },
    canTrade: true,
    canWithdraw: false,
    canDeposit: false,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: owner.updateTime,
    accountType: 'SPOT',
    balances: balancesPayload(owner, omitZero),
    permissions: ['SPOT'],
    uid: owner.id,
  };
}

function restrictions(call: Call): unknown {
  if (!call.key) throw invalidKey();
  return { ...call.key.restrictions, createTime: call.key.createTime };
}

/** Every asset of the market with what the account holds of it. */
function coins(call: Call): unknown {
  const owner = accountOf(call);
  const assets = new Set(call.exchange.market.pairs.flatMap((pair) => [pair.base, pair.quote]));
  for (const asset of owner.balances.keys()) assets.add(asset);
  return [...assets].sort().map((coin) => {
    const { free, locked } = balanceOf(owner, coin);
    return {
      coin,
      depositAllEnable: false,
      free: money(free),
      freeze: '0.00000000',
      ipoable: '0.00000000',
      ipoing: '0.00000000',
      isLegalMoney: coin === 'TRY' || coin === 'EUR',
      locked: money(locked),
      name: coin,
      networkList: [],
      storage: '0.00000000',
      trading: true,
      withdrawAllEnable: false,
      withdrawing: '0.00000000',
    };
  });
}

function tradeFee(call: Call): unknown {
  const symbol = call.parameters.text('symbol');
  const pairs = symbol === undefined ? call.exchange.view.listed() : [pairOf(call, symbol)];
  return pairs.map((pair) => ({ symbol: pair.symbol, makerCommission: '0.001', takerCommission: '0.001' }));
}

function setBurn(call: Call): unknown {
  const owner = accountOf(call);
  const spot = call.parameters.flag('spotBNBBurn');
  call.parameters.flag('interestBNBBurn');
  if (spot === undefined) throw new ApiError(-1102, "Mandatory parameter 'spotBNBBurn' was not sent, was empty/null, or malformed.");
  call.exchange.setBurn(owner, spot);
  return burn(call);
}

const burn = (call: Call): unknown => ({ spotBNBBurn: accountOf(call).burnBnb, interestBNBBurn: false });
const nothing = (call: Call): unknown => {
  call.parameters.text('symbol');
  return [];
};
const noFutures = ({ exchange, limits }: Call): unknown => ({
  timezone: 'UTC',
  serverTime: exchange.wallNow(),
  rateLimits: limits.describe(),
  exchangeFilters: [],
  assets: [],
  symbols: [],
});

/** The account itself, and the wallet paths that client libraries call while they load. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/api/v3/account', socket: 'account.status', security: 'read', weight: 20, run: account },
  { method: 'GET', path: '/sapi/v1/account/apiRestrictions', security: 'read', weight: 1, run: restrictions },
  { method: 'GET', path: '/sapi/v1/capital/config/getall', security: 'read', weight: 10, run: coins },
  { method: 'GET', path: '/sapi/v1/asset/tradeFee', security: 'read', weight: 1, run: tradeFee },
  { method: 'GET', path: '/sapi/v1/bnbBurn', security: 'read', weight: 1, run: burn },
  { method: 'POST', path: '/sapi/v1/bnbBurn', security: 'read', weight: 1, run: setBurn },
  { method: 'GET', path: '/sapi/v1/margin/allPairs', security: 'key', weight: 1, run: nothing },
  { method: 'GET', path: '/sapi/v1/margin/isolated/allPairs', security: 'key', weight: 1, run: nothing },
  { method: 'GET', path: '/fapi/v1/exchangeInfo', security: 'none', weight: 1, run: noFutures },
  { method: 'GET', path: '/dapi/v1/exchangeInfo', security: 'none', weight: 1, run: noFutures },
];
