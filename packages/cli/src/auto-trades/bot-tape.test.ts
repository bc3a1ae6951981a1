import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Context } from '../app/context.ts';
import { bundledPair } from '../backtest/find-pair.ts';
import { tape } from './bot-tape.ts';

const folder = mkdtempSync(join(tmpdir(), 'pilotfish-tape-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function context(recorded: string) {
  const said: string[] = [];
  let out = '';
  const client = {
    listAutoTrades: async () => [{ id: 'bot-1', name: 'Dip' }],
    downloadAutoTradeTape: async ({ params }: { params: { id: string } }) => (params.id === 'bot-1' ? recorded : ''),
  };
  const given = {
    client: async () => client,
    stdout: { write: (text: string) => (out += text) },
    say: async (key: string, values: object) => void said.push(`${key} ${JSON.stringify(values)}`),
  };
  return { given: given as unknown as Context, said, out: () => out };
}
const LINES = `${JSON.stringify({ type: 'activated', pairs: [bundledPair('BTCUSDT')] })}\n`;

test('prints a tape, or writes it where only its owner can read it', async () => {
  const printed = context(LINES);
  await tape(printed.given, { bot: 'dip', file: '-' });
  expect(printed.out()).toBe(LINES);
  const written = context(LINES);
  const file = join(folder, 'dip.jsonl');
  await tape(written.given, { bot: 'Dip', file });
  expect(readFileSync(file, 'utf8')).toBe(LINES);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(written.said[0]).toMatch(/^cli\.bots\.tape .*Dip/);
});

test('says when nothing was recorded, or the file cannot be written', async () => {
  await expect(tape(context('').given, { bot: 'Dip', file: '-' })).rejects.toMatchObject({ code: 'noTape' });
  await expect(tape(context(LINES).given, { bot: 'Dip', file: join(folder, 'no', 'dip.jsonl') })).rejects.toMatchObject({
    code: 'cannotWrite',
  });
});
