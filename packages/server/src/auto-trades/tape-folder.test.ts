import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readTape, removeTape, tapeFolder } from './tape-folder.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-tapes-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const log = { error: vi.fn() };
const record = tapeFolder({ dataDir, recordTapes: true }, log as never)!;
const read = async (bot: string): Promise<string> => {
  let text = '';
  for await (const part of readTape({ dataDir }, bot)) text += String(part);
  return text;
};

test('a tape that cannot be opened is told of, and stops nobody', async () => {
  symlinkSync('bad.jsonl', join(dataDir, 'tapes', 'bad.jsonl'));
  for (let price = 1; price < 4; price += 1) expect(() => record('bad', { type: 'frozen', frozen: false })).not.toThrow();
  await vi.waitFor(() => expect(log.error).toHaveBeenCalledTimes(1));
  record('good', { type: 'frozen', frozen: true });
  await vi.waitFor(async () => expect(await read('good')).toBe('{"type":"frozen","frozen":true}\n'));
  removeTape({ dataDir }, 'good');
  expect(await read('good')).toBe('');
});
