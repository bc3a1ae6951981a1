import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPipe, type Pipe } from './pipe.ts';
import { type Account, openAccount } from './stage.ts';

// Bots kept as files: plan, yes, nothing left to do; broken files by file, line and setting; the editor; versions.

let account: Account;
let user: SignedInUser;
let folder: string;
let files: string;
let pipe: Pipe;

beforeAll(async () => {
  account = await openAccount();
  ({ user, folder } = account);
  files = join(folder, 'bots');
  mkdirSync(files);
  // What an editor leaves behind is kept beside it.
  pipe = openPipe({ ...account.env, TMPDIR: folder });
  expect((await pipe.run(['wallets', 'add', 'Main', '--balance', '5000'])).exit).toBe(0);
  expect((await pipe.run(['filters', 'add', 'Two coins', '--include', 'BTCUSDT,ETHUSDT', '--max-coins', '2'])).exit).toBe(0);
});
afterAll(() => account?.close());

const dip = `name: Dip
wallet: Main
coins: [BTCUSDT, ETHUSDT]
entry:
  size: { mode: fixed, value: 100 }
  trigger: { kind: drop, dropPct: 3, lookbackMin: 240 }
takeProfit: { levels: [{ gainPct: 4, sellPct: 100 }] }
stopLoss: { mode: percent, pct: 5 }
`;
const oversold = `# Oversold coins of a filter
name: Oversold
wallet: Main
coins: { filters: [Two coins] }
timeframe: 1h
entry:
  size: { mode: fixed, value: 50 }
  trigger:
    kind: conditions
    rules:
      - rsi.1h < 30
      - any(quoteVolume > 1M; change.24h < -5)
exit:
  conditions: rsi.1h > 70 and change.24h > 1
stopLoss: { mode: none }
`;
const write = (name: string, text: string) => writeFileSync(join(files, name), text);
const bots = async () => (await user.call<AutoTrade[]>('/bff/v2/auto-trades')).body;
const named = async (name: string) => (await bots()).find((each) => each.name === name)!;
type Plan = { bots: { name: string; action: string; diff: { path: string }[] }[]; unlisted: { name: string }[] };

test('a plan first; with yes it is done; a second time there is nothing to do', { tags: ['smoke'] }, async () => {
  write('dip.yaml', dip);
  write('oversold.yml', oversold);
  const planned = await pipe.run(['bots', 'apply', '-f', files]);
  expect(planned).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
  expect(planned.stdout).toMatch(/\+ create {2}Dip[\s\S]*entry\.size\.value +15 → 100[\s\S]*\+ create {2}Oversold/);
  expect(await bots()).toEqual([]);
  const dry = await pipe.run(['bots', 'apply', '-f', files, '--dry-run', '--json']);
  expect(dry.exit).toBe(1);
  expect((JSON.parse(dry.stdout) as Plan).bots.map(({ name, action }) => `${action} ${name}`)).toEqual(['create Dip', 'create Oversold']);
  expect(await bots()).toEqual([]);

  expect(await pipe.run(['bots', 'apply', '-f', files, '--yes'])).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('Oversold is created'),
  });
  expect((await named('Oversold')).config).toMatchObject({
    coins: { symbols: [], coinFilterIds: [expect.any(String)] },
    entry: { trigger: { rules: { match: 'all', rules: [{ key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 }, { match: 'any' }] } } },
    exit: { conditions: { match: 'all', rules: [{ key: 'rsi' }, { key: 'change' }] } },
  });
  const again = await pipe.run(['bots', 'apply', '-f', files, '--yes']);
  expect(again).toMatchObject({ exit: 0, stderr: expect.stringContaining('Nothing to do: 2 bots') });
  expect(again.stdout).toMatch(/= nothing {2}Dip/);
  expect((await pipe.run(['bots', 'apply', '-f', files, '--dry-run'])).exit).toBe(0);
  expect((await bots()).map(({ configVersion }) => configVersion)).toEqual([1, 1]);
});

test('what show prints as YAML is the bot: applied, it changes nothing; under another name it is a twin', { tags: ['smoke'] }, async () => {
  for (const name of ['Dip', 'Oversold']) {
    const { stdout } = await pipe.run(['bots', 'show', name, '--yaml']);
    expect(await pipe.run(['bots', 'apply', '-f', '-'], { input: stdout })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Nothing to do'),
    });
    expect(await pipe.run(['bots', 'create', '-f', '-', '--name', `${name} 2`], { input: stdout })).toMatchObject({ exit: 0 });
    const [one, twin] = [await named(name), await named(`${name} 2`)];
    expect(twin.config).toEqual({ ...one.config, name: `${name} 2` });
  }
});

test('a duplicate has the settings of its original and a free name, is disabled, and asks nothing', async () => {
  const made = await pipe.run(['bots', 'duplicate', 'Dip', '--json']);
  expect(made).toMatchObject({ exit: 0, stderr: expect.stringContaining('Dip copy is created with the same settings, disabled.') });
  const [one, copy] = [await named('Dip'), await named('Dip copy')];
  expect(copy).toMatchObject({ state: 'Disabled', config: { ...one.config, name: 'Dip copy' } });
  const taken = await pipe.run(['bots', 'duplicate', 'Dip', '--name', 'Dip copy']);
  expect(taken.exit).not.toBe(0);
  for (const name of ['Dip copy']) expect((await pipe.run(['bots', 'rm', name, '--yes'])).exit).toBe(0);
});

test('a changed file is a difference, told field by field and asked for on a terminal', async () => {
  write('dip.yaml', dip.replace('dropPct: 3', 'dropPct: 2.5').replace('pct: 5', 'pct: 6'));
  const terminal = account.open(['bots', 'apply', '-f', files], { columns: 110, rows: 30 });
  const screen = await terminal.see(/Apply\? \[y\/N\]/);
  expect(screen).toMatch(/~ change {2}Dip/);
  expect(screen).toMatch(/entry\.trigger\.dropPct +3 → 2\.5/);
  expect(screen).toMatch(/stopLoss\.pct +5 → 6/);
  expect(screen).toContain('0 to create, 1 to change.');
  expect(terminal.raw()).toContain('\u001b[31m3\u001b[39m → \u001b[32m2.5');
  terminal.type('n\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 1 });
  expect((await named('Dip')).configVersion).toBe(1);
  const turkish = account.open(['bots', 'apply', '-f', files, '--lang', 'tr'], { columns: 110 }, { NO_COLOR: '1' });
  await turkish.see(/~ değiştir {2}Dip[\s\S]*Uygulansın mı\?/);
  turkish.type('e\r');
  expect(await turkish.ended()).toMatchObject({ exitCode: 0 });
  expect((await named('Dip')).config).toMatchObject({ entry: { trigger: { dropPct: '2.5' } }, stopLoss: { pct: '6' } });
});

test('versions, and what differs between them', async () => {
  const list = await pipe.json<{ version: number; changed: string[] }[]>(['bots', 'versions', 'Dip']);
  expect(list).toMatchObject([
    { version: 2, changed: ['entry.trigger.dropPct', 'stopLoss.pct'] },
    { version: 1, changed: [] },
  ]);
  // A chosen field is what the API says, not the text of its column.
  expect(await pipe.json(['bots', 'versions', 'Dip', '--fields', 'version,changed'])).toMatchObject([
    { version: 2, changed: ['entry.trigger.dropPct', 'stopLoss.pct'] },
    { version: 1, changed: [] },
  ]);
  expect((await pipe.run(['bots', 'diff', 'Dip', 'v1', 'v2'])).stdout).toBe('entry.trigger.dropPct\t3\t2.5\nstopLoss.pct\t5\t6\n');
  expect(await pipe.json(['bots', 'diff', 'Dip', '2', '1'])).toContainEqual({ path: 'stopLoss.pct', before: '6', after: '5' });
  expect(await pipe.run(['bots', 'diff', 'Dip', '1', '9'])).toMatchObject({ exit: 7, stderr: expect.stringContaining('the newest is 2') });
});

test('broken files name the file, the line and the setting, all at once; nothing is saved', async () => {
  const wrong = join(folder, 'wrong');
  mkdirSync(wrong);
  writeFileSync(join(wrong, 'a.yaml'), dip.replace('name: Dip', 'name: A').replace('value: 100', 'value: 0.5'));
  writeFileSync(join(wrong, 'b.yaml'), `${dip.replace('name: Dip', 'name: B').replace('wallet: Main', 'wallet: Mian')}sizes: 4\n`);
  writeFileSync(join(wrong, 'c.yaml'), oversold.replace('name: Oversold', 'name: C').replace('rsi.1h < 30', 'rsy.1h < 30'));
  const run = await pipe.run(['bots', 'validate', '-f', wrong]);
  expect(run).toMatchObject({ exit: 2, stdout: '' });
  expect(run.stderr).toContain(`${join(wrong, 'a.yaml')}:5 entry.size`);
  expect(run.stderr).toContain(`${join(wrong, 'b.yaml')}:2 wallet: There is no wallet Mian`);
  expect(run.stderr).toMatch(/c\.yaml:11 entry\.trigger\.rules\.0: rsy\.1h < 30: .*Did you mean rsi\?/);
  const problem = JSON.parse((await pipe.run(['bots', 'apply', '-f', wrong, '--yes', '--json'])).stderr) as {
    code: string;
    errors: object[];
  };
  expect(problem).toMatchObject({ code: 'rules-violated', status: 422 });
  expect(problem.errors).toContainEqual(expect.objectContaining({ path: 'wallet', file: join(wrong, 'b.yaml'), line: 2 }));
  writeFileSync(join(wrong, 'b.yaml'), 'name: B\ncoins: [BTCUSDT\nwallet: Main\n');
  expect(await pipe.run(['bots', 'apply', '-f', wrong, '--yes'])).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/b\.yaml:\d is neither YAML/),
  });
  writeFileSync(join(wrong, 'b.yaml'), `${dip.replace('name: Dip', 'name: B')}sizes: 4\n`);
  expect((await pipe.run(['bots', 'validate', '-f', join(wrong, 'b.yaml')])).stderr).toContain('sizes');
  expect((await bots()).map(({ name }) => name).sort()).toEqual(['Dip', 'Dip 2', 'Oversold', 'Oversold 2']);
});

/** An editor that does with the file whatever a shell line says; `$1` is the file, `$n` how often it was opened. */
function editor(line: string): string {
  const [script, count] = [join(folder, 'editor.sh'), join(folder, 'opened')];
  rmSync(count, { force: true });
  writeFileSync(script, `#!/bin/sh\necho x >> ${count}\nn=$(wc -l < ${count})\n${line}\n`);
  chmodSync(script, 0o700);
  return script;
}

test('the editor: errors come back above their lines, the difference is shown, and the right version is saved', async () => {
  const seen = join(folder, 'seen.yaml');
  const line = `if [ $n -eq 1 ]; then sed -i 's/reboundPct: 0.5/reboundPct: 0.01/' "$1"; else cp "$1" ${seen}; sed -i 's/reboundPct: 0.01/reboundPct: 0.7/' "$1"; fi`;
  const terminal = account.open(['bots', 'edit', 'Dip'], { columns: 110 }, { TMPDIR: folder, EDITOR: editor(line) });
  const screen = await terminal.see(/Save Dip\? \[y\/N\]/);
  expect(screen).toContain('the editor opens again');
  expect(screen).toMatch(/entry\.trailing\.reboundPct +0\.5 → 0\.7/);
  terminal.type('y\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  const lines = readFileSync(seen, 'utf8').split('\n');
  const at = lines.findIndex((text) => text.trim() === 'reboundPct: 0.01');
  expect(lines[at - 1]).toMatch(/^ +#! entry\.trailing\.reboundPct: /);
  expect(await named('Dip')).toMatchObject({ configVersion: 3, config: { entry: { trailing: { reboundPct: '0.7' } } } });
});

test('the editor: unchanged is no change; errors left as they are end it, and what was typed is kept', async () => {
  const run = (line: string) => pipe.run(['bots', 'edit', 'Dip', '--yes'], { env: { EDITOR: editor(line), VISUAL: '' } });
  expect(await run(':')).toMatchObject({ exit: 0, stderr: expect.stringContaining('Dip is unchanged') });
  expect(await run('exit 3')).toMatchObject({ exit: 1, stderr: expect.stringContaining('ended with 3') });
  const broken = await run(`if [ $n -eq 1 ]; then sed -i 's/wallet: Main/wallet: Mine/' "$1"; fi`);
  expect(broken).toMatchObject({ exit: 1, stderr: expect.stringContaining('nothing was saved') });
  const kept = /kept in (\S+)/.exec(broken.stderr)?.[1] ?? '';
  expect(readFileSync(kept, 'utf8')).toMatch(/#! wallet: There is no wallet Mine[\s\S]*wallet: Mine/);
  // Someone else saves meanwhile: theirs stays, and what was typed is kept.
  const other = `sed -i 's/lookbackMin: 240/lookbackMin: 100/' "$1"; node -e '
    const [url, token, body] = [process.env.PILOTFISH_URL, process.env.PILOTFISH_TOKEN, process.env.OTHER];
    fetch(url + process.env.BOT, { method: "PUT", headers: { authorization: "Bearer " + token, "content-type": "application/json" }, body }).then((a) => process.exit(a.ok ? 0 : 1));'`;
  const { id, config } = await named('Dip');
  const conflict = await pipe.run(['bots', 'edit', 'Dip', '--yes'], {
    env: { EDITOR: editor(other), VISUAL: '', BOT: `/bff/v2/auto-trades/${id}`, OTHER: JSON.stringify({ ...config, maxOpenPositions: 2 }) },
  });
  expect(conflict).toMatchObject({ exit: 8, stderr: expect.stringContaining('kept in') });
  expect(existsSync(/kept in (\S+)/.exec(conflict.stderr)?.[1] ?? '')).toBe(true);
  expect((await named('Dip')).config).toMatchObject({ maxOpenPositions: 2, entry: { trigger: { lookbackMin: 240 } } });
  // A script that cannot be asked is told so before the editor opens.
  expect(await pipe.run(['bots', 'edit', 'Dip'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
});

test('bots that no file names are told of, and deleted only by a word of its own', async () => {
  write('dip.yaml', (await pipe.run(['bots', 'show', 'Dip', '--yaml'])).stdout);
  const told = await pipe.run(['bots', 'apply', '-f', files, '--prune', '--yes']);
  expect(told).toMatchObject({ exit: 0, stderr: expect.stringContaining('--delete-pruned') });
  expect(told.stdout).toMatch(/\? in no file {2}Dip 2[\s\S]*\? in no file {2}Oversold 2/);
  expect(await bots()).toHaveLength(4);
  const asked = account.open(['bots', 'apply', '-f', files, '--prune', '--yes'], { columns: 110 });
  await asked.see(/Delete them\?.*\[y\/N\]/);
  asked.type('\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 0 });
  expect(await bots()).toHaveLength(4);
  expect((await pipe.run(['bots', 'apply', '-f', files, '--prune', '--delete-pruned', '--yes'])).exit).toBe(0);
  expect((await bots()).map(({ name }) => name).sort()).toEqual(['Dip', 'Oversold']);
});

test('wallets and filters: what they hold, and what keeps them', async () => {
  expect(await pipe.json(['wallets', 'withdraw', 'Main', '1000', '--note', 'rent'])).toMatchObject({ free: '4000' });
  expect(await pipe.json(['wallets', 'ledger', 'Main', '--kind', 'withdraw'])).toMatchObject([{ kind: 'withdraw', note: 'rent' }]);
  expect((await pipe.run(['wallets', 'withdraw', 'Main', '9000'])).exit).toBe(8);
  expect((await pipe.run(['wallets', 'withdraw', 'Main', '0'])).exit).toBe(2);
  expect((await pipe.run(['filters', 'coins', 'Two coins'])).stdout.split('\n').filter(Boolean).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  const kept = await pipe.run(['filters', 'rm', 'Two coins', '--yes']);
  expect(kept.exit).toBe(8);
  expect(kept.stderr).toContain('Oversold');
});

test('a backtest understands the same file, conditions in words included', async () => {
  const begin = Date.UTC(2026, 0, 1);
  const lines = Array.from({ length: 3000 }, (_, n) => {
    const [at, price] = [begin + n * 60_000, 100_000 + 50 * (n % 40)];
    return [at, price, price + 20, price - 20, price, 50, at + 59_999, 50 * price, 100, 25, 25 * price, 0].join(',');
  });
  const candles = join(folder, 'BTCUSDT-1m.csv');
  writeFileSync(candles, `${lines.join('\n')}\n`);
  const file = join(folder, 'words.yaml');
  const words = (rules: string) => writeFileSync(file, dip.replace(/trigger: .*/, `trigger: { kind: conditions, rules: "${rules}" }`));
  words('price > 1 and price < 1M');
  const report = await pipe.run(['backtest', 'run', file, '--candles', candles, '--no-checks', '--json']);
  expect(report.stderr).not.toMatch(/Error|"status"/);
  expect(report.exit).toBe(0);
  expect((JSON.parse(report.stdout) as { positions: unknown[] }).positions.length).toBeGreaterThan(0);
  words('prise > 1');
  const wrong = await pipe.run(['backtest', 'run', file, '--candles', candles]);
  expect(wrong).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/words\.yaml: entry\.trigger\.rules: prise > 1: .*Did you mean price\?/),
  });
});
