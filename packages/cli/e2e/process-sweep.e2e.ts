import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pilotfish/core/testing/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProcessPipe } from './process-pipe.ts';
import { PROGRAM } from './process-terminal.ts';
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
  expect(resumed.stderr).toContain('3 sets are already done, 3 to go.');
  expect(JSON.parse(resumed.stdout)).toEqual(JSON.parse(whole.stdout));
  expect((await pilotfish(...words, ...sets, '--out', at('whole.jsonl'))).stderr).toContain('--resume');
  const other = await pilotfish(...words, '--set', 'stopLoss.pct=2', '--out', at('whole.jsonl'), '--resume');
  expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('belongs to another bot')]);
});

test('sweep: stopped by Ctrl-C, it shows what is done, keeps it in its file, and says so', async () => {
  const words = ['backtest', 'sweep', at('bot.yaml'), '--candles', at('BTCUSDT-1m.csv'), '--set', 'stopLoss.pct=2:60:0.02'];
  const env = { ...process.env, XDG_CONFIG_HOME: folder, LANG: 'en_US.UTF-8', PILOTFISH_URL: 'http://127.0.0.1:9' };
  const child = spawn(process.execPath, [PROGRAM, ...words, '--out', at('stopped.jsonl'), '--json'], { env, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = () => (existsSync(at('stopped.jsonl')) ? readFileSync(at('stopped.jsonl'), 'utf8').split('\n').slice(1, -1) : []);
  await until('three rows of the sweep', () => lines().length >= 3);
  child.kill('SIGINT');
  expect([await ended, stderr]).toEqual([130, expect.stringMatching(/^Stopped: \d+ of 2901 sets are done\. .*--resume/m)]);
  const said = JSON.parse(stdout) as { sets: number; planned: number; best: unknown[] };
  expect(said.sets).toBe(lines().length);
  expect(said).toMatchObject({ planned: 2901, best: expect.arrayContaining([expect.anything()]) as unknown });
  expect(said.sets).toBeLessThan(2901);
});
