import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// How long commands take from the start of the process to its end, beside a bare Node, in turns. The answers are ready
// and small, so that it is the command that is measured. `npm run bench -- cli` after `npm run build -- cli`.

const PROGRAM = join(process.cwd(), 'packages/cli/dist/pilotfish.js');
const TURNS = 25;

const at = '2026-11-21T02:30:00.000Z';
const ticker = { price: '1.5', open: '1.4', high: '1.6', low: '1.3', volume: '10', quoteVolume: '15', changePct: '7.1', at };
const answers: Record<string, unknown> = {
  '/bff/v1/tickers': { items: Array.from({ length: 600 }, (_, index) => ({ symbol: `A${index}USDT`, ...ticker })), asOf: at, stale: false },
  '/bff/v2/positions/open': { items: [], totals: [], asOf: at },
  '/bff/v2/auto-trades': [],
  '/bff/v2/price-alerts': [],
};
const server = createServer((request, reply) => {
  reply.setHeader('content-type', 'application/json');
  reply.end(JSON.stringify(answers[request.url ?? '']));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const env = { ...process.env, PILOTFISH_URL: url, PILOTFISH_TOKEN: 'x', XDG_CONFIG_HOME: join(tmpdir(), 'pilotfish-start-bench') };

const get = `require('node:http').get('${url}/bff/v1/tickers',(r)=>{let t='';r.on('data',(c)=>t+=c).on('end',()=>process.stdout.write(JSON.stringify(JSON.parse(t))))})`;
const cases: { name: string; words: string[]; target?: number }[] = [
  { name: 'bare node', words: ['-e', '0'] },
  { name: 'bare node that asks', words: ['-e', get] },
  { name: '--version', words: [PROGRAM, '--version'], target: 1.2 },
  { name: 'prices ls --json', words: [PROGRAM, 'prices', 'ls', '--json'], target: 1.5 },
  { name: 'positions open --json', words: [PROGRAM, 'positions', 'open', '--json'], target: 1.5 },
  { name: 'bots ls --json', words: [PROGRAM, 'bots', 'ls', '--json'], target: 1.5 },
  { name: 'alerts ls --json', words: [PROGRAM, 'alerts', 'ls', '--json'], target: 1.5 },
];
const took = cases.map((): number[] => []);
for (let turn = 0; turn < TURNS; turn += 1)
  for (const [index, { name, words }] of cases.entries()) {
    const started = performance.now();
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
    took[index]!.push(performance.now() - started);
  }
const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!;
for (const [index, { name, target }] of cases.entries()) {
  const [mid, least] = [median(took[index]!), Math.min(...took[index]!)];
  const ratios = `${(mid / median(took[0]!)).toFixed(2)}× (of the fastest turns ${(least / Math.min(...took[0]!)).toFixed(2)}×)`;
  console.log(`${name.padEnd(22)} ${mid.toFixed(0).padStart(4)} ms  ${ratios}${target === undefined ? '' : `  target ${target}×`}`);
}
server.close();
