import { patient } from './patience-factor.ts';

/** Tells when a process has nothing left to do but to wait for a timer, or for somebody outside. */
export type Quiet = {
  /** Resolves when it is quiet, or as soon as `isOver`. */
  readonly settled: (isOver?: () => boolean) => Promise<void>;
  /** Work of another thread, which nothing else shows; answers its result. */
  readonly count: <Result>(work: Promise<Result>) => Promise<Result>;
  /** How much of it is under way. */
  readonly busy: () => number;
};

/** Turns of the event loop in a row without an event, after which it counts as quiet. */
const QUIET_TURNS = 6;

type Node = {
  readonly process: { getActiveResourcesInfo(): string[]; getBuiltinModule(name: string): unknown };
  readonly performance: { now(): number; readonly nodeTiming: { readonly uvMetricsInfo: { readonly events: number } } };
  readonly setImmediate: (run: () => void) => unknown;
};
const node = globalThis as unknown as Node;

/** Jobs of threads that are under way in this process. Counted for all virtual clocks of it: a job belongs to nobody. */
let jobs = 0;
/** How many of them never end: a stream that is packed for a reader who does not read. */
let stuck = 0;
/** A job that takes longer on the wall clock, while nothing else happens, never ends. */
const LONGEST_JOB_MS = 10_000;
/** Nor does one that takes so long while no other begins or ends: looking at the clock makes garbage, and its collection events. */
const LONGEST_LONELY_JOB_MS = 60_000;

async function counted<Result>(work: Promise<Result>): Promise<Result> {
  jobs += 1;
  try {
    return await work;
  } finally {
    jobs -= 1;
  }
}

type Emitter = Record<'once' | 'removeListener', (event: string, heard: () => void) => unknown>;
type Callback = (...results: unknown[]) => void;
type Prototype = Record<string, (...given: unknown[]) => unknown>;

/** Methods that answer by a promise. */
function countPromises(prototype: object, names: readonly string[]): void {
  const methods = prototype as Prototype;
  for (const name of names) {
    const original = methods[name];
    if (original === undefined) continue;
    methods[name] = function (this: unknown, ...given) {
      const answer = original.apply(this, given);
      return answer instanceof Promise ? counted(answer) : answer;
    };
  }
}

/**
 * Methods whose last argument is called when they are done.
 * @param isStream one that fails in the middle calls nobody back, and is closed
 */
function countCallbacks(prototype: object, names: readonly string[], isStream = false): void {
  const methods = prototype as Prototype;
  for (const name of names) {
    const original = methods[name];
    if (original === undefined) continue;
    methods[name] = function (this: unknown, ...given) {
      const done = given.at(-1) as Callback;
      if (typeof done !== 'function') return original.apply(this, given);
      jobs += 1;
      let isOver = false;
      const release = () => {
        if (!isOver) jobs -= 1;
        isOver = true;
        stream?.removeListener('close', release);
      };
      const stream = isStream ? (this as Emitter) : undefined;
      stream?.once('close', release);
      const over: Callback = (...results) => {
        release();
        done(...results);
      };
      return original.apply(this, [...given.slice(0, -1), over]);
    };
  }
}

/** A process that has not come to rest for so long never does: something of an earlier file goes on in it, say. */
const LONGEST_UNREST_MS = patient(120_000);

/** Counts calls that are answered from outside of this process, by promise or callback: a database, say. Once for each class. */
export function countCalls({ prototype }: { readonly prototype: object }, names: readonly string[]): void {
  if (counting.has(prototype)) return;
  counting.add(prototype);
  countPromises(prototype, names);
  countCallbacks(prototype, names);
}
const counting = new WeakSet<object>();

let isWatched = false;
/** What Node's list of resources does not show: web cryptography and compression use threads, too. */
function watchThreads(): void {
  if (isWatched) return;
  isWatched = true;
  const { subtle } = node.process.getBuiltinModule('node:crypto') as { subtle: object };
  countPromises(Object.getPrototypeOf(subtle) as object, ['sign', 'verify', 'digest', 'importKey', 'encrypt', 'decrypt', 'generateKey']);
  const zlib = node.process.getBuiltinModule('node:zlib') as { Deflate: { prototype: object }; BrotliCompress: { prototype: object } };
  // The first request of a process compiles its parser of HTTP.
  countPromises(WebAssembly, ['compile', 'instantiate']);
  countCallbacks(Object.getPrototypeOf(zlib.Deflate.prototype) as object, ['_transform', '_flush'], true);
}

/** Requests to files and for names (`FSReqCallback`, `CloseReq`, `GetAddrInfoReqWrap`): their answers come by themselves. */
const isRequest = (resource: string): boolean => resource.includes('Req');

/**
 * Sockets between two ends of one process: what one writes the other finds in its next turn, so a few turns without an
 * event mean that nothing is under way. A request that is left unanswered on purpose is quiet, too.
 */
export function quietProcess({ longestMs = LONGEST_UNREST_MS }: { longestMs?: number } = {}): Quiet {
  watchThreads();
  const turn = () => new Promise<void>((done) => void node.setImmediate(done));
  return {
    settled: async (isOver = () => false) => {
      const began = node.performance.now();
      for (;;) {
        let events = node.performance.nodeTiming.uvMetricsInfo.events;
        let since = node.performance.now();
        let [under, alone] = [jobs, since];
        for (let still = 0; still < QUIET_TURNS; still += 1) {
          await turn();
          if (isOver()) return;
          const seen = node.performance.nodeTiming.uvMetricsInfo.events;
          stuck = Math.min(stuck, jobs);
          const at = node.performance.now();
          if (at - began > longestMs)
            throw new Error(
              `This process does not come to rest: ${node.process.getActiveResourcesInfo().join(', ')}; ${jobs} jobs of threads`,
            );
          if (seen !== events) since = at;
          if (jobs !== under) [under, alone] = [jobs, at];
          if (jobs > stuck && (at - since > LONGEST_JOB_MS || at - alone > LONGEST_LONELY_JOB_MS)) stuck = jobs;
          if (seen !== events || jobs > stuck) still = -1;
          events = seen;
        }
        if (!node.process.getActiveResourcesInfo().some(isRequest)) return;
      }
    },
    count: counted,
    busy: () => jobs - stuck,
  };
}
