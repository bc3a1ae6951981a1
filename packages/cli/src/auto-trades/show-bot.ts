import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { livePositions } from '@pilotfish/core/auto-trades/held-positions';
import type { Context } from '../app/context.ts';
import { Ended, UsageError } from '../app/failure.ts';
import { pricePlaces } from '../app/price-places.ts';
import { colours } from '../ui/colour.ts';
import { formatOf, printOne, printRows } from '../ui/output.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { type BotsClient, botsClient, findBot } from './find-bot.ts';
import { positionMarks, rowsOfMarks, standstills } from './position-marks.ts';

/** How many traces tell the story under a bot. */
const STORY = 8;

export async function show(context: Context, { bot, watch, yaml }: { bot: string; watch?: true; yaml?: true }): Promise<void> {
  if (watch && yaml) throw new UsageError('yamlOrWatch');
  const client = await botsClient(context);
  const { id, config } = await findBot(client, bot);
  if (yaml) {
    const [{ loadNames, toFile }, { toYaml }] = await Promise.all([import('./bot-names.ts'), import('./bot-yaml.ts')]);
    context.stdout.write(await toYaml(toFile(config, await loadNames(context))));
    return;
  }
  if (watch && formatOf(context) === 'table') {
    if (!context.stdin.isTTY) throw new UsageError('needsTerminal');
    const { watchBot } = await import('./watch-bot.tsx');
    const exit = await watchBot(context, client, id);
    if (exit !== 0) throw new Ended(exit);
    return;
  }
  if (watch) return streamBot(context, client, id);
  const detail = await client.getAutoTradeDetail({ params: { id } });
  if (formatOf(context) !== 'table') {
    const { bots } = await import('./bot-columns.ts');
    return printOne<AutoTradeDetail>(
      context,
      bots((key) => String(key)),
      detail,
    );
  }
  const [t, places] = await Promise.all([context.texts(), pricePlaces(context)]);
  const [{ bots, positions, traces }, { columnsOf, padded }] = await Promise.all([
    import('./bot-columns.ts'),
    import('../ui/text-columns.ts'),
  ]);
  const paint = colours(context, context.stdout);
  await printOne<AutoTradeDetail>(context, bots(t), detail);
  for (const sentence of standstills(t, detail)) context.stdout.write(`${paint.yellow(sentence)}\n`);
  const held = livePositions(detail);
  context.stdout.write('\n');
  await printRows(context, positions(t, detail.currency), held);
  const width = Math.max(0, ...held.map(({ symbol }) => columnsOf(symbol))) + 2;
  for (const position of held)
    for (const [index, row] of rowsOfMarks(
      positionMarks(t, position, places(position.symbol)),
      Math.max(40, widthOf(context) - width),
    ).entries())
      context.stdout.write(`${padded(index === 0 ? position.symbol : '', width)}${paint.dim(row)}\n`);
  const { items } = await client.listAutoTradeTraces({ params: { id }, query: { pageSize: STORY } });
  context.stdout.write('\n');
  await printRows(
    { ...context, globals: { ...context.globals, fields: ['at', 'symbol', 'kind', 'text'] } },
    traces(t, detail.currency),
    [...items].reverse(),
  );
}

/** For programs, one JSON line each: every change with its traces, and all that is so whenever changes may have been missed. */
async function streamBot(context: Context, client: BotsClient, id: string): Promise<void> {
  const [{ follow, sayingAndAsking, untilAnswered, untilEnd }, { codeOf }] = await Promise.all([
    import('../ui/stream.ts'),
    import('@pilotfish/core/http/problem'),
  ]);
  const ended = untilEnd(context);
  let gone: unknown;
  const detail = () =>
    client.getAutoTradeDetail({ params: { id } }).then(
      (found) => [found],
      (error: unknown) => {
        if (codeOf(error) !== 'not-found') throw error;
        gone = error;
        ended.abort();
        return [];
      },
    );
  // A change that comes while the state is asked for follows it: the last line is always the newest.
  let queue = Promise.resolve();
  const tell = (load: () => Promise<object[]> | object[]): void => {
    queue = queue.then(load).then((lines) => {
      for (const line of lines) context.stdout.write(`${JSON.stringify(line)}\n`);
    });
  };
  const again = () => tell(() => untilAnswered(detail, ended.signal));
  try {
    await follow(context, {
      topics: ['auto-trades'],
      signal: ended.signal,
      onStatus: sayingAndAsking(context, again),
      onReset: again,
      onMessage: (topic, payload) => {
        if (topic === 'auto-trades' && 'autoTradeId' in payload && payload.autoTradeId === id) tell(() => [payload]);
      },
    });
  } finally {
    ended.abort();
    await queue;
  }
  if (gone) throw gone;
}
