import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { AnyActor, AnyMachineSnapshot } from 'xstate';
import type { Context } from '../app/context.ts';
import { ShownFailure } from '../app/failure.ts';
import { tell } from '../app/show-error.ts';
import { colours } from '../ui/colour.ts';
import type { Prompts } from '../ui/prompt.ts';

/** Aborts when the machine leaves the state it is in now: whoever asks something in that state stops asking. */
export function whileIn(actor: AnyActor): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const from = JSON.stringify((actor.getSnapshot() as AnyMachineSnapshot).value);
  const subscription = actor.subscribe((snapshot: AnyMachineSnapshot) => {
    if (JSON.stringify(snapshot.value) !== from) controller.abort();
  });
  return { signal: controller.signal, stop: () => subscription.unsubscribe() };
}

/** Waits until the call under way is answered; Escape gives it up. */
export async function untilAnswered(actor: AnyActor, cancel: string, prompts: Prompts | undefined): Promise<void> {
  const { signal, stop } = whileIn(actor);
  try {
    const left = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    if (!prompts) return await left;
    const escaped = prompts.escaped(signal).then(() => {
      if (!signal.aborted) actor.send({ type: cancel } as never);
    });
    await Promise.race([left, escaped]);
    await escaped;
  } finally {
    stop();
  }
}

/** A problem between two questions; without a terminal it ends the command. */
export async function showProblem(context: Context, problem: ShownProblem | undefined, prompts: Prompts | undefined): Promise<void> {
  if (!problem) return;
  const failure = new ShownFailure(problem);
  if (!prompts) throw failure;
  const t = await context.texts();
  const told = tell(failure, t);
  const lines = [told.sentence, ...told.fields.map(({ path, message }) => `  ${path}: ${message}`)];
  context.stderr.write(`${colours(context, context.stderr).red(lines.join('\n'))}\n`);
}
