import { isDecimalText } from '@pilotfish/core/money/decimal';
import type { NewAccountOptions } from '../accounts/account-store.ts';
import { DEFAULT_RESTRICTIONS, type KeyRestrictions, type KeyType } from '../accounts/api-key.ts';
import type { Exchange } from '../app/exchange.ts';
import { ApiError } from './api-error.ts';
import type { Fault, Faults } from './faults.ts';

type Controls = {
  exchange: Exchange;
  time: { pause(): void; resume(): void; advance(ms: number): Promise<void> };
  setSpeed: (speed: number | 'max') => void;
  status: () => unknown;
  faults: Faults;
  dropSockets: (announce: boolean) => void;
};

/** A year of market time is the longest step. */
const LONGEST_STEP = 366 * 86_400_000;

/**
 * The simulator's own paths, which no real exchange has:
 * POST /sim/v1/accounts {balances?, keyType?, restrictions?, burnBnb?} → {apiKey, apiSecret};
 * POST /sim/v1/faults {method?, path?, times?, delayMs?, status?, code?, msg?, retryAfter?, loseAnswer?} → {}: see `Fault`;
 * POST /sim/v1/faults {dropSockets: true, announce?} → {}: cuts every WebSocket, after `serverShutdown` with announce;
 * DELETE /sim/v1/faults → {}; GET /sim/v1/status; POST /sim/v1/clock {speed?, paused?, advanceMs?} → status. Undefined for an unknown path.
 */
export function answerSimulatorPath(controls: Controls, method: string, path: string, body: string): Promise<unknown> | undefined {
  if (method === 'POST' && path === '/sim/v1/accounts') return createAccount(controls, body);
  if (method === 'GET' && path === '/sim/v1/status') return Promise.resolve(controls.status());
  if (method === 'POST' && path === '/sim/v1/faults') return addFault(controls, body);
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
  const { balances, keyType, restrictions, burnBnb } = readObject(body);
  const options: NewAccountOptions = {};
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
  return exchange.createAccount(options);
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

const FAULT_FIELDS: Record<keyof Fault, 'string' | 'number' | 'boolean'> = {
  method: 'string',
  path: 'string',
  times: 'number',
  delayMs: 'number',
  status: 'number',
  code: 'number',
  msg: 'string',
  retryAfter: 'number',
  loseAnswer: 'boolean',
};

async function addFault({ faults, dropSockets }: Controls, body: string): Promise<unknown> {
  const { dropSockets: drop, announce, ...fault } = readObject(body);
  if (drop === true) {
    dropSockets(announce === true);
    return {};
  }
  for (const [name, value] of Object.entries(fault)) {
    if (!Object.hasOwn(FAULT_FIELDS, name)) throw refuse(`${name} is not a field of a fault.`);
    const type = FAULT_FIELDS[name as keyof Fault];
    if (typeof value !== type) throw refuse(`${name} must be a ${type}.`);
  }
  const { status } = fault as Fault;
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) throw refuse('status must be 400 to 599.');
  faults.add(fault as Fault);
  return {};
}

async function turnClock({ time, setSpeed, status }: Controls, body: string): Promise<unknown> {
  const { speed, paused, advanceMs } = readObject(body);
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
