import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProcessPipe } from './process-pipe.ts';
import { dump, WAVE } from './waves.ts';

// A sweep runs on threads that load the built program.

let folder: string;
const at = (name: string) => join(folder, name);
const pilotfish = (...words: string[]) =>
  openProcessPipe({ XDG_CONFIG_HOME: folder, PILOTFISH_URL: 'http://127.0.0.1:9' }).run(['backtest', ...words]);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-sweep-'));
  writeFileSync(at('BTCUSDT-1m.csv'), dump(8000, 60_000));
  writeFileSync(at('bot.yaml'), WAVE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('sweep: best sets with their held-out part; what was cut off is resumed, and the whole is the same', async () => {
  const words = ['sweep', at('bot.yaml'), '--candles', at('BTCUSDT-1m.csv')];
  const sets = ['--set', 'takeProfit.levels.0.gainPct=0.6:1.4:0.4', '--set', 'stopLoss.pct=2,3'];
  const whole = await pilotfish(...words, ...sets, '--out', at('whole.jsonl'), '--json');
  expect(whole.exit, whole.stderr).toBe(0);
  const said = JSON.parse(whole.stdout) as { sets: number; best: { values: string[]; inSample: unknown; heldOut: unknown }[] };
  expect(said.sets).toBe(6);
  expect(said.best).toHaveLength(6);
  expect(said.best.every(({ inSample, heldOut }) => inSample !== null && heldOut !== null)).toBe(true);
  const lines = readFileSync(at('whole.jsonl'), 'utf8').split('\n');
  writeFileSync(at('part.jsonl'), `${lines.slice(0, 4).join('\n')}\n{"index":4,"val`);
  const resumed = await pilotfish(...words, ...sets, '--out', at('part.jsonl'), '--resume', '--workers', '1', '--json');
  expect(resumed.stderr).toContain('3 sets are done already, 3 to go.');
  expect(JSON.parse(resumed.stdout)).toEqual(JSON.parse(whole.stdout));
  expect((await pilotfish(...words, ...sets, '--out', at('whole.jsonl'))).stderr).toContain('--resume');
  const other = await pilotfish(...words, '--set', 'stopLoss.pct=2', '--out', at('whole.jsonl'), '--resume');
  expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('is about another bot')]);
});
