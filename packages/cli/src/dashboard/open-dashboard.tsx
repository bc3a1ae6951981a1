import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { colours } from '../ui/colour.ts';
import { openInkScreen } from '../ui/ink-screen.ts';
import { openDashboardData } from './dashboard-data.ts';
import { Refused, startDashboard, type Tab } from './dashboard-machine.ts';
import { perform } from './perform.ts';

/**
 * The full screen over the whole account, until it is left.
 * @throws UsageError `needsTerminal` in a pipe; AppError when nobody is signed in
 */
export async function openDashboard(context: Context, { tab = 'prices' }: { tab?: Tab }): Promise<void> {
  if (!context.stdin.isTTY || !context.stdout.isTTY) throw new UsageError('needsTerminal');
  const leaving = new AbortController();
  const [t, data, { DashboardView }, { alertPrinter }] = await Promise.all([
    context.texts(),
    openDashboardData(context, leaving.signal),
    import('./dashboard-view.tsx'),
    import('../price-alerts/read-alert.ts'),
  ]);
  const problemText = ({ code, detail }: ShownProblem) => (detail && detail !== code ? detail : t(`errors.${code}.detail`));
  const actor = startDashboard(tab, (action) =>
    perform(context, data, action).catch((error: unknown) => {
      // What was typed wrongly is told in words, as the command line tells it.
      throw error instanceof LocalFailure ? new Refused(`cli.failures.${error.code}`, error.values) : error;
    }),
  );
  // Whoever is signed out elsewhere leaves the screen and is told so.
  let refused: unknown;
  const following = data.follow().catch((error: unknown) => {
    refused = error;
    actor.send({ type: 'quit', exit: EXIT.notSignedIn });
  });
  const exit = await openInkScreen(context, (leave) => (
    <DashboardView
      actor={actor}
      data={data}
      t={t}
      language={context.language}
      unicode={context.unicode}
      paint={colours(context, context.stdout)}
      now={context.now}
      alertText={alertPrinter(t)}
      problemText={problemText}
      leave={leave}
    />
  ));
  leaving.abort();
  await following;
  if (refused) throw refused;
  if (exit !== EXIT.done) throw new Ended(exit);
}
