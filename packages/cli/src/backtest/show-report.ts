import { readFileSync } from 'node:fs';
import { type BacktestDocument, backtestDocumentSchema } from '@pilotfish/core/backtest/backtest-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { traces } from '../auto-trades/bot-columns.ts';
import { printRows } from '../ui/output.ts';
import { readStdin } from '../ui/prompt.ts';
import { printReport, writeReport } from './run-backtest.ts';

/** Shows a saved report, or makes a page of it. */
export async function show(context: Context, options: { reportFile: string; report?: string; traces?: true }): Promise<void> {
  const document = await readReport(context, options.reportFile);
  if (options.report !== undefined) await writeReport(context, options.report, document);
  if (!options.traces) return printReport(context, document);
  await printRows(
    context,
    traces(await context.texts(), document.quoteAsset),
    document.positions.flatMap((position) => position.traces),
  );
}

async function readReport(context: Context, file: string): Promise<BacktestDocument> {
  let text: string;
  try {
    text = file === '-' ? await readStdin(context) : readFileSync(file, 'utf8');
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new LocalFailure('cannotRead', { file, reason }, { exit: EXIT.usage, cause: error });
  }
  try {
    return backtestDocumentSchema.parse(JSON.parse(text));
  } catch (error) {
    const issue = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues?.[0];
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : (error as Error).message;
    throw new LocalFailure('notReport', { file, reason }, { exit: EXIT.usage, cause: error });
  }
}
