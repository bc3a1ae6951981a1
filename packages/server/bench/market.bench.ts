import { minuteCloses } from '../src/market/minute-closes.ts';
import { tickerBoard } from '../src/market/ticker-board.ts';

/**
 * One message of `!miniTicker@arr` a second with 3,000 symbols: parsing it, writing the columns, noting the minutes,
 * and the rows that leave for the screens. CPU of the fastest of several runs, beside JSON.parse of the same text.
 */
const SYMBOLS = 3000;
const MESSAGES = 200;
const RUNS = 7;

let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const prices = Array.from({ length: SYMBOLS }, () => 10 ** (random() * 9 - 5));
const messages = Array.from({ length: MESSAGES }, (_, second) =>
  JSON.stringify({
    stream: '!miniTicker@arr',
    data: prices.map((price, n) => {
      const last = price * (1 + (random() - 0.5) * 0.002);
      prices[n] = last;
      const volume = 1e6 * random();
      return {
        e: '24hrMiniTicker',
        E: 1_700_000_000_000 + second * 1000,
        s: `COIN${n}USDT`,
        c: last.toFixed(8),
        o: (price * 0.98).toFixed(8),
        h: (price * 1.05).toFixed(8),
        l: (price * 0.95).toFixed(8),
        v: volume.toFixed(8),
        q: (volume * price).toFixed(8),
      };
    }),
  }),
);

function cpuMs(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000 / MESSAGES);
  }
  return best;
}

let kept = 0;
const parsing = cpuMs(() => {
  for (const message of messages) kept += (JSON.parse(message) as { data: unknown[] }).data.length;
});
const board = tickerBoard();
const minutes = minuteCloses();
const take = (message: string): void => {
  board.apply((JSON.parse(message) as { data: unknown }).data);
  const [price, at] = [board.column('price'), board.column('at')];
  for (const index of board.changedIndexes()) minutes.note(index, at[index]!, price[index]!);
};
const columns = cpuMs(() => {
  for (const message of messages) {
    take(message);
    kept += board.changedIndexes().length;
  }
});
const whole = cpuMs(() => {
  for (const message of messages) {
    take(message);
    kept += JSON.stringify(board.takeChanged()).length;
  }
});
if (kept === 0) throw new Error('nothing was measured');

const line = (name: string, ms: number) =>
  console.log(
    `${name.padEnd(44)} ${ms.toFixed(2).padStart(7)} ms CPU/s  ${((ms / 1000) * 100).toFixed(2).padStart(5)} % of a core  ` +
      `${((ms * 1e6) / SYMBOLS).toFixed(0).padStart(5)} ns/update  ${(ms / parsing).toFixed(2).padStart(5)} × JSON.parse`,
  );
console.log(`${SYMBOLS} symbols, one message a second of ${(messages[0]!.length / 1024).toFixed(0)} kB`);
line('JSON.parse alone', parsing);
line('parsed, into columns and minutes', columns);
line('the same, and the rows for the screens', whole);
if (whole > 100) {
  console.error('more than 10 % of a core');
  process.exitCode = 1;
}
