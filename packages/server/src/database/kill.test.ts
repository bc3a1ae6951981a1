import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runs } from '@pilotfish/core/testing/tiers';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { sqliteFile } from './sqlite.ts';

const WRITER = fileURLToPath(new URL('./kill-writer.mjs', import.meta.url));
const ROUNDS = Number(process.env.PILOTFISH_KILL_ROUNDS ?? runs(100));

/** Runs one writer and kills it after `lines` acknowledged rows plus a moment; answers the highest acknowledged number. */
async function killedWriter(file: string, first: number, lines: number): Promise<number> {
  const child = spawn(process.execPath, [WRITER, file, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    seen += chunk.toString().split('\n').length - 1;
    // Bytes already in the pipe still arrive after the kill, so every acknowledgement is counted.
    if (seen >= lines) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  const whole = said.slice(0, said.lastIndexOf('\n') + 1).trim();
  return whole === '' ? first - 1 : Number(whole.split('\n').at(-1));
}

test(`kill -9 in the middle of writing, ${ROUNDS} rounds: no acknowledged row is lost`, { timeout: 180_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-kill-'));
  const file = sqliteFile(dataDir);
  await (await openDatabase({ dataDir })).close();
  let acknowledged = 0;
  let next = 1;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      acknowledged = await killedWriter(file, next, 1 + ((round * 37) % 101));
      const database = await openDatabase({ dataDir });
      const rows = await database.queries
        .selectFrom('throttles')
        .select('failures')
        .where('failures', '>=', next)
        .orderBy('failures')
        .execute();
      await database.close();
      const stored = rows.map((row) => row.failures);
      // Whatever is there has no gap, and reaches at least the last acknowledgement.
      expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => next + index));
      expect(next + stored.length - 1).toBeGreaterThanOrEqual(acknowledged);
      next += stored.length;
    }
    console.info(`${next - 1} rows, ${ROUNDS} kills, 0 acknowledged rows lost`);
    expect(next).toBeGreaterThan(ROUNDS);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
