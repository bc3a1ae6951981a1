import { isAssetName } from '@pilotfish/core/money/asset-name';
import { decimal, isDecimalText, ZERO } from '@pilotfish/core/money/decimal';
import type { NewAccountOptions } from '../accounts/account-store.ts';
import type { GivenTerms } from '../accounts/account-terms.ts';
import { DEFAULT_RESTRICTIONS, type KeyRestrictions, type KeyType } from '../accounts/api-key.ts';
import type { Exchange } from '../app/exchange.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import { readFault } from '../faults/fault-contract.ts';
import { newOrderPayload } from '../matching/order-payload.ts';
import { ApiError } from './api-error.ts';

type Controls = {
  exchange: Exchange;
  /** None where the market has another exchange's time. */
  time: { pause(): void; resume(): void; advance(ms: number): Promise<void> } | undefined;
  setSpeed: (speed: number | 'max') => void;
  status: () => unknown;
  faults: FaultBoard;
  /** Tells those who are connected with a key that it is no longer one. */
  forget: (apiKey: string) => void;
};

/** A year of market time is the longest step. */
const LONGEST_STEP = 366 * 86_400_000;
const KEYS = '/sim/v1/keys/';
const ACCOUNTS = '/sim/v1/accounts/';

/**
 * The simulator's own paths, which no real exchange has:
 * POST /sim/v1/accounts {balances?, keyType?, restrictions?, burnBnb?, makerCommission?, takerCommission?, latencyMs?} →
 * {apiKey, apiSecret}; PATCH /sim/v1/accounts/<apiKey> {makerCommission?, takerCommission?, latencyMs?} → all three: of its
 * orders from now on, see account-terms.ts;
 * POST /sim/v1/deposits {apiKey, asset, amount} → {}: a negative amount is a withdrawal; DELETE /sim/v1/keys/<apiKey> → {};
 * POST /sim/v1/sor {apiKey, symbol, side, quantity} → the answer to a market order that smart order routing filled;
 * PATCH /sim/v1/keys/<apiKey> {restrictions} → {}: what the key may do from now on;
 * POST /sim/v1/faults {kind, ...} → {}: see fault-contract.ts; GET /sim/v1/faults → what waits and what holds;
 * DELETE /sim/v1/faults → {}; GET /sim/v1/status; POST /sim/v1/clock {speed?, paused?, advanceMs?} → status. Undefined for an unknown path.
 */
export function answerSimulatorPath(controls: Controls, method: string, path: string, body: string): Promise<unknown> | undefined {
  if (method === 'POST' && path === '/sim/v1/accounts') return createAccount(controls, body);
  if (method === 'PATCH' && path.startsWith(ACCOUNTS)) return setTerms(controls, path.slice(ACCOUNTS.length), body);
  if (method === 'POST' && path === '/sim/v1/deposits') return deposit(controls, body);
  if (method === 'POST' && path === '/sim/v1/sor') return routeOrder(controls, body);
  if (method === 'DELETE' && path.startsWith(KEYS)) return revoke(controls, path.slice(KEYS.length));
  if (method === 'GET' && path === '/sim/v1/status') return Promise.resolve(controls.status());
  if (method === 'PATCH' && path.startsWith(KEYS)) return restrict(controls, path.slice(KEYS.length), body);
  if (method === 'POST' && path === '/sim/v1/faults') return addFault(controls, body);
  if (method === 'GET' && path === '/sim/v1/faults') return Promise.resolve(controls.faults.describe());
  if (method === 'DELETE' && path === '/sim/v1/faults') {
    controls.faults.clear();
    return Promise.resolve({});
  }
  if (method === 'POST' && path === '/sim/v1/clock') return turnClock(controls, body);
  return undefined;
}

const refuse = (message: string): ApiError => new ApiError(-1130, message);

function readObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = body === '' ? {} : JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the refusal below.
  }
  throw refuse('The body must be a JSON object.');
}

async function createAccount({ exchange }: Controls, body: string): Promise<unknown> {
  const { balances, keyType, restrictions, burnBnb, ...rest } = readObject(body);
  const options: NewAccountOptions = termsOf(rest);
  if (balances !== undefined) options.balances = readBalances(balances);
  if (keyType !== undefined) {
    if (keyType !== 'hmac' && keyType !== 'ed25519' && keyType !== 'rsa') throw refuse('keyType must be hmac, ed25519 or rsa.');
    options.keyType = keyType satisfies KeyType;
  }
  if (restrictions !== undefined) options.permissions = readRestrictions(restrictions);
  if (burnBnb !== undefined) {
    if (typeof burnBnb !== 'boolean') throw refuse('burnBnb must be true or false.');
    options.burnBnb = burnBnb;
  }
  return exchange.createAccount(options).catch((error: unknown) => {
    throw error instanceof RangeError ? refuse(error.message) : error;
  });
}

const termsOf = ({ makerCommission, takerCommission, latencyMs }: Record<string, unknown>): GivenTerms => ({
  makerCommission,
  takerCommission,
  latencyMs,
});

async function setTerms({ exchange }: Controls, apiKey: string, body: string): Promise<unknown> {
  const key = exchange.accounts.keys.get(apiKey);
  if (!key) throw refuse('apiKey is not known.');
  const account = exchange.accounts.byId(key.accountId);
  try {
    exchange.setTerms(account, termsOf(readObject(body)));
  } catch (error) {
    throw error instanceof RangeError ? refuse(error.message) : error;
  }
  await exchange.settle();
  const { maker, taker, latencyMs } = account.terms;
  return { makerCommission: maker, takerCommission: taker, latencyMs };
}

function readBalances(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) throw refuse('balances must be an object of asset and amount.');
  for (const [asset, amount] of Object.entries(value)) {
    if (typeof amount !== 'string' || !isDecimalText(amount) || amount.startsWith('-')) {
      throw refuse(`balances.${asset} must be a decimal text of 0 or more, as "10000".`);
    }
  }
  return value as Record<string, string>;
}

function readRestrictions(value: unknown): Partial<KeyRestrictions> {
  if (typeof value !== 'object' || value === null) throw refuse('restrictions must be an object of flags.');
  for (const [name, flag] of Object.entries(value)) {
    if (!Object.hasOwn(DEFAULT_RESTRICTIONS, name)) throw refuse(`restrictions.${name} is not known.`);
    if (typeof flag !== 'boolean') throw refuse(`restrictions.${name} must be true or false.`);
  }
  return value as Partial<KeyRestrictions>;
}

/** A market order as a person can have placed it in the exchange's app: it is filled by allocations, and not by trades. */
async function routeOrder({ exchange }: Controls, body: string): Promise<unknown> {
  const { apiKey, symbol, side, quantity } = readObject(body);
  const key = exchange.accounts.keys.get(String(apiKey));
  if (!key) throw refuse('apiKey is not known.');
  const pair = exchange.view.find(String(symbol));
  if (!pair) throw refuse('symbol is not known.');
  if (side !== 'BUY' && side !== 'SELL') throw refuse('side must be BUY or SELL.');
  if (typeof quantity !== 'string' || !isDecimalText(quantity)) throw refuse('quantity must be a decimal text, as "0.1".');
  const request = {
    pair,
    side,
    type: 'MARKET',
    timeInForce: 'GTC',
    quantity: decimal(quantity),
    quoteOrderQuantity: ZERO,
    price: ZERO,
    stopPrice: ZERO,
    icebergQuantity: ZERO,
    trailingDelta: undefined,
    clientOrderId: undefined,
    strategyId: undefined,
    strategyType: undefined,
    selfTradePreventionMode: undefined,
  } as const;
  const { order, fills } = exchange.engine.place(exchange.accounts.byId(key.accountId), request, { usedSor: true });
  await exchange.settle();
  return newOrderPayload(order, fills, 'FULL');
}

async function deposit({ exchange }: Controls, body: string): Promise<unknown> {
  const { apiKey, asset, amount } = readObject(body);
  const key = exchange.accounts.keys.get(String(apiKey));
  if (!key) throw refuse('apiKey is not known.');
  if (typeof asset !== 'string' || !isAssetName(asset)) throw refuse('asset must be a name such as USDT.');
  if (typeof amount !== 'string' || !/^-?\d{1,20}(\.\d{1,8})?$/.test(amount))
    throw refuse('amount must be a decimal text, as "100" or "-0.5".');
  try {
    exchange.deposit(exchange.accounts.byId(key.accountId), asset, decimal(amount));
  } catch (error) {
    if (error instanceof RangeError) throw refuse(`amount is more than the free ${asset}.`);
    throw error;
  }
  await exchange.settle();
  return {};
}

async function revoke({ exchange, forget }: Controls, apiKey: string): Promise<unknown> {
  if (!exchange.accounts.keys.has(apiKey)) throw refuse('apiKey is not known.');
  await exchange.revoke(apiKey);
  forget(apiKey);
  return {};
}

async function restrict({ exchange }: Controls, apiKey: string, body: string): Promise<unknown> {
  if (!exchange.accounts.keys.has(apiKey)) throw refuse('apiKey is not known.');
  await exchange.restrict(apiKey, readRestrictions(readObject(body).restrictions));
  return {};
}

async function addFault({ faults, exchange }: Controls, body: string): Promise<unknown> {
  const { dropSockets, announce, ...rest } = readObject(body);
  const asked = dropSockets === true ? { kind: 'streams', action: announce === true ? 'shutdown' : 'cut' } : rest;
  try {
    faults.apply(readFault(asked));
  } catch (error) {
    if (error instanceof RangeError) throw refuse(error.message);
    throw error;
  }
  // A symbol that leaves ends its orders: that must be on disk like any other change.
  await exchange.settle();
  return {};
}

async function turnClock({ time, setSpeed, status }: Controls, body: string): Promise<unknown> {
  const { speed, paused, advanceMs } = readObject(body);
  if (!time) throw refuse('A mirrored market has the time of its exchange: it cannot be paused, moved or sped up.');
  if (speed !== undefined) {
    if (speed !== 'max' && !(typeof speed === 'number' && Number.isFinite(speed) && speed > 0))
      throw refuse('speed must be a number above 0 or "max".');
    setSpeed(speed);
  }
  if (paused !== undefined) {
    if (typeof paused !== 'boolean') throw refuse('paused must be true or false.');
    if (paused) time.pause();
    else time.resume();
  }
  if (advanceMs !== undefined) {
    if (typeof advanceMs !== 'number' || !(advanceMs >= 0 && advanceMs <= LONGEST_STEP))
      throw refuse('advanceMs must be 0 to 31622400000.');
    await time.advance(Math.floor(advanceMs));
  }
  return status();
}
