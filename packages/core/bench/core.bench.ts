import { Decimal } from 'decimal.js';
import { createActor } from 'xstate';
import {
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  autoTradeMachine,
  newAutoTradeContext,
} from '../src/auto-trades/engine/auto-trade-machine.ts';
import { createColumns, decide, loadQuiet, Phase } from '../src/auto-trades/engine/decide.ts';
import { add, decimal, multiply, subtract, toMultiple, toText } from '../src/money/decimal.ts';
import { tableOf } from '../src/statechart/table.ts';
import { random } from './series.ts';

/** CPU seconds of the fastest of several runs: steadier on a shared machine than wall time. */
function fastest(runs: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

const rows: [string, string, string, string][] = [];
const per = (count: number, seconds: number, unit: string) => `${(count / seconds / 1e6).toFixed(2)} M ${unit}/s`;

// One machine, three ways.
{
  const events: AutoTradeEvent[] = [
    { type: 'bot.enabled', acknowledge: false },
    { type: 'bot.paused', reason: 'x', until: 1 },
    { type: 'pause.ended' },
    { type: 'bot.disabled', exits: 'continue' },
  ];
  const actor = createActor(autoTradeMachine, { input: newAutoTradeContext }).start();
  actor.send({ type: 'bot.saved' });
  const sent = fastest(5, () => {
    for (let index = 0; index < 100_000; index += 1) actor.send(events[index % 4]!);
  });
  const walked = (advance: typeof advanceAutoTrade, count: number) =>
    fastest(5, () => {
      let state: AutoTradeStateName = 'disabled';
      let context = newAutoTradeContext;
      for (let index = 0; index < count; index += 1) {
        const next = advance(state, context, events[index % 4]!);
        if (next) ({ state, context } = next);
      }
    });
  const stored = walked(advanceAutoTrade, 100_000);
  const table = walked(tableOf(autoTradeMachine), 1_000_000);
  rows.push([
    'machine as a table',
    per(1e6, table, 'events'),
    `actor.send ${per(1e5, sent, 'events')}, from what is stored ${per(1e5, stored, 'events')}`,
    (sent / 1e5 / (table / 1e6)).toFixed(1),
  ]);
}

// A fill: notional, fee, balance, and the lot of what is left.
{
  const draw = random(1);
  const fills = Array.from({ length: 100_000 }, () => ({
    price: (20_000 + draw() * 80_000).toFixed(2),
    quantity: (draw() * 3).toFixed(5),
  }));
  const parsed = fills.map(({ price, quantity }) => ({ price: decimal(price), quantity: decimal(quantity) }));
  const theirs = fills.map(({ price, quantity }) => ({ price: new Decimal(price), quantity: new Decimal(quantity) }));
  const [fee, step, feeD, stepD] = [decimal('0.001'), decimal('0.00001'), new Decimal('0.001'), new Decimal('0.00001')];
  let mine = decimal('0');
  const ours = fastest(7, () => {
    mine = decimal('0');
    for (const { price, quantity } of parsed) {
      const notional = multiply(price, quantity);
      mine = add(subtract(mine, multiply(notional, fee)), notional);
      toMultiple(quantity, step);
    }
  });
  let other = new Decimal(0);
  const library = fastest(5, () => {
    other = new Decimal(0);
    for (const { price, quantity } of theirs) {
      const notional = price.times(quantity);
      other = other.minus(notional.times(feeD)).plus(notional);
      quantity.div(stepD).floor().times(stepD);
    }
  });
  // decimal.js keeps 20 significant digits by default: the sums agree to that.
  if (new Decimal(toText(mine)).minus(other).abs().gt(other.abs().times('1e-15'))) throw new Error('the two sums differ');
  rows.push(['money, one fill', per(1e5, ours, 'fills'), `decimal.js ${per(1e5, library, 'fills')}`, (library / ours).toFixed(1)]);
}

// Bots without a decision: what a tick costs while nothing happens.
{
  const size = 100_000;
  const columns = createColumns(size);
  for (let slot = 0; slot < size; slot += 1) {
    columns.phase[slot] = slot % 2 ? Phase.Holding : Phase.Protected;
    columns.stop[slot] = 90;
    columns.line[slot] = 95;
    columns.raiseAt[slot] = 120;
    columns.arm[slot] = 130;
    columns.takeProfit[slot] = 140;
    columns.connectedAt[slot] = 1;
    loadQuiet(columns, slot);
  }
  let decisions = 0;
  const ours = fastest(9, () => {
    for (let slot = 0; slot < size; slot += 1) decisions += decide(columns, slot, 100, 99.9, 2, 100, 60_000);
  });
  const bare = fastest(9, () => {
    for (let slot = 0; slot < size; slot += 1) if (columns.stop[slot]! >= 100 || columns.takeProfit[slot]! <= 100) decisions += 1;
  });
  if (decisions !== 0) throw new Error('a decision where none is due');
  rows.push([
    '100,000 bots, one tick each',
    `${((ours / size) * 1e9).toFixed(1)} ns a bot, ${(ours * 100).toFixed(2)} % of a core at 1 Hz`,
    `two-column sweep ${((bare / size) * 1e9).toFixed(1)} ns`,
    (bare / ours).toFixed(2),
  ]);
}

const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
console.log('last column: ratio to the anchor of the same run, higher is better');
