import { ApiError } from './api-error.ts';

export type Limits = {
  /** Request weight per minute and IP. */
  weightPerMinute: number;
  /** The same for `/sapi`, which is counted apart. */
  sapiWeightPerMinute: number;
  /** Requests per five minutes and IP. */
  requestsPer5Minutes: number;
  ordersPer10Seconds: number;
  ordersPerDay: number;
  /** Connections opened per five minutes and IP. */
  connectionsPer5Minutes: number;
  /** Inbound messages per second and market-stream connection. */
  streamMessagesPerSecond: number;
};

export const STANDARD_LIMITS: Limits = {
  weightPerMinute: 6000,
  sapiWeightPerMinute: 12_000,
  requestsPer5Minutes: 300_000,
  ordersPer10Seconds: 50,
  ordersPerDay: 160_000,
  connectionsPer5Minutes: 300,
  streamMessagesPerSecond: 5,
};

const SAPI = ' sapi';
/** By what the weight of a path is counted: an address has one pool for `/sapi` and one for everything else. */
export const poolOf = (ip: string, path: string): string => (path.startsWith('/sapi/') ? ip + SAPI : ip);

/** Requests in one minute after a 429 that turn it into a ban. */
const PATIENCE = 20;
const FIRST_BAN = 2 * 60_000;
const LONGEST_BAN = 3 * 86_400_000;

type Window = { start: number; used: number };
type Caller = { weight: Window; raw: Window; connections: Window; ignored: number; bans: number; bannedUntil: number };

/** Counts by wall clock; windows begin on the clock (a minute at :00), as at the exchange. */
export class RateLimits {
  limits: Limits;
  private readonly standard: Limits;
  private readonly callers = new Map<string, Caller>();
  private readonly orders = new Map<number, { ten: Window; day: Window }>();
  private readonly wallNow: () => number;

  constructor(limits: Limits, wallNow: () => number) {
    this.limits = limits;
    this.standard = limits;
    this.wallNow = wallNow;
  }

  /** Charges a request before it runs. Throws 429 or 418. Returns the weight used this minute. */
  charge(ip: string, weight: number): number {
    const now = this.wallNow();
    const caller = this.caller(ip);
    const limit = ip.endsWith(SAPI) ? this.limits.sapiWeightPerMinute : this.limits.weightPerMinute;
    if (caller.bannedUntil > now) throw this.banned(caller, now);
    const raw = roll(caller.raw, now, 300_000);
    const window = roll(caller.weight, now, 60_000);
    if (window.used === 0) caller.ignored = 0;
    raw.used += 1;
    if (window.used + weight > limit || raw.used > this.limits.requestsPer5Minutes) {
      caller.ignored += 1;
      if (caller.ignored > PATIENCE) {
        caller.bannedUntil = now + Math.min(LONGEST_BAN, FIRST_BAN * 4 ** caller.bans);
        caller.bans += 1;
        throw this.banned(caller, now);
      }
      throw new ApiError(
        -1003,
        `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`,
        { status: 429, retryAfter: Math.ceil((window.start + 60_000 - now) / 1000) },
      );
    }
    window.used += weight;
    return window.used;
  }

  /** Counts an attempt to connect. @throws ApiError with 429 */
  countConnection(ip: string): void {
    const now = this.wallNow();
    const window = roll(this.caller(ip).connections, now, 300_000);
    window.used += 1;
    const limit = this.limits.connectionsPer5Minutes;
    if (window.used <= limit) return;
    throw new ApiError(-1034, `Too many connection attempts from IP; current limit is ${limit} per '5 MINUTE'.`, {
      status: 429,
      retryAfter: Math.ceil((window.start + 300_000 - now) / 1000),
    });
  }

  /** Other limits from now on, as far as given. */
  set(given: { readonly [Name in keyof Limits]?: number | undefined }): void {
    const names = Object.keys(this.standard) as (keyof Limits)[];
    this.limits = Object.fromEntries(names.map((name) => [name, given[name] ?? this.limits[name]])) as Limits;
  }
  reset(): void {
    this.limits = this.standard;
  }

  /** Gives back what a successful order was charged. */
  refund(ip: string, weight: number): void {
    const window = this.caller(ip).weight;
    window.used = Math.max(0, window.used - weight);
  }

  used(ip: string): number {
    return roll(this.caller(ip).weight, this.wallNow(), 60_000).used;
  }

  /** Counts new orders of an account. Throws -1015. */
  countOrder(accountId: number, orders = 1): void {
    const { ten, day } = this.orderWindows(accountId);
    const now = this.wallNow();
    if (ten.used + orders > this.limits.ordersPer10Seconds)
      throw tooManyOrders(this.limits.ordersPer10Seconds, '10 SECOND', ten.start + 10_000 - now);
    if (day.used + orders > this.limits.ordersPerDay) throw tooManyOrders(this.limits.ordersPerDay, '1 DAY', day.start + 86_400_000 - now);
    ten.used += orders;
    day.used += orders;
  }

  /** A fill takes an order off the unfilled-order count; so does a refusal. */
  uncountOrder(accountId: number, orders = 1): void {
    const { ten, day } = this.orderWindows(accountId);
    ten.used = Math.max(0, ten.used - orders);
    day.used = Math.max(0, day.used - orders);
  }

  orderCounts(accountId: number): { ten: number; day: number } {
    const { ten, day } = this.orderWindows(accountId);
    return { ten: ten.used, day: day.used };
  }

  /** `rateLimits` of exchangeInfo; with counts, of WebSocket API answers. */
  describe(used?: { weight: number; accountId?: number | undefined }): Record<string, unknown>[] {
    const { limits } = this;
    const weight = { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: limits.weightPerMinute };
    const orders = this.describeOrders(used?.accountId);
    if (used) return [{ ...weight, count: used.weight }, ...(used.accountId === undefined ? [] : orders)];
    return [weight, ...orders, { rateLimitType: 'RAW_REQUESTS', interval: 'MINUTE', intervalNum: 5, limit: limits.requestsPer5Minutes }];
  }

  describeOrders(accountId?: number): Record<string, unknown>[] {
    const counts = accountId === undefined ? undefined : this.orderCounts(accountId);
    return [
      {
        rateLimitType: 'ORDERS',
        interval: 'SECOND',
        intervalNum: 10,
        limit: this.limits.ordersPer10Seconds,
        ...(counts ? { count: counts.ten } : {}),
      },
      {
        rateLimitType: 'ORDERS',
        interval: 'DAY',
        intervalNum: 1,
        limit: this.limits.ordersPerDay,
        ...(counts ? { count: counts.day } : {}),
      },
    ];
  }

  private caller(ip: string): Caller {
    let caller = this.callers.get(ip);
    if (!caller) {
      caller = {
        weight: { start: 0, used: 0 },
        raw: { start: 0, used: 0 },
        connections: { start: 0, used: 0 },
        ignored: 0,
        bans: 0,
        bannedUntil: 0,
      };
      this.callers.set(ip, caller);
    }
    return caller;
  }

  private orderWindows(accountId: number): { ten: Window; day: Window } {
    let windows = this.orders.get(accountId);
    if (!windows) {
      windows = { ten: { start: 0, used: 0 }, day: { start: 0, used: 0 } };
      this.orders.set(accountId, windows);
    }
    const now = this.wallNow();
    roll(windows.ten, now, 10_000);
    roll(windows.day, now, 86_400_000);
    return windows;
  }

  private banned(caller: Caller, now: number): ApiError {
    return new ApiError(
      -1003,
      `Way too much request weight used; IP banned until ${caller.bannedUntil}. Please use WebSocket Streams for live updates to avoid bans.`,
      { status: 418, retryAfter: Math.ceil((caller.bannedUntil - now) / 1000) },
    );
  }
}

function tooManyOrders(limit: number, interval: string, waitMs: number): ApiError {
  return new ApiError(-1015, `Too many new orders; current limit is ${limit} orders per ${interval}.`, {
    status: 429,
    retryAfter: Math.ceil(waitMs / 1000),
  });
}

function roll(window: Window, now: number, length: number): Window {
  const start = Math.floor(now / length) * length;
  if (window.start !== start) {
    window.start = start;
    window.used = 0;
  }
  return window;
}
