import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import { expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';

// Order ids begin with the start of the server that placed them. A tape goes on through a restart: the start is told
// with the activation, and what is replayed of both starts is what was decided in each.

const stage = botStageOfEachTest({
  wallet: '5000',
  config: { stopLoss: { mode: 'percent', pct: '40' }, cooldown: { afterWinMin: 600, afterLossMin: 600 } },
  tapes: true,
});
const { enabled, traces, detail, until, isIn, untilStory } = stage;

test('a tape replays to the same traces, order ids of both starts among them, across a restart', async () => {
  const bot = await enabled();
  await until('an open position', isIn(bot, 'Open'));
  await stage.server.restart();
  await until('the bot being at work', async () => (await detail(bot)).evaluations.length > 0, 0);
  const { id } = (await detail(bot)).positions[0]!;
  await stage.user.call(`/bff/v2/auto-trades/${bot.id}/positions/${id}/sell`, { method: 'POST', body: {} });
  await untilStory(bot, 'Exit Manual');

  const recorded = (await traces(bot)).map(({ id: _id, recordedAt: _recordedAt, ...trace }) => trace);
  await until('the tape being on disk', async () => stage.replayed(bot).length >= recorded.length, 0);
  expect(stage.replayed(bot)).toEqual(recorded);

  const records = readFileSync(join(stage.server.dataDir, 'tapes', `${bot.id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const starts = records
    .map((line) => JSON.parse(line) as TapeRecord)
    .flatMap((record) => (record.type === 'activated' ? [record.orderPrefix ?? ''] : []));
  const orderOf = (kind: 'Buy' | 'Sell') => recorded.find((trace) => trace.kind === kind)?.clientOrderId ?? '';
  expect(new Set(starts).size).toBe(2);
  expect(orderOf('Buy').startsWith(starts.at(0) ?? '-')).toBe(true);
  expect(orderOf('Sell').startsWith(starts.at(-1) ?? '-')).toBe(true);
});
