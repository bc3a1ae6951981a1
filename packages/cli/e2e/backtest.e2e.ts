import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { backtestDocumentSchema } from '@pilotfish/core/backtest/backtest-contract';
import { digits } from '@pilotfish/core/money/figure';
import { MARKET_START } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPipe } from './pipe.ts';
import { openStage } from './stage.ts';
import { openTerminal } from './terminal.ts';
import { dump, WAVE } from './waves.ts';

// Backtests from the command line, without a server: run, report as JSON and as a page, and what is refused.

let folder: string;
let env: Record<string, string>;
const at = (name: string) => join(folder, name);

const runWith = (more: Record<string, string>, ...words: string[]) => openPipe(env).run(['backtest', ...words], { env: more });
const pilotfish = (...words: string[]) => runWith({}, ...words);

/** A ZIP of one file, as the archive packs it. */
function zipped(name: string, text: string): Buffer {
  const content = deflateRawSync(text);
  const title = Buffer.from(name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt16LE(title.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(content.length, 20);
  entry.writeUInt16LE(title.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(30 + title.length + content.length, 16);
  return Buffer.concat([local, title, content, entry, title, end]);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-backtest-'));
  // Nothing listens there: a backtest needs no server.
  env = { XDG_CONFIG_HOME: folder, PILOTFISH_URL: 'http://127.0.0.1:9' };
  const btc = dump(8000, 60_000);
  writeFileSync(at('BTCUSDT-1m.csv'), btc);
  writeFileSync(at('BTCUSDT-1m.csv.gz'), gzipSync(btc));
  writeFileSync(at('BTCUSDT-1m.zip'), zipped('BTCUSDT-1m.csv', btc));
  writeFileSync(at('ETHUSDT-1m.csv'), dump(8000, 3000));
  writeFileSync(at('bot.yaml'), WAVE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('pilotfish backtest', () => {
  test('run: one JSON document, the same from plain text, gzip and zip, nothing else on stdout', { tags: ['smoke'] }, async () => {
    const documents: unknown[] = [];
    for (const file of ['BTCUSDT-1m.csv', 'BTCUSDT-1m.csv.gz', 'BTCUSDT-1m.zip']) {
      const run = await pilotfish('run', at('bot.yaml'), '--candles', at(file), '--json');
      expect(run.exit, run.stderr).toBe(0);
      expect(run.stderr).not.toContain('\u001b');
      documents.push(JSON.parse(run.stdout));
    }
    const report = backtestDocumentSchema.parse(documents[0]);
    expect(documents[1]).toEqual(documents[0]);
    expect(documents[2]).toEqual(documents[0]);
    expect(report.name).toBe('Wave');
    expect(report.trades).toBeGreaterThan(3);
    expect(report.from).toBe('2025-01-01T00:00:00.000Z');
    expect(report.checks?.prefix).toEqual({ passed: true, sampled: 20, failedAt: null });
    expect(report.positions.filter(({ closedAt, buys }) => closedAt !== null && buys > 0)).toHaveLength(report.trades);
  });

  test('run with several coins and --report: a page that loads nothing and says the numbers of the JSON', async () => {
    const words = ['run', at('bot.yaml'), '--candles', at('BTCUSDT-1m.csv'), '--candles', at('ETHUSDT-1m.csv')];
    const run = await pilotfish(...words, '--report', at('report.html'), '--json');
    expect(run.exit, run.stderr).toBe(0);
    const report = backtestDocumentSchema.parse(JSON.parse(run.stdout));
    expect(report.symbols).toEqual(['BTCUSDT', 'ETHUSDT']);
    const page = readFileSync(at('report.html'), 'utf8');
    expect(page).not.toMatch(/<script|<link|src=|url\(|https?:/);
    for (const key of ['netPnl', 'returnPct', 'fees', 'endValue'] as const)
      expect(page).toContain(`data-key="${key}" data-value="${digits(report[key])}"`);
    expect(page.match(/<svg/g)).toHaveLength(4);
    expect(page.match(/<tr><td/g)).toHaveLength(report.positions.filter(({ buys }) => buys > 0).length);
    // The saved report makes the same page again, in the language that is asked for.
    writeFileSync(at('report.json'), run.stdout);
    expect((await pilotfish('report', at('report.json'), '--report', at('again.html'))).exit).toBe(0);
    expect(readFileSync(at('again.html'), 'utf8')).toBe(page);
    await pilotfish('report', at('report.json'), '--report', at('tr.html'), '--lang', 'tr');
    expect(readFileSync(at('tr.html'), 'utf8')).toContain('<html lang="tr">');
  });

  test('run over the candles of a server, several pages of them, of several pairs', async () => {
    const { server } = await openStage();
    const day = 86_400_000;
    const to = Math.floor(MARKET_START / day) * day;
    const [first, last] = [to - 2 * day, to].map((at) => new Date(at).toISOString().slice(0, 10)) as [string, string];
    const words = ['run', at('bot.yaml'), '--pair', 'BTCUSDT,ETHUSDT', '--from', first, '--to', last, '--json'];
    const run = await runWith({ PILOTFISH_URL: server.url }, ...words);
    expect(run.exit, run.stderr).toBe(0);
    const report = backtestDocumentSchema.parse(JSON.parse(run.stdout));
    expect(report).toMatchObject({ symbols: ['BTCUSDT', 'ETHUSDT'], bars: 2880, from: new Date(to - 2 * day).toISOString() });
    expect(run.stderr).toContain(`Rules of BTCUSDT from ${server.url}`);
  });

  test('run on a terminal draws its progress and cleans up after itself', async () => {
    const terminal = openTerminal(['backtest', 'run', at('bot.yaml'), '--candles', at('BTCUSDT-1m.csv')], env, { columns: 100, rows: 40 });
    const { exitCode } = await terminal.ended();
    expect(exitCode).toBe(0);
    expect(terminal.screen()).toMatch(/8,000 bars in [\d.]+ s/);
    expect(terminal.screen()).not.toMatch(/[█░]{5}/);
  });

  test.each([
    [['run', 'BOT'], '--candles'],
    [['run', '--candles', 'BTC'], '<bot-or-file>'],
    [['run', 'BOT', '--candles', 'NONEUSDT.csv'], 'NONEUSDT.csv cannot be read (ENOENT)'],
    [['run', 'BOT', '--pair', 'BTCUSDT', '--from', 'yesterday'], 'yesterday is not a time'],
    [['run', 'BOT', '--candles', 'BOT', '--symbol', 'BTCUSDT'], 'is not a number'],
    [['sweep', 'BOT', '--candles', 'BTC', '--set', 'stopLoss.deep=1'], 'the bot has no setting stopLoss.deep'],
    [['sweep', 'BOT', '--candles', 'BTC', '--set', 'stopLoss.pct=5:1:1'], 'is not path=from:to:step'],
    [['report', 'BOT'], 'does not contain a backtest report'],
  ] as [string[], string][])('refuses %j in one sentence', async (words, sentence) => {
    const named = words.map((word) => (word === 'BOT' ? at('bot.yaml') : word === 'BTC' ? at('BTCUSDT-1m.csv') : word));
    const run = await pilotfish(...named);
    expect(run.exit).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(sentence);
  });
});
