import type { PerformanceDay } from '@pilotfish/core/performance/performance-contract';
import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../platform/use-address.ts';
import { addMonths, lastOfMonth, monthWeeks, weekStart } from '../ui/kit/calendar-weeks.ts';
import { bestHours, spanWords } from './best-hours.ts';
import { equityLines } from './equity-lines.ts';
import { daysOf, fileName, isNarrowed, NO_FILTERS, PERFORMANCE, performanceQuery, toggled } from './performance-address.ts';
import { performanceCsv } from './performance-csv.ts';

const BOT = '01890000-0000-7000-8000-000000000001';
const read = (text: string) => readAddress(PERFORMANCE, new URLSearchParams(text));

describe('the address', () => {
  test('holds everything, and what is as at first is not in it', () => {
    const changes = {
      mode: 'paper',
      range: { from: '2026-09-01', to: '2026-11-25' },
      day: '2026-11-25',
      bots: [BOT, 'hand'],
      coins: ['BTC', '币安人生'],
      reasons: ['TakeProfit', 'conversion'],
      hour: 0,
    } as const;
    const written = writeAddress(PERFORMANCE, new URLSearchParams(), changes);
    expect(readAddress(PERFORMANCE, written)).toEqual(changes);
    expect([...written.keys()].sort()).toEqual(['bots', 'coins', 'day', 'from', 'hour', 'mode', 'reasons', 'to']);
    expect(writeAddress(PERFORMANCE, written, { ...NO_FILTERS, mode: 'live', range: '90d' }).toString()).toBe('');
    expect(writeAddress(PERFORMANCE, written, { range: '7d' }).get('from')).toBeNull();
  });
  test('what is wrong in it is as if it were not there', () => {
    for (const text of [
      'mode=test&range=8d&from=2026-02-30&to=2026-03-01&day=2026-13&bots=1,%3Cb%3E&coins=btc,&reasons=Luck&hour=24',
      'from=2026-03-02&to=2026-03-01&day=25&hour=-1',
      'from=2026-03-02&day=2026-11-31&hour=',
    ])
      expect(read(text), text).toEqual({ mode: 'live', range: '90d', day: undefined, bots: [], coins: [], reasons: [], hour: undefined });
    expect(read('coins=BTC,btc,BTC,ETH').coins).toEqual(['BTC', 'ETH']);
  });
  test('a range goes on at midnight, and a picked day or month takes its place', () => {
    expect(['7d', '30d', '90d', 'year', 'all'].map((range) => daysOf(read(`range=${range}`).range, '2026-03-03'))).toEqual([
      { from: '2026-02-25' },
      { from: '2026-02-02' },
      { from: '2025-12-04' },
      { from: '2026-01-01' },
      {},
    ]);
    const picked = read(`day=2024-02&bots=${BOT},hand&hour=7`);
    expect(performanceQuery(picked, '2026-03-03')).toEqual({
      mode: 'live',
      from: '2024-02-01',
      to: '2024-02-29',
      bots: `${BOT},hand`,
      hour: '7',
    });
    expect(performanceQuery(picked, '2026-03-03', true)).toEqual({ mode: 'live', from: '2025-12-04', bots: `${BOT},hand`, hour: '7' });
    expect([isNarrowed(picked), isNarrowed(read('day=2024-02'))]).toEqual([true, false]);
  });
  test('a second click gives back what the first one took', () => {
    expect(toggled(toggled(['BTC', 'ETH'], 'SOL'), 'SOL')).toEqual([]);
    expect(toggled(['BTC', 'ETH'], 'BTC')).toEqual(['BTC']);
  });
  test('a file is named by the days and the filters', () => {
    const days = { from: '2026-09-01', to: '2026-11-25' };
    expect(fileName(read(''), days, String)).toBe('performance_live_2026-09-01_2026-11-25.csv');
    expect(fileName(read(`mode=paper&bots=${BOT}&coins=BTC&hour=13`), days, () => '../Dip: ladder')).toBe(
      'performance_paper_2026-09-01_2026-11-25_Dip-ladder_BTC_13h.csv',
    );
  });
});

describe('the calendar', () => {
  test('has every day once, also where clocks change, and begins its weeks as the region does', () => {
    for (const month of ['2026-03', '2026-10', '2026-11', '2024-02'])
      for (const start of [1, 6, 7]) {
        const weeks = monthWeeks(month, start);
        expect(weeks.every((week) => week.length === 7)).toBe(true);
        const days = weeks.flat().filter((day) => day !== undefined);
        expect(new Set(days).size).toBe(Number(lastOfMonth(month).slice(8)));
        expect([days[0], days.at(-1)]).toEqual([`${month}-01`, lastOfMonth(month)]);
        // No week is empty, and each day stands below its weekday.
        expect(weeks.every((week) => week.some((day) => day !== undefined))).toBe(true);
        for (const week of weeks)
          for (const [place, day] of week.entries())
            if (day !== undefined) expect((new Date(day).getUTCDay() + 6) % 7).toBe((start - 1 + place) % 7);
      }
    expect(monthWeeks('2026-11', 1)[0]?.filter((day) => day !== undefined)).toEqual(['2026-11-01']);
    expect(monthWeeks('2026-11', 7)[0]?.[0]).toBe('2026-11-01');
  });
  test('weeks begin by the region, and with Monday where none is said', () => {
    expect(['en-US', 'pt_BR', 'tr-TR', 'en-GB', 'en', undefined].map(weekStart)).toEqual([7, 7, 1, 1, 1, 1]);
  });
  test('months go over the end of a year', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1), lastOfMonth('2026-12')]).toEqual(['2027-01', '2025-12', '2026-12-31']);
  });
});

describe('the hours', () => {
  const hours = (nets: Readonly<Record<number, string>>) =>
    Array.from({ length: 24 }, (_, hour) => ({ hour, exits: hour in nets ? 1 : 0, net: nets[hour] ?? '0' }));
  const said = (nets: Readonly<Record<number, string>>) => {
    const { best, worst } = bestHours(hours(nets));
    return [best, worst].map((span) => span && [span.from, span.to, Number(span.net.units) / 10 ** span.net.scale, spanWords(span)]);
  };
  test('the best and the worst span of at most five hours, from an exit to an exit', () => {
    expect(said({ 7: '40', 13: '100', 14: '60.5', 15: '-1', 17: '80', 18: '24', 20: '-30', 21: '5', 23: '-60.25' })).toEqual([
      [13, 18, 239.5, 'between'],
      [20, 24, -85.25, 'toMidnight'],
    ]);
  });
  test('none where nothing was earned or lost, and no longer than it has to be', () => {
    expect(said({})).toEqual([undefined, undefined]);
    expect(said({ 3: '5', 4: '0' })).toEqual([[3, 4, 5, 'between'], undefined]);
    expect(said({ 3: '-0.1', 5: '-0.2' })).toEqual([undefined, [3, 6, -0.3, 'between']]);
  });
});

const day = (name: string, given: Partial<PerformanceDay> = {}): PerformanceDay => ({
  day: name,
  exits: 0,
  wins: 0,
  winRatePct: null,
  profitFactor: null,
  net: '0',
  fees: '0',
  equity: null,
  flow: '0',
  drawdownPct: null,
  benchmark: null,
  ...given,
});

describe('the lines', () => {
  test('without equity results run up exactly, and have no percentage', () => {
    const days = ['0.1', '0.2', '-0.3'].map((net, index) => day(`2026-11-0${index + 1}`, { net }));
    for (const inPercent of [false, true])
      expect(equityLines(days, inPercent)).toEqual({
        kind: 'results',
        days: ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'],
        values: [0, 0.1, 0.3, 0],
        benchmark: undefined,
        drawdown: undefined,
      });
  });
  test('in percent what was paid in is no gain, also on a day of which no equity is known', () => {
    const days = [
      day('2026-11-01', { equity: '1000', benchmark: '1000', drawdownPct: '0' }),
      day('2026-11-02', { flow: '500' }),
      day('2026-11-03', { equity: '1650', benchmark: '1350', flow: '100', drawdownPct: '-2' }),
    ];
    const { kind, values, benchmark, drawdown } = equityLines(days, true);
    expect(kind).toBe('equity');
    expect(values).toEqual([0, Number.NaN, expect.closeTo(5, 9)]);
    expect(benchmark).toEqual([0, Number.NaN, expect.closeTo(-25, 9)]);
    expect(drawdown).toEqual([0, Number.NaN, -2]);
    expect(equityLines(days, false).values).toEqual([1000, Number.NaN, 1650]);
  });
});

test('a file of days has hyphens for the minus and empty cells for the unknown', () => {
  expect(performanceCsv([day('2026-11-01', { net: '-1.5', fees: '0.01', exits: 2, wins: 1, winRatePct: '50' })])).toBe(
    '\uFEFFday,exits,wins,winRatePct,profitFactor,net,fees,equity,flow,drawdownPct,benchmark\r\n2026-11-01,2,1,50,,-1.5,0.01,,0,,\r\n',
  );
});
