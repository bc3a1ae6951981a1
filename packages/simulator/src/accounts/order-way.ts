import { MOST_LATENCY_MS } from '@pilotfish/core/money/trading-terms';
import type { Timers } from '@pilotfish/core/time/timers';
import { ApiError } from '../rest/api-error.ts';
import type { Endpoint } from '../rest/endpoint.ts';
import type { AccountStore } from './account-store.ts';

/** Whether a request goes through to the matching engine: orders, cancels, amendments and lists, but no test of an order. */
const reachesEngine = ({ security, path }: Pick<Endpoint, 'security' | 'path'>): boolean =>
  security === 'trade' && path !== '/api/v3/order/test';

/**
 * The way of orders and cancels to the exchange, as long as the terms of their account say. Nothing is looked at before
 * the arrival: an order meets the book of then, and is refused when its receive window is over by then. What is under way
 * when the exchange ends never arrives: who asks for it afterwards learns that it does not exist, and can send another.
 */
export class OrderWay {
  private readonly accounts: Pick<AccountStore, 'keys' | 'accounts'>;
  private readonly timers: Pick<Timers, 'after' | 'running'>;
  private readonly speed: () => number | 'max';
  private readonly underWay = new Set<() => void>();
  private closed = false;

  constructor(
    accounts: Pick<AccountStore, 'keys' | 'accounts'>,
    timers: Pick<Timers, 'after' | 'running'>,
    /** Market ms per wall ms. A market without pace (`max`) has no ways either. */
    speed: () => number | 'max',
  ) {
    this.accounts = accounts;
    this.timers = timers;
    this.speed = speed;
  }

  /**
   * Resolves when a request arrives that was sent at `sentAt` (of `timers.running`). One that does not go to the
   * matching engine, or is of no known key, is there at once. @throws ApiError when the exchange ends before
   */
  async arrive(endpoint: Pick<Endpoint, 'security' | 'path'>, apiKey: string | undefined, sentAt: number): Promise<void> {
    if (!reachesEngine(endpoint)) return;
    const key = apiKey === undefined ? undefined : this.accounts.keys.get(apiKey);
    const latencyMs = (key && this.accounts.accounts.get(key.accountId)?.terms.latencyMs) ?? 0;
    const speed = this.speed();
    const left = speed === 'max' ? 0 : Math.min(latencyMs / speed, MOST_LATENCY_MS) - (this.timers.running() - sentAt);
    if (latencyMs === 0 || left <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const lost = (): void =>
        reject(new ApiError(-1001, 'Internal error; unable to process your request. Please try again.', { status: 500 }));
      if (this.closed) return lost();
      const cancel = this.timers.after(
        left,
        () => {
          this.underWay.delete(end);
          resolve();
        },
        { ref: true },
      );
      const end = (): void => {
        cancel();
        lost();
      };
      this.underWay.add(end);
    });
  }

  /** From here on nothing arrives any more. */
  close(): void {
    this.closed = true;
    for (const end of this.underWay) end();
    this.underWay.clear();
  }
}
