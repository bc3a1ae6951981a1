import { randomUUID } from 'node:crypto';
import type { Answer } from '@pilotfish/core/http/endpoint';
import {
  createCoinFilter,
  type FilterGroup,
  getFilterResults,
  type getFilterResults as Results,
} from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { formatOf, pickedRows, printRows } from '../ui/output.ts';
import { unchecked } from '../ui/unchecked.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { results } from './result-columns.ts';
import { namingRules } from './rule-problems.ts';
import { type Question, type QuestionFlags, readQuestion } from './screen-question.ts';

export type ScreenFlags = QuestionFlags & { limit?: string; page?: string; watch?: true; save?: string };
export type ScreenAnswer = Answer<typeof Results>;

const LARGEST_PAGE = 1000;

/** Pairs that satisfy the rules. */
export async function runScreen(context: Context, flags: ScreenFlags): Promise<void> {
  const pageSize = wholeNumber(flags.limit, '--limit') ?? 50;
  if (pageSize > LARGEST_PAGE) throw new UsageError('atMost', { flag: '--limit', most: LARGEST_PAGE });
  const page = wholeNumber(flags.page, '--page') ?? 1;
  const question = await readQuestion(context, flags);
  const client = await context.client({ getFilterResults: unchecked(getFilterResults) });
  const { filter, sort, columns } = question;
  const load = () =>
    namingRules(filter, () =>
      client.getFilterResults({ body: { ...(filter ? { filter } : {}), sort: [...sort], columns: [...columns], page, pageSize } }),
    );
  if (flags.watch) {
    if (flags.save !== undefined) await save(context, flags.save, question);
    const { watchScreen } = await import('./watch-screen.ts');
    return watchScreen(context, { first: await load(), load, options: question.options });
  }
  const answer = await load();
  const resource = results(answer.columns, question.options);
  if (formatOf(context) === 'json') {
    const items = pickedRows(context, resource, answer.items);
    context.stdout.write(`${JSON.stringify({ ...answer, items }, null, context.stdout.isTTY ? 2 : 0)}\n`);
  } else await printRows(context, resource, answer.items);
  await summary(context, answer);
  if (flags.save !== undefined) await save(context, flags.save, question);
}

/** How many there are, and how many could not be judged; on stderr, and only where someone reads it. */
async function summary(context: Context, answer: ScreenAnswer): Promise<void> {
  const { globals, stderr } = context;
  if (globals.json || globals.jsonl || globals.csv || !stderr.isTTY) return;
  stderr.write(`${await summaryText(context, answer)}\n`);
}

export async function summaryText(context: Context, { total, page, pageSize, tooLittleHistory }: ScreenAnswer): Promise<string> {
  const t = await context.texts();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return [
    t('screener.builder.matches', { count: total }),
    ...(pages > 1 ? [t('cli.screen.page', { page, pages })] : []),
    ...(tooLittleHistory > 0 ? [t('screener.builder.tooLittleHistory', { count: tooLittleHistory })] : []),
  ].join(' · ');
}

/** Quote asset of a coin filter: the one word of a rule about it, as long as every pair must satisfy it. */
export function quoteOf(filter: FilterGroup | undefined): string | undefined {
  if (!filter || filter.match === 'any' || filter.negate) return undefined;
  for (const rule of filter.rules) {
    if ('rules' in rule || rule.negate || rule.key !== 'quote' || rule.operation !== 'in') continue;
    if (Array.isArray(rule.value) && rule.value.length === 1) return String(rule.value[0]);
  }
  return undefined;
}

/** Keeps the rules and the order as a coin filter that bots can use. */
async function save(context: Context, name: string, { filter, sort }: Question): Promise<void> {
  const client = await context.client({ createCoinFilter });
  const quoteAsset = quoteOf(filter);
  const body = { name, sort: [...sort], ...(filter ? { conditions: filter } : {}), ...(quoteAsset ? { quoteAsset } : {}) };
  const saved = await namingRules(filter, () => client.createCoinFilter({ body }, { idempotencyKey: randomUUID() }));
  await context.say('cli.screen.saved', { name: saved.name, quote: saved.quoteAsset });
}
