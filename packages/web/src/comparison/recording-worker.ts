import '../platform/strict-zod.ts';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { readTickTape, TickTapeError } from '@pilotfish/core/backtest/tick-tape';
import type { Comparison, KnownPositionRow } from '@pilotfish/core/comparison/comparison-contract';
import { compareWithRecording, type RecordedBot } from '@pilotfish/core/comparison/recorded-run';

/** What the worker is asked: a recording as the server hands it out, and what really happened, newest first. */
export type RecordingTask = {
  readonly bot: RecordedBot;
  readonly tape: string;
  readonly stored: readonly StoredTrace[];
  /** What those do not say. */
  readonly known: readonly KnownPositionRow[];
  readonly latencyMs: number;
  readonly recording: string;
};
/** `wrong` is what the recording cannot do; of a bad one the code of its first fault, and its line. */
export type RecordingAnswer =
  | { readonly comparison: Comparison }
  | { readonly wrong: 'noTape' | 'noPrices' }
  | { readonly wrong: 'badTape'; readonly code: TickTapeError['code']; readonly line: number };

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
  }
}

function answer({ tape, ...task }: RecordingTask): RecordingAnswer {
  try {
    return { comparison: compareWithRecording({ ...task, records: [...readTickTape(linesOf(tape))] }) };
  } catch (error) {
    if (!(error instanceof TickTapeError)) throw error;
    const { code, line } = error;
    return code === 'NO_TICKS' ? { wrong: 'noPrices' } : { wrong: 'badTape', code, line };
  }
}

addEventListener('message', ({ data }: MessageEvent<RecordingTask>) => postMessage(answer(data)));
