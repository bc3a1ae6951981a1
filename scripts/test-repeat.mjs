// Runs the tests many times over and says how often they failed: `npm run test:repeat -- 20 --busy`.
// `--busy` burns CPU in two other processes during every second run; `--deep` runs the deep tier, `--ci` runs .ci/run;
// `--dates` runs at three faked dates instead, each in a zone of its own.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
/** The turn of a year where it is already the next one in UTC, a leap day, and the hour before a summer time begins. */
const DATES = [
  { PILOTFISH_DATE: '2028-01-01T02:00:00Z', TZ: 'America/St_Johns' },
  { PILOTFISH_DATE: '2028-02-29T23:50:00Z', TZ: 'Asia/Kolkata' },
  { PILOTFISH_DATE: '2027-03-28T00:55:00Z', TZ: 'Europe/Berlin' },
];
const isDated = words.includes('--dates');
const times = isDated ? DATES.length : Number(words.find((word) => /^\d+$/.test(word)) ?? 20);
const unknown = words.find((word) => !/^(\d+|--busy|--deep|--ci|--dates)$/.test(word));
if (unknown !== undefined) {
  process.stderr.write(`unknown: ${unknown}. Usage: npm run test:repeat -- [times | --dates] [--busy] [--deep | --ci]\n`);
  process.exit(2);
}
const command = words.includes('--ci') ? ['bash', '.ci/run'] : ['npm', '--silent', 'run', words.includes('--deep') ? 'test:deep' : 'test'];
const logs = mkdtempSync(join(tmpdir(), 'pilotfish-repeat-'));

/** Two processes that only burn CPU, until the answer is called. */
function burn() {
  const burners = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const stop = () => burners.forEach((each) => void each.kill('SIGKILL'));
  process.once('exit', stop);
  return () => {
    process.off('exit', stop);
    stop();
  };
}

/** The environment of a run at a faked date. */
const atDate = (date) => ({
  ...process.env,
  ...date,
  PILOTFISH_DATE_SINCE: String(Date.now()),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('./faked-date.mjs', import.meta.url).href}`,
});

function runOnce(logFile, env) {
  return new Promise((done) => {
    const log = createWriteStream(logFile);
    const child = spawn(command[0], command.slice(1), { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        log.write(text);
        said = (said + text).slice(-20_000);
      });
    }
    child.once('close', (code) => {
      log.end();
      const lines = said.split('\n');
      const count = lines.findLast((line) => /^\d+ passed, \d+ failed/.test(line)) ?? 'no closing line';
      done({ code, count, failures: lines.filter((line) => /^(Failed|passed on retry): /.test(line)) });
    });
  });
}

let failed = 0;
for (let run = 1; run <= times; run += 1) {
  const isBusy = words.includes('--busy') && run % 2 === 0;
  const stop = isBusy ? burn() : () => undefined;
  const started = performance.now();
  const { code, count, failures } = await runOnce(join(logs, `run-${run}.log`), isDated ? atDate(DATES[run - 1]) : process.env);
  stop();
  if (code !== 0) failed += 1;
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(
    `${run}/${times}${isDated ? ` at ${DATES[run - 1].PILOTFISH_DATE}` : ''}${isBusy ? ' busy' : ''}: ${code === 0 ? 'ok' : `exit ${code}`}, ${count}, ${seconds} s\n`,
  );
  for (const line of failures) process.stdout.write(`  ${line}\n`);
}
process.stdout.write(`${times - failed} of ${times} runs without a failure; logs in ${logs}\n`);
process.exitCode = failed === 0 ? 0 : 1;
