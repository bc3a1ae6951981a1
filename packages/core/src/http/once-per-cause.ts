import type { MadeCall } from './client.ts';
import type { AppError } from './problem.ts';

/**
 * Which failed calls are said in a toast: every one that somebody asked for; of one that shows its error in its place,
 * such as a list that is polled, each cause once until the call has been answered. A server that cannot be reached is one
 * cause, whichever call finds it out.
 */
export function oncePerCause(say: (error: AppError) => void) {
  const standing = new Map<string, Set<string>>();
  let isOffline = false;
  return {
    failed: (error: AppError, { name, isQuiet }: MadeCall): void => {
      // A question that a dialog asks now: as a toast its "sold at once" would read as if it had been.
      if (error.code === 'would-sell-now') return;
      // No exchange account yet: the page invites to connect one, and nothing went wrong.
      if (isQuiet && error.code === 'not-connected') return;
      const causes = standing.get(name) ?? new Set();
      const cause = `${error.code} ${error.detail ?? ''}`;
      const isKnown = causes.has(cause) || (error.code === 'offline' && isOffline);
      standing.set(name, causes.add(cause));
      if (error.code === 'offline') isOffline = true;
      if (!isQuiet || !isKnown) say(error);
    },
    answered: ({ name }: MadeCall): void => {
      standing.delete(name);
      isOffline = false;
    },
  };
}
