import type { AutoTrade, PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import {
  type AutoTradeConfig,
  type AutoTradeConfigInput,
  autoTradeConfigSchema,
} from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { Answer } from '@pilotfish/core/http/endpoint';
import type { FieldError } from '@pilotfish/core/http/problem';
import { AppError } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { ShownFailure } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { type Names, type Problem, toWire } from './bot-names.ts';
import type { BotSource, Draft } from './bot-source.ts';
import type { BotsClient } from './find-bot.ts';

export type Ladder = NonNullable<Answer<typeof import('@pilotfish/core/auto-trades/auto-trades-contract')['createAutoTrade']>['ladder']>;

/** What the server thinks of settings before they are saved. */
export type Checked = {
  /** Complete settings; undefined where something is broken. */
  readonly config: AutoTradeConfig | undefined;
  readonly problems: readonly Problem[];
  readonly ladder: Ladder | null;
  /** What open positions of the bot would change to. */
  readonly openPositions: readonly PositionChange[];
};

const broken = (problems: readonly Problem[]): Checked => ({ config: undefined, problems, ladder: null, openPositions: [] });

/**
 * Has the server judge settings without saving them: as a new bot, or in place of those of `bot`. The server knows
 * every rule and names each that is broken; a second check here could only disagree.
 */
export async function checkBot(
  client: BotsClient,
  draft: Draft,
  { names, t, bot, applyToOpen = false }: { names: Names; t: Translate; bot?: AutoTrade | undefined; applyToOpen?: boolean },
): Promise<Checked> {
  const { body: read, problems } = await toWire(draft, names, t);
  if (problems.length > 0) return broken(problems);
  const body = read as AutoTradeConfigInput;
  try {
    const said = bot
      ? await client.updateAutoTrade({ params: { id: bot.id }, body, query: { validateOnly: 'true', applyToOpen: String(applyToOpen) } })
      : await client.createAutoTrade({ body, query: { validateOnly: 'true' } });
    if (!said.valid) return broken(said.errors);
    return { config: autoTradeConfigSchema.parse(body), problems: [], ladder: said.ladder, openPositions: said.changes };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'invalid' || error.code === 'rules-violated') && error.fields.length > 0)
      return broken(error.fields);
    throw error;
  }
}

/** Names every broken setting by file, line and path; programs get the three apart. */
export async function refuseFiles(
  context: Context,
  wrong: readonly { readonly source: BotSource; readonly problems: readonly Problem[] }[],
): Promise<never> {
  const t = await context.texts();
  const isData = context.globals.json || context.globals.jsonl;
  const fields = wrong.flatMap(({ source: { file, lineOf }, problems }) =>
    problems.map((problem): FieldError & { file?: string; line?: number } => {
      const line = lineOf(problem.path);
      return isData ? { ...problem, file, line } : { ...problem, path: `${file}:${line} ${problem.path}`.trim() };
    }),
  );
  const files = new Set(wrong.map(({ source }) => source.file)).size;
  throw new ShownFailure({ code: 'rules-violated', detail: t('cli.bots.wrongFiles', { count: fields.length, files }), fields });
}
