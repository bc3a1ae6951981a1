import { decimal } from '@pilotfish/core/money/decimal';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Exchange, UserEvent } from '../app/exchange.ts';
import type { Pair, PairStatus } from '../market/market-contract.ts';
import { ApiError } from '../rest/api-error.ts';
import type { RateLimits } from '../rest/rate-limits.ts';
import type { Fault, RequestFault, ScriptedFault } from './fault-contract.ts';

type Waiting<T> = T & { times: number };
type EventsFault = Extract<Fault, { kind: 'events' }>;
type TradesFault = Extract<Fault, { kind: 'trades' }> & { readonly before: number };
type FillFault = Extract<Fault, { kind: 'fill' }>;

/** What faults do to open connections. */
export type StreamControls = {
  drop(announce: boolean, of: 'market' | 'user' | 'all', graceMs?: number): void;
  /** Ends what a shutdown still has under way. */
  keep(): void;
  setBookRate(rateOf: (pair: Pair) => number): void;
  silence(of: 'market' | 'user' | 'all', forMs: number | undefined): void;
  terminate(): void;
  speak(): void;
};

/** Everything that was asked to go wrong: what waits for its request or event, and what holds until it is cleared. */
export class FaultBoard {
  /** How far the exchange's clock is off, ms. */
  skewMs = 0;
  private readonly exchange: Exchange;
  private readonly streams: StreamControls;
  private readonly limits: Pick<RateLimits, 'set' | 'reset'>;
  private lags: Waiting<TradesFault>[] = [];
  private bookRates: Extract<Fault, { kind: 'bookTickers' }>[] = [];
  private trickles: Extract<Fault, { kind: 'trickle' }>[] = [];
  private requests: Waiting<RequestFault>[] = [];
  private events: Waiting<EventsFault>[] = [];
  private fills: Waiting<FillFault>[] = [];
  private planned: { at: number; run: () => void }[] = [];
  private readonly held = new Map<number, UserEvent[]>();

  constructor(exchange: Exchange, streams: StreamControls, limits: Pick<RateLimits, 'set' | 'reset'>) {
    this.exchange = exchange;
    this.streams = streams;
    this.limits = limits;
    streams.setBookRate((pair) => this.bookRates.findLast((one) => one.symbol === undefined || one.symbol === pair.symbol)?.perSecond ?? 0);
    exchange.listedTrades = (pair) => this.listedBefore(pair);
    const standard = exchange.engine.makerShare;
    exchange.engine.makerShare = (pair) =>
      this.trickles.findLast((one) => one.symbol === undefined || one.symbol === pair.symbol)?.share ?? standard(pair);
    exchange.engine.takerShare = ({ pair }) => this.shareOf(pair);
  }

  /** Puts a fault in force. Throws `RangeError` when it names a symbol that does not exist. */
  apply(fault: Fault): void {
    switch (fault.kind) {
      case 'request':
        this.next(fault);
        break;
      case 'limit':
        this.next(this.limit(fault));
        break;
      case 'events':
        this.events.push({ ...fault, times: fault.times ?? 1 });
        break;
      case 'streams':
        this.disturb(fault);
        break;
      case 'clock':
        this.skewMs = fault.skewMs;
        break;
      case 'fill':
        if (fault.symbol !== undefined) this.pair(fault.symbol);
        this.fills.push({ ...fault, times: fault.times ?? 1 });
        break;
      case 'symbol':
        this.setStatus(this.pair(fault.symbol), fault.status, fault.afterMs ?? 0);
        break;
      case 'filters':
        this.exchange.engine.filters.replace(this.pair(fault.symbol), fault.filters);
        break;
      case 'range':
        this.setRange(fault);
        break;
      case 'bookTickers':
        if (fault.symbol !== undefined) this.pair(fault.symbol);
        this.bookRates.push(fault);
        break;
      case 'redenomination':
        this.redenominate(fault);
        break;
      case 'trades':
        if (fault.symbol !== undefined) this.pair(fault.symbol);
        this.lags.push({ ...fault, times: fault.times ?? 1, before: this.exchange.engine.nextTradeId });
        break;
      case 'trickle':
        if (fault.symbol !== undefined) this.pair(fault.symbol);
        this.trickles.push(fault);
        break;
      case 'limits':
        this.limits.set(fault);
        break;
      case 'row':
        this.exchange.view.setRow(this.pair(fault.symbol), fault.fields);
        break;
    }
  }

  /** Hits the next matching requests. */
  next(fault: RequestFault): void {
    this.requests.push({ ...fault, times: fault.times ?? 1 });
  }

  /** Puts each fault of a script in force at its market time. */
  plan(script: readonly ScriptedFault[], start: number): void {
    for (const { afterMs, fault } of script) {
      if (afterMs === 0) this.apply(fault);
      else this.planned.push({ at: start + afterMs, run: () => this.apply(fault) });
    }
  }

  /** Ends everything: the market, its rules and its clock are as if nothing had been asked. Delisted symbols return, their orders do not. */
  clear(): void {
    this.requests = [];
    this.events = [];
    this.fills = [];
    this.planned = [];
    this.held.clear();
    this.skewMs = 0;
    this.trickles = [];
    this.bookRates = [];
    this.lags = [];
    this.streams.speak();
    this.streams.keep();
    this.limits.reset();
    this.exchange.engine.rules.clear();
    this.exchange.view.clearChanges();
    this.exchange.engine.filters.reset();
  }

  /** What waits and what holds. */
  describe(): Record<string, unknown> {
    return {
      requests: this.requests,
      events: this.events,
      fills: this.fills,
      bookTickers: this.bookRates,
      trickles: this.trickles,
      trades: this.lags,
      planned: this.planned.map(({ at }) => at),
      clockSkewMs: this.skewMs,
      symbols: this.exchange.view.statuses(),
      rows: this.exchange.view.changedRows(),
    };
  }

  /** The fault that hits this request, if any; counts it. */
  take(method: string, path: string, symbol: string | undefined): RequestFault | undefined {
    const fault = this.requests.find(
      (one) => (one.method ?? method) === method && path.startsWith(one.path ?? '') && (one.symbol ?? symbol) === symbol,
    );
    if (!fault) return undefined;
    this.requests = spend(this.requests, fault);
    return fault;
  }

  /** An event as its account's subscribers get it: once, twice, later, or never. */
  pass(event: UserEvent): UserEvent[] {
    const { e } = event.event;
    const fault = this.events.find((one) => one.event === undefined || one.event === e);
    const before = this.held.get(event.accountId) ?? [];
    if (fault) this.events = spend(this.events, fault);
    if (fault?.action === 'reorder') {
      this.held.set(event.accountId, [...before, event]);
      return [];
    }
    this.held.delete(event.accountId);
    if (fault?.action === 'drop') return before;
    return fault?.action === 'duplicate' ? [event, event, ...before] : [event, ...before];
  }

  /** Called as the market moves. */
  onStep(now: number): void {
    if (this.planned.length === 0) return;
    const due = this.planned.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    this.planned = this.planned.filter(({ at }) => at > now);
    for (const { run } of due) run();
  }

  private disturb(fault: Extract<Fault, { kind: 'streams' }>): void {
    const of = fault.of ?? 'all';
    if (fault.action === 'silence') this.streams.silence(of, fault.forMs);
    else if (fault.action === 'terminate') this.streams.terminate();
    else this.streams.drop(fault.action === 'shutdown', of, fault.action === 'shutdown' ? fault.graceMs : undefined);
  }

  private setRange({ kind: _kind, symbol, ...range }: Extract<Fault, { kind: 'range' }>): void {
    this.exchange.engine.rules.set(this.pair(symbol), range);
  }

  private limit({ status, retryAfter, times }: Extract<Fault, { kind: 'limit' }>): RequestFault {
    const until = this.exchange.wallNow() + retryAfter * 1000;
    const msg =
      status === 429
        ? 'Too much request weight used; current limit is 6000 request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.'
        : `Way too much request weight used; IP banned until ${until}. Please use WebSocket Streams for live updates to avoid bans.`;
    return { status, code: -1003, msg, retryAfter, ...(times === undefined ? {} : { times }) };
  }

  private setStatus(pair: Pair, status: PairStatus | 'DELISTED', afterMs: number): void {
    const { view, engine } = this.exchange;
    if (status !== 'DELISTED') {
      view.setStatus(pair, status);
      return;
    }
    view.setStatus(pair, 'BREAK');
    const leave = (): void => {
      engine.expireAll(pair);
      view.setStatus(pair, 'DELISTED');
    };
    if (afterMs === 0) leave();
    else this.planned.push({ at: view.now() + afterMs, run: leave });
  }

  private pair(symbol: string): Pair {
    const pair = this.exchange.market.find(symbol);
    if (!pair) throw new RangeError(`symbol ${symbol} is not in this market.`);
    return pair;
  }

  private redenominate({ asset, factor }: Extract<Fault, { kind: 'redenomination' }>): void {
    const { market, engine } = this.exchange;
    const pairs = market.pairs.filter(({ base, quote }) => base === asset || quote === asset);
    if (pairs.length === 0) throw new RangeError(`asset ${asset} is not in this market.`);
    for (const pair of pairs) engine.expireAll(pair);
    this.exchange.redenominate(asset, decimal(factor));
  }

  private listedBefore(pair: Pair): number {
    const fault = this.lags.find((one) => one.symbol === undefined || one.symbol === pair.symbol);
    if (!fault) return Number.POSITIVE_INFINITY;
    this.lags = spend(this.lags, fault);
    return fault.before;
  }

  private shareOf(pair: Pair): number | undefined {
    const fault = this.fills.find((one) => one.symbol === undefined || one.symbol === pair.symbol);
    if (!fault) return undefined;
    this.fills = spend(this.fills, fault);
    return fault.share;
  }
}

/** What is left when one of `times` is used up. */
function spend<T extends { times: number }>(waiting: T[], one: T): T[] {
  one.times -= 1;
  return one.times > 0 ? waiting : waiting.filter((other) => other !== one);
}

/** Waits and refuses as the fault says; `when` tells whether the request was executed already. */
export async function suffer(fault: RequestFault | undefined, when: 'before' | 'after', timers: Pick<Timers, 'wait'>): Promise<void> {
  if (!fault) return;
  if (when === 'before' && fault.delayMs) await timers.wait(fault.delayMs, { ref: true });
  if (fault.status === undefined || (fault.when ?? 'before') !== when) return;
  throw new ApiError(fault.code ?? -1000, fault.msg ?? 'A fault was asked for.', {
    status: fault.status,
    ...(fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter }),
  });
}
