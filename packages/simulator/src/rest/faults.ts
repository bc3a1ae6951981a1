/** Something that goes wrong on purpose with the next matching requests. */
export type Fault = {
  /** Only requests of this method and of paths that begin like this; any when absent. */
  method?: string;
  path?: string;
  /** How many requests it hits (default 1). */
  times?: number;
  /** Wait before the request is looked at, ms. */
  delayMs?: number;
  /** Refuse with this status and body, without doing anything. */
  status?: number;
  code?: number;
  msg?: string;
  retryAfter?: number;
  /** Do the request but cut the connection instead of answering: the caller cannot know whether it happened. */
  loseAnswer?: boolean;
};

/** Faults waiting for their request, first in, first out. */
export class Faults {
  private waiting: (Fault & { times: number })[] = [];

  add(fault: Fault): void {
    this.waiting.push({ ...fault, times: fault.times ?? 1 });
  }

  clear(): void {
    this.waiting = [];
  }

  /** The fault that hits this request, if any; counts it. */
  take(method: string, path: string): Fault | undefined {
    const fault = this.waiting.find((one) => (one.method ?? method) === method && path.startsWith(one.path ?? ''));
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.waiting = this.waiting.filter((one) => one !== fault);
    return fault;
  }
}
