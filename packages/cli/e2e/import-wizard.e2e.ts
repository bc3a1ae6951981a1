/** @module-tag smoke */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MachinePath, title } from '@pilotfish/core/testing/machine-paths';
import { importFileText, pathsOfEachImportStep } from '@pilotfish/core/testing/trade-import-paths';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';
import { openTerminal } from './terminal.ts';

// An import in a terminal: every step of its machine, typed, against a real server, and what leaving it leaves behind.

let stage: Stage;
let account: Account;
beforeAll(async () => {
  stage = await openStage();
  account = await openAccount();
  for (const name of ['plain.csv', 'zone.csv', 'mapping.csv', 'odd.csv', 'partly.csv'])
    writeFileSync(join(account.folder, name), importFileText(name));
});
afterAll(() => account?.close());

const BINANCE = '/bff/v2/import-trades/Binance';
const stored = async () => (await account.user.call<{ id: string }[]>(BINANCE)).body;
const DOWN = '\u001b[B';

/** Calls of an import go out when the path says how they end: the answer comes, or is lost. */
function heldCalls() {
  const held: ((isHeard: boolean) => void)[] = [];
  const waiting: ((end: (isHeard: boolean) => void) => void)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const method = init?.method ?? 'GET';
    if (!url.includes(BINANCE) || method === 'GET') return globalThis.fetch(input, init);
    const isHeard = await new Promise<boolean>((end, abort) => {
      const next = waiting.shift();
      if (next) next(end);
      else held.push(end);
      init?.signal?.addEventListener('abort', () => abort(new DOMException('left', 'AbortError')));
    });
    const isCommit = url.includes('commit=true');
    const answer = isHeard || isCommit ? await globalThis.fetch(input, init) : undefined;
    if (!isHeard || !answer) throw new TypeError('fetch failed');
    return answer;
  };
  const end = async (isHeard: boolean) => {
    const call = held.shift() ?? (await new Promise<(isHeard: boolean) => void>((resolve) => waiting.push(resolve)));
    call(isHeard);
  };
  return { fetch, end, drop: () => held.splice(0) };
}

const QUESTIONS: Readonly<Record<string, RegExp>> = {
  idle: /File to import:$/,
  reading: /Reading [a-z]+\.csv …$/,
  zone: /Which time zone[^\n]*Enter\]\n[\s\S]*❯ UTC\n[\s\S]*$/,
  mapping: /Time: which column\?[^\n]*\n❯ When \(UTC\)\n[\s\S]*$/,
  operations: /What is “Night Market Gift”[^\n]*\n❯ A deposit or withdrawal\n[\s\S]*$/,
  preview: /Import 2 rows[^\n]*\? \[y\/N\]$/,
  committing: /Working…$/,
  notCommitted: /may or may not have been stored[^\n]*\nWhat now\?[^\n]*\n❯ Try again\n[\s\S]*$/,
  failed: /What now\?[^\n]*\n❯ Try again\n[^\n]*Another file\n[\s\S]*$/,
  done: /Imported\. What now\?[^\n]*\n❯ Finish\n[\s\S]*$/,
  undoing: /Working…$/,
};

describe('the import wizard, every step', () => {
  test.each(pathsOfEachImportStep.map((path): [string, MachinePath] => [title(path), path]))('%s', async (_, path) => {
    const calls = heldCalls();
    const terminal = openTerminal(
      ['import'],
      { ...account.env },
      { rows: 60, columns: 120 },
      { now: stage.server.now, fetch: calls.fetch },
    );
    let before = 'idle';
    for (const { event, state } of path.steps) {
      const { type, ...said } = event as { type: string; file?: { name: string } };
      switch (type) {
        case 'xstate.init':
          break;
        case 'file.chosen':
          if (before !== 'idle') terminal.type(`${DOWN}\r`);
          await terminal.see(/File to import:$/);
          terminal.type(`${join(account.folder, said.file?.name ?? '')}\r`);
          break;
        case 'zone.given':
          terminal.type(`${DOWN.repeat(3)}\r`);
          break;
        case 'mapping.given':
          // One after the other as the file has them; the fee has a column too, the rest has none.
          terminal.type(`${'\r'.repeat(6)}${DOWN}\r${'\r'.repeat(4)}`);
          break;
        case 'operations.given':
          terminal.type(`${DOWN}\r`);
          break;
        case 'commit.asked':
          terminal.type('y\r');
          break;
        case 'retry.asked':
          terminal.press('enter');
          break;
        case 'undo.asked':
          terminal.type(`${DOWN.repeat(2)}\r`);
          break;
        case 'import.left':
          terminal.press('escape');
          break;
        default:
          await calls.end(type.startsWith('xstate.done.'));
      }
      before = String(state.value);
      await terminal.see(QUESTIONS[before]!);
      if (type === 'xstate.done.actor.undo') await terminal.see('2 rows taken back.');
    }
    terminal.press('ctrl-c');
    expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
    for (const { id } of await stored()) await account.user.call(`${BINANCE}/${id}`, { method: 'DELETE' });
  });
});

describe('one file, by a person', () => {
  const open = (words: readonly string[]) => account.open(words, { rows: 60, columns: 200 });

  test('a file that is not there is asked for again, a no stores nothing, a yes says how to take it back', async () => {
    const terminal = open(['import']);
    await terminal.see(/File to import:$/);
    terminal.type(`${join(account.folder, 'none.csv')}\r`);
    await terminal.see(/none\.csv cannot be read[\s\S]*\nFile to import:$/);
    terminal.type(`${join(account.folder, 'partly.csv')}\r`);
    await terminal.see(/the time cannot be read[\s\S]*Import 2 rows and leave out 1[^\n]*\[y\/N\]$/);
    expect(await stored()).toEqual([]);
    terminal.press('enter');
    await terminal.see(/\[y\/N\] *\nFile to import:$/);
    expect(await stored()).toEqual([]);
    terminal.type(`${join(account.folder, 'partly.csv')}\r`);
    await terminal.see(/File to import: [^\n]*\n[\s\S]*File to import: [^\n]*\n[\s\S]*Import 2 rows[^\n]*\[y\/N\]$/);
    terminal.type('y\r');
    await terminal.see(/❯ Finish/);
    terminal.press('enter');
    expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
    const [batch] = await stored();
    expect(terminal.screen()).toContain(`pilotfish imports undo ${batch?.id}`);
    await account.user.call(`${BINANCE}/${batch?.id}`, { method: 'DELETE' });
  });

  test('a file named on the command line is read at once, with what the flags say of it', async () => {
    const terminal = open(['import', join(account.folder, 'zone.csv'), '--zone', 'UTC+3', '--lang', 'tr']);
    await terminal.see(/2 satır [^\n]*\[e\/H\]$/);
    expect(terminal.raw()).not.toContain('UTC-12');
    terminal.press('ctrl-c');
    expect(await terminal.ended()).toMatchObject({ exitCode: 130 });
    expect(await stored()).toEqual([]);
  });

  test('without a terminal nothing is asked: the file and what is missing are named', async () => {
    const nameless = await account.pipe.run(['import']);
    expect(nameless).toMatchObject({ exit: 2, stderr: expect.stringContaining('<file>') });
    const zoneless = await account.pipe.run(['import', join(account.folder, 'zone.csv')]);
    expect(zoneless).toMatchObject({ exit: 2, stderr: expect.stringContaining('--zone') });
    const preview = await account.pipe.run(['import', join(account.folder, 'plain.csv')]);
    expect(preview).toMatchObject({ exit: 0, stderr: expect.stringContaining('--commit') });
    expect(await stored()).toEqual([]);
  });
});
