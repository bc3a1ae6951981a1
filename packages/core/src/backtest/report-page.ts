import { thinMarks } from '../lists/thin-marks.ts';
import { decimal, placesOf } from '../money/decimal.ts';
import { digits, type Money, type Percent, type Price, type Ratio } from '../money/figure.ts';
import {
  formatCurrency,
  formatFixed,
  formatMoney,
  formatPercent,
  formatPrice,
  formatRatio,
  formatResult,
  formatShare,
  formatSigned,
  MINUS,
} from '../money/format.ts';
import { formatSpan } from '../time/duration.ts';
import type { BacktestDocument, BacktestTrade } from './backtest-contract.ts';

/** Fills the text of a key, or of the first of several that has one. */
export type PageText = (key: string | readonly string[], values?: Readonly<Record<string, string | number>>) => string;

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [960, 260, 76, 24, 8];
/** Marks this close are one to the eye; more of them would hide the price they stand on. */
const MARK_COLUMN = 3;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[mark] ?? mark);

type Line = { readonly values: readonly (number | null)[]; readonly name: string; readonly look: string };
type Mark = { readonly at: number; readonly value: number; readonly side: 'Buy' | 'Sell'; readonly title: string };

/** Round steps for an axis: about four between the bounds, and the decimals they need. */
function ticks(low: number, high: number): { values: number[]; places: number } {
  const raw = (high - low) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const found: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step) found.push(value);
  return { values: found, places: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

/** Lines over time as SVG; `label` says in words what is drawn. */
function chart(times: readonly number[], lines: readonly Line[], label: string, marks: readonly Mark[] = []): string {
  const all = [...lines.flatMap(({ values }) => values), ...marks.map(({ value }) => value)].filter((value) => value !== null);
  if (all.length === 0 || times.length === 0) return '';
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of all) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const [from, to] = [times[0]!, times.at(-1)!];
  const x = (time: number) => (LEFT + ((time - from) / (to - from || 1)) * (WIDTH - LEFT - 8)).toFixed(1);
  const y = (value: number) => (TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const { values: steps, places } = ticks(low, high);
  const grid = steps.map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text x="${LEFT - 8}" y="${Number(y(value)) + 4}" text-anchor="end">${escaped(formatFixed(value.toFixed(8), places))}</text>`,
  );
  const dates = [0, 1, 2, 3, 4].map((part) => {
    const time = from + ((to - from) * part) / 4;
    const anchor = part === 0 ? 'start' : part === 4 ? 'end' : 'middle';
    return `<text x="${x(time)}" y="${HEIGHT - 6}" text-anchor="${anchor}">${new Date(time).toISOString().slice(0, 10)}</text>`;
  });
  const paths = lines.map(({ values, look, name }) => {
    let path = '';
    values.forEach((value, index) => {
      if (value !== null) path += `${path === '' || values[index - 1] === null ? 'M' : 'L'}${x(times[index]!)} ${y(value)}`;
    });
    return `<path class="${look}" d="${path}"><title>${escaped(name)}</title></path>`;
  });
  const place = ({ at, value }: Mark) => ({ column: Math.floor(Number(x(at)) / MARK_COLUMN), level: Math.round(Number(y(value))) });
  const dots = thinMarks(marks, Math.ceil(WIDTH / MARK_COLUMN), place).map(({ at, value, side, title }) => {
    const [cx, cy] = [Number(x(at)), Number(y(value))];
    const tip = side === 'Buy' ? -5 : 5;
    return `<path class="mark ${side === 'Buy' ? 'gain' : 'loss'}" d="M${cx} ${cy + tip}l4 ${-tip * 1.6}h-8z"><title>${escaped(title)}</title></path>`;
  });
  const legend = lines.map(({ name, look }) => `<span><i class="${look}"></i>${escaped(name)}</span>`).join('');
  return (
    `<figure><figcaption>${escaped(label)}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(label)}">` +
    `${grid.join('')}${dates.join('')}${paths.join('')}${dots.join('')}</svg><p class="legend">${legend}</p></figure>`
  );
}

/** How far the curve is below its highest point so far, in percent, zero or negative. */
export function drawdownOf(values: readonly number[]): number[] {
  let peak = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? Math.round((value / peak - 1) * 1e6) / 1e4 : 0;
  });
}

/** The figures of a report in the order in which they are shown, as text keys `backtest.figures.<key>` and values. */
export function shownFigures(
  report: BacktestDocument,
  language: string,
): readonly (readonly [key: string, value: string, exact: string])[] {
  const { quoteAsset } = report;
  const money = (value: Money) => formatCurrency(value, quoteAsset);
  const orDash = (value: Ratio | number | null) => (value === null ? '–' : formatRatio(typeof value === 'number' ? String(value) : value));
  const share = (value: Percent | number | null) =>
    value === null ? '–' : formatShare(typeof value === 'number' ? String(value) : value, 1);
  const lasted = (ms: number) => formatSpan(ms, language);
  return [
    ['netPnl', formatResult(report.netPnl, quoteAsset), digits(report.netPnl)],
    ['returnPct', formatPercent(report.returnPct), digits(report.returnPct)],
    ['hold', formatPercent(report.hold.returnPct), digits(report.hold.returnPct)],
    ['dca', formatPercent(report.dca.returnPct), digits(report.dca.returnPct)],
    ['endValue', money(report.endValue), digits(report.endValue)],
    ['trades', `${report.trades} (${report.wins} / ${report.losses})`, String(report.trades)],
    ['winRatePct', share(report.winRatePct), digits(report.winRatePct ?? '')],
    ['profitFactor', orDash(report.profitFactor), digits(report.profitFactor ?? '')],
    ['expectancy', report.expectancy === null ? '–' : formatResult(report.expectancy, quoteAsset), digits(report.expectancy ?? '')],
    ['sharpe', orDash(report.sharpe), String(report.sharpe ?? '')],
    ['sortino', orDash(report.sortino), String(report.sortino ?? '')],
    ['maxDrawdownPct', share(report.maxDrawdownPct), String(report.maxDrawdownPct)],
    ['maxDrawdownTime', lasted(report.maxDrawdownMs), String(report.maxDrawdownMs)],
    ['underWaterTime', lasted(report.underWaterMs), String(report.underWaterMs)],
    ['exposurePct', share(report.exposurePct), String(report.exposurePct)],
    ['fees', money(report.fees), digits(report.fees)],
    ['slippage', money(report.slippage), digits(report.slippage)],
    ['ambiguousExitsPct', share(report.ambiguousExitsPct), String(report.ambiguousExitsPct)],
  ];
}

const STYLE = `:root{color-scheme:light dark;--bg:#fafaf7;--panel:#fff;--text:#12202c;--dim:#55636f;--line:#dfe3e6;--brand:#0b7a75;--hold:#b4540a;--dca:#5b5bd6;--gain:#0f7a3d;--loss:#c22f2f}
@media(prefers-color-scheme:dark){:root{--bg:#0a0f1a;--panel:#111827;--text:#e6edf3;--dim:#9fb0c0;--line:#243044;--brand:#2dd4cf;--hold:#ff9a4d;--dca:#a5a5ff;--gain:#3ddc84;--loss:#ff7b7b}}
body{margin:0;background:var(--bg);color:var(--text);font:14px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1000px;margin:0 auto;padding:24px 16px}h1{font-size:24px;margin:0}h2{font-size:18px;margin:32px 0 8px}
.dim,figcaption,text{color:var(--dim);fill:var(--dim)}dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:8px;margin:16px 0}
dl div,figure{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:10px 12px;margin:0}dt{color:var(--dim);font-size:12px}dd{margin:0;font-size:16px}
figure{margin:16px 0}svg{width:100%;height:auto;font-size:11px}path{fill:none;stroke-width:1.6}.value{stroke:var(--brand)}.hold{stroke:var(--hold)}.dca{stroke:var(--dca)}.price{stroke:var(--dim)}.fall{stroke:var(--loss)}
.grid{stroke:var(--line)}.mark{stroke:none}.mark.gain{fill:var(--gain)}.mark.loss{fill:var(--loss)}.gain{color:var(--gain)}.loss{color:var(--loss)}
.legend{margin:4px 0 0;display:flex;gap:16px;font-size:12px}.legend i{display:inline-block;width:14px;height:3px;margin-right:6px;vertical-align:middle;background:currentColor}.legend i.value{background:var(--brand)}.legend i.hold{background:var(--hold)}.legend i.dca{background:var(--dca)}.legend i.price{background:var(--dim)}.legend i.fall{background:var(--loss)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:right;padding:4px 8px;border-bottom:1px solid var(--line);white-space:nowrap}th:nth-child(-n+4),td:nth-child(-n+4){text-align:left}.warning{border:1px solid var(--loss);border-radius:8px;padding:10px 12px}`;

const tradeRow = (trade: BacktestTrade, currency: string, t: PageText): string => {
  const result = trade.realised === null ? '–' : formatSigned(trade.realised, currency);
  const side = result.startsWith(MINUS) ? 'loss' : result.startsWith('+') ? 'gain' : '';
  const cells = [
    trade.symbol,
    trade.enteredAt.slice(0, 16).replace('T', ' '),
    trade.closedAt === null ? '–' : trade.closedAt.slice(0, 16).replace('T', ' '),
    trade.reason === null ? '–' : t(`exitReasons.${trade.reason}`),
    formatMoney(trade.bought, currency),
    formatMoney(trade.fees, currency),
  ];
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}<td class="${side}">${escaped(result)}</td><td class="${side}">${trade.resultPct === null ? '–' : formatPercent(trade.resultPct)}</td></tr>`;
};

/** The sentences a reader must not miss: what the checks for look-ahead found. */
export function warningsOf(report: BacktestDocument, t: PageText): string[] {
  const { checks, quoteAsset } = report;
  const jumps = report.positions.flatMap(({ reason, symbol, traces }) => {
    const exit = reason === 'PriceJump' ? traces.at(-1) : undefined;
    // The report knows no tick sizes.
    const shown = (price: Price) => formatPrice(price, undefined);
    const before = exit && shown(String(exit.after.before));
    return exit && before ? [t('backtest.checks.priceJump', { symbol, before, price: shown(exit.price), at: exit.at })] : [];
  });
  if (!checks) return jumps;
  const { prefix, delay } = checks;
  const told = {
    amount: formatMoney(Math.abs(delay.improvement).toFixed(8), quoteAsset),
    noise: formatMoney(delay.noise.toFixed(8), quoteAsset),
    currency: quoteAsset,
  };
  return [
    ...jumps,
    ...(prefix.passed ? [] : [t('backtest.checks.prefixFailed', { at: prefix.failedAt ?? '' })]),
    ...(delay.verdict === 'improves' || delay.verdict === 'collapses' ? [t(`backtest.checks.${delay.verdict}`, told)] : []),
  ];
}

/** The report as one page that loads nothing: figures, curves, drawdown, trades on the price, list of trades. */
export function reportPage(report: BacktestDocument, t: PageText, language: string): string {
  const times = report.equity.map(({ at }) => Date.parse(at));
  const values = report.equity.map(({ value }) => value);
  const bought = report.positions.filter(({ buys }) => buys > 0);
  const marksOf = (symbol: string): Mark[] => {
    const own = bought.filter((trade) => trade.symbol === symbol);
    // As many digits as the longest of them has: the report knows no tick sizes.
    const places = own.flatMap(({ traces }) => traces.map(({ price }) => placesOf(decimal(price)))).reduce((a, b) => Math.max(a, b), 0);
    return own.flatMap(({ traces }) =>
      traces.flatMap(({ kind, at, price }) =>
        kind === 'Buy' || kind === 'Sell'
          ? [
              {
                at: Date.parse(at),
                value: Number(price),
                side: kind,
                title: `${t(`traceKinds.${kind}`)} ${formatPrice(price, places)} ${at}`,
              },
            ]
          : [],
      ),
    );
  };
  const charts = [
    chart(
      times,
      [
        { values: report.equity.map(({ hold }) => hold), name: t('backtest.lines.hold'), look: 'hold' },
        { values: report.equity.map(({ dca }) => dca), name: t('backtest.lines.dca', { count: report.dca.buys }), look: 'dca' },
        { values, name: t('backtest.lines.value'), look: 'value' },
      ],
      t('backtest.charts.equity', { currency: report.quoteAsset }),
    ),
    chart(times, [{ values: drawdownOf(values), name: t('backtest.lines.drawdown'), look: 'fall' }], t('backtest.charts.drawdown')),
    ...report.symbols.map((symbol) =>
      chart(
        times,
        [{ values: report.prices[symbol] ?? [], name: symbol, look: 'price' }],
        t('backtest.charts.trades', { symbol }),
        marksOf(symbol),
      ),
    ),
  ];
  const figures = shownFigures(report, language)
    .map(
      ([key, value, exact]) =>
        `<div><dt>${escaped(t(`backtest.figures.${key}`))}</dt><dd data-key="${key}" data-value="${escaped(exact)}">${escaped(value)}</dd></div>`,
    )
    .join('');
  const heads = ['symbol', 'entered', 'closed', 'reason', 'bought', 'fees', 'result', 'resultPct'];
  const title = `${report.name} · ${report.symbols.join(', ')}`;
  const { model } = report;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1><p class="dim">${escaped(t('backtest.period', { from: report.from.slice(0, 10), to: report.to.slice(0, 10), bars: report.bars }))}</p>
${warningsOf(report, t)
  .map((text) => `<p class="warning" role="alert">${escaped(text)}</p>`)
  .join('')}<dl>${figures}</dl>
${charts.join('\n')}
<h2>${escaped(t('backtest.trades'))}</h2><div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${escaped(t(`backtest.tradeColumns.${head}`))}</th>`).join('')}</tr></thead><tbody>
${bought.map((trade) => tradeRow(trade, report.quoteAsset, t)).join('\n')}
</tbody></table></div>
<h2>${escaped(t('backtest.howFilled'))}</h2><p class="dim">${escaped(
    t(report.ticks === undefined ? 'backtest.model' : 'backtest.tickModel', {
      spread: model.halfSpreadPct,
      slippage: model.slippagePct,
      volume: model.volumeSharePct,
      fee: Number(model.takerFee) * 100,
    }),
  )} ${escaped(t('backtest.ratiosRule'))} ${escaped(t('backtest.dcaRule', { count: report.dca.buys }))}</p></main></body></html>
`;
}
