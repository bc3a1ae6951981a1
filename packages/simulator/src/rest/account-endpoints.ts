import { decimal, divide, isNegative, isPositive, negate, toText } from '@pilotfish/core/money/decimal';
import { balanceOf } from '../accounts/account.ts';
import { feeRatesOn } from '../matching/commission.ts';
import { balancesPayload, money } from '../matching/order-payload.ts';
import { ACCOUNT_PERMISSIONS } from '../matching/symbol-rights.ts';
import { ApiError, invalidKey } from './api-error.ts';
import { accountOf, type Call, type Endpoint, pairOf } from './endpoint.ts';

/** The old field of a fee has whole hundredths of a percent only; `commissionRates` says it exactly. */
const inBasisPoints = (rate: string): number => Number(divide(decimal(rate), decimal('0.0001'), 0).units);

function account(call: Call): unknown {
  const owner = accountOf(call);
  const { maker, taker } = owner.terms;
  const omitZero = call.parameters.flag('omitZeroBalances') ?? false;
  return {
    makerCommission: inBasisPoints(maker),
    takerCommission: inBasisPoints(taker),
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { maker: money(decimal(maker)), taker: money(decimal(taker)), buyer: '0.00000000', seller: '0.00000000' },
    canTrade: true,
    canWithdraw: false,
    canDeposit: false,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: owner.updateTime,
    accountType: 'SPOT',
    balances: balancesPayload(owner, omitZero),
    permissions: ACCOUNT_PERMISSIONS,
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
  const { terms } = accountOf(call);
  const symbol = call.parameters.text('symbol');
  const pairs = symbol === undefined ? call.exchange.view.listed() : [pairOf(call, symbol)];
  return pairs.map((pair) => {
    const { maker, taker } = feeRatesOn(pair, terms);
    return { symbol: pair.symbol, makerCommission: maker, takerCommission: taker };
  });
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
/** The account's transfers of one direction in a span of time (90 days at most, the last ones without it), newest first. */
function transfersOf(call: Call, direction: 1 | -1) {
  const owner = accountOf(call);
  const { parameters } = call;
  const now = call.exchange.view.now();
  const endTime = parameters.integer('endTime') ?? now;
  const startTime = parameters.integer('startTime') ?? endTime - LONGEST_SPAN;
  if (endTime - startTime > LONGEST_SPAN) throw new ApiError(-1127, 'More than 90 days between startTime and endTime.');
  const coin = parameters.text('coin');
  const offset = parameters.integer('offset') ?? 0;
  const limit = parameters.limit(1000, 1000);
  return owner.transfers
    .filter(({ asset, amount, time }) => {
      const fits = direction === 1 ? isPositive(amount) : isNegative(amount);
      return fits && (coin === undefined || coin === asset) && time >= startTime && time <= endTime;
    })
    .reverse()
    .slice(offset, offset + limit);
}
const LONGEST_SPAN = 90 * 86_400_000;

const deposits = (call: Call): unknown =>
  transfersOf(call, 1).map(({ id, asset, amount, time }) => ({
    id: String(id),
    amount: toText(amount),
    coin: asset,
    network: 'SIM',
    status: 1,
    address: 'simulated',
    addressTag: '',
    txId: `simulated-${id}`,
    insertTime: time,
    completeTime: time,
    transferType: 0,
    unlockConfirm: 1,
    confirmTimes: '1/1',
    walletType: 0,
  }));

const utc = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
const withdrawals = (call: Call): unknown =>
  transfersOf(call, -1).map(({ id, asset, amount, time }) => ({
    id: String(id),
    amount: toText(negate(amount)),
    transactionFee: '0',
    coin: asset,
    status: 6,
    address: 'simulated',
    txId: `simulated-${id}`,
    applyTime: utc(time),
    completeTime: utc(time),
    network: 'SIM',
    transferType: 0,
    info: '',
    confirmNo: 1,
    walletType: 0,
    txKey: '',
  }));

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
  { method: 'GET', path: '/sapi/v1/capital/deposit/hisrec', security: 'read', weight: 1, run: deposits },
  { method: 'GET', path: '/sapi/v1/capital/withdraw/history', security: 'read', weight: 1, run: withdrawals },
  { method: 'GET', path: '/sapi/v1/asset/tradeFee', security: 'read', weight: 1, run: tradeFee },
  { method: 'GET', path: '/sapi/v1/bnbBurn', security: 'read', weight: 1, run: burn },
  { method: 'POST', path: '/sapi/v1/bnbBurn', security: 'read', weight: 1, run: setBurn },
  { method: 'GET', path: '/sapi/v1/margin/allPairs', security: 'key', weight: 1, run: nothing },
  { method: 'GET', path: '/sapi/v1/margin/isolated/allPairs', security: 'key', weight: 1, run: nothing },
  { method: 'GET', path: '/fapi/v1/exchangeInfo', security: 'none', weight: 1, run: noFutures },
  { method: 'GET', path: '/dapi/v1/exchangeInfo', security: 'none', weight: 1, run: noFutures },
];
