/** An answer of the mirrored exchange, as it came. */
export type UpstreamAnswer = {
  readonly status: number;
  readonly text: string;
  /** Seconds after which another try makes sense, where the exchange says so. */
  readonly retryAfter?: number | undefined;
};

/** The exchange whose market is mirrored, as whoever starts the mirror reaches it: within its own weight, by its own connections. */
export type Upstream = {
  /**
   * A public question by REST; `query` without the question mark, `weight` as documented. Refusals are answers, too.
   * @throws whatever there is to say, where no answer came
   */
  get(path: `/${string}`, query: string, weight: number): Promise<UpstreamAnswer>;
  /** Listens to a market stream; answers how to stop. Names may be asked for more than once. */
  subscribe(stream: string, listener: (data: unknown) => void): () => void;
  /** Calls back whenever streams were interrupted and go on. */
  onGap(listener: () => void): void;
  /** Whether what streams say last is how it is now. */
  readonly connected: boolean;
};
