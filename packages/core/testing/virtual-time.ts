import type { Timers } from '../src/time/timers.ts';
import { noteClock } from './latest-clock.ts';
import { type Quiet, quietProcess } from './quiet-process.ts';

/** A moment that `advance` went through: when, since the start, and how many timers ran at it. */
export type Advanced = { readonly time: number; readonly ran: number };

export type VirtualTime = {
  /** The wall clock, epoch ms. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Resolves when the process has nothing left to do but to wait for a timer. */
  readonly settled: () => Promise<void>;
  /** Moves to the next timer, runs everything that is due then, and settles. False where no timer waits. */
  readonly jump: () => Promise<boolean>;
  /**
   * Walks through every timer of the next `ms`, settling after each. Answers the time that was reached and how many
   * timers ran, so that "nothing happened" can be asserted of a time that passed.
   */
  readonly advance: (ms: number) => Promise<Advanced>;
  /** The result of some work; time jumps while it waits for a timer, unless the clock is held. */
  readonly during: <Result>(work: Promise<Result> | (() => Promise<Result>)) => Promise<Result>;
  /** Only `jump` and `advance` move the clock until it is let go: for what happens while other work waits. Answers how to let go. */
  readonly hold: () => () => void;
  /** Sets the wall clock, as a person or a time server does: timers do not hear of it. */
  readonly setWall: (ms: number) => void;
  /** Milliseconds since the start. */
  readonly elapsed: number;
  /** For messages: the moment, and what is waited for. */
  readonly describe: () => string;
};

type Timer = { readonly at: number; readonly order: number; readonly everyMs: number | undefined; readonly work: () => void };

/** Where virtual clocks start: no test depends on the date it runs on. */
export const VIRTUAL_START = Date.UTC(2026, 0, 15, 12);

/** Rounds without a timer and without an answer, after which work is given up: it waits for nothing that can come. */
const MOST_IDLE_ROUNDS = 100_000;

/**
 * A clock that stands still while the process works, and jumps to the next timer once it is quiet. A wait of an hour
 * passes in the time its work takes, and a slow machine changes nothing of the order in which things happen.
 */
export function virtualTime({ start = VIRTUAL_START, quiet = quietProcess() }: { start?: number; quiet?: Quiet } = {}): VirtualTime {
  let elapsed = 0;
  let wallAhead = 0;
  let registered = 0;
  let holds = 0;
  const waiting = new Set<Timer>();
  let turn: Promise<unknown> = Promise.resolve();

  const add = (ms: number, work: () => void, everyMs?: number): (() => void) => {
    let timer: Timer = { at: elapsed + delayOf(ms), order: registered++, everyMs, work: () => undefined };
    const run = () => {
      waiting.delete(timer);
      if (everyMs !== undefined) {
        timer = { ...timer, at: timer.at + Math.max(1, delayOf(everyMs)), order: registered++ };
        waiting.add(timer);
      }
      work();
    };
    timer = { ...timer, work: run };
    waiting.add(timer);
    return () => void waiting.delete(timer);
  };
  const timers: Timers = {
    after: (ms, work) => add(ms, work),
    every: (ms, work) => add(ms, work, ms),
    wait: (ms) => new Promise((done) => void add(ms, done)),
    deadline: (ms) => {
      const controller = new AbortController();
      add(ms, () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')));
      return controller.signal;
    },
    running: () => elapsed,
    wall: () => start + elapsed + wallAhead,
    meanwhile: quiet.count,
  };

  noteClock(timers.wall);

  const soonest = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of waiting)
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
    return first;
  };
  /** Everything due at the moment of the next timer, in the order of registration. What it starts has its turn before the next one. */
  async function step(until = Number.POSITIVE_INFINITY): Promise<number> {
    noteClock(timers.wall);
    const next = soonest();
    if (next === undefined || next.at > until) return 0;
    elapsed = Math.max(elapsed, next.at);
    const due = [...waiting].filter(({ at }) => at <= elapsed).sort((one, other) => one.at - other.at || one.order - other.order);
    let ran = 0;
    for (const timer of due) {
      if (!waiting.has(timer)) continue;
      ran += 1;
      timer.work();
      await Promise.resolve();
    }
    await quiet.settled();
    return ran;
  }
  /** Two tests' wishes to move the clock follow one another. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  const describe = (): string =>
    `virtual time ${new Date(start + elapsed).toISOString()} (+${elapsed} ms), ${waiting.size} timers wait${quiet.busy() > 0 ? `, ${quiet.busy()} jobs of other threads run` : ''}`;

  async function during<Result>(work: Promise<Result> | (() => Promise<Result>)): Promise<Result> {
    const promise = typeof work === 'function' ? work() : work;
    // Made here, so that its stack tells whose work it is.
    const stuck = new Error();
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    promise.then(over, over);
    for (let idle = 0; !isOver; ) {
      await inTurn(async () => {
        await quiet.settled(() => isOver);
        if (isOver) return;
        idle = holds === 0 && (await step()) > 0 ? 0 : idle + 1;
      });
      if (idle > MOST_IDLE_ROUNDS) {
        stuck.message = `Nothing is under way, and ${holds > 0 ? 'the clock is held' : 'no timer waits'}: this never ends. ${describe()}`;
        throw stuck;
      }
    }
    return promise;
  }

  return {
    now: () => start + elapsed + wallAhead,
    timers,
    settled: () => inTurn(() => quiet.settled()),
    jump: () =>
      inTurn(async () => {
        await quiet.settled();
        return (await step()) > 0;
      }),
    advance: (ms) =>
      inTurn(async () => {
        await quiet.settled();
        const end = elapsed + ms;
        let ran = 0;
        for (let now = await step(end); now > 0; now = await step(end)) ran += now;
        elapsed = end;
        return { time: start + end, ran };
      }),
    during,
    hold: () => {
      let isHeld = true;
      holds += 1;
      return () => {
        if (isHeld) holds -= 1;
        isHeld = false;
      };
    },
    setWall: (ms) => {
      wallAhead = ms - start - elapsed;
    },
    get elapsed() {
      return elapsed;
    },
    describe,
  };
}

/** As the platform's timers read it: what is no number, or below zero, is now; whole milliseconds. */
const delayOf = (ms: number): number => (ms > 0 ? Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER) : 0);
