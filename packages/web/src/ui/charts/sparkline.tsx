import { type Numbers, spanOf } from './series-summary.ts';
import { useSummary } from './use-summary.ts';

/** The line of a sparkline in a box of `width` × `height`; a flat series lies in the middle. */
export function sparklinePath(values: Numbers, width: number, height: number): string {
  const span = spanOf(values);
  if (!span || values.length < 2) return '';
  const room = span.high - span.low;
  let path = '';
  for (let index = 0; index < values.length; index += 1) {
    if (Number.isNaN(values[index]!)) continue;
    const x = (index / (values.length - 1)) * width;
    const y = room === 0 ? height / 2 : height - ((values[index]! - span.low) / room) * height;
    path += `${path === '' ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return path;
}

const STROKES = { gain: 'chart-up', loss: 'chart-down', muted: 'fg-muted' } as const;
const WIDTH = 72;
const HEIGHT = 24;

type Drawn = { values: Numbers; tone: 'gain' | 'loss' | 'muted' };

/**
 * A word-sized line. A path, not a canvas: some forty points need no chart library, and a page shows dozens of them.
 * Beside the same figures in text it is decoration; alone it takes a `label`.
 */
export function Sparkline({ label, format = String, ...drawn }: Drawn & { label?: string; format?: (value: number) => string }) {
  return label === undefined ? <Line {...drawn} /> : <Labelled label={label} format={format} {...drawn} />;
}

function Labelled({ label, format, ...drawn }: Drawn & { label: string; format: (value: number) => string }) {
  return (
    <span role="img" aria-label={useSummary(label, spanOf(drawn.values), format)}>
      <Line {...drawn} />
    </span>
  );
}

/** Without words: a table draws one for each row that scrolls into view, and a sentence takes longer than the line. */
function Line({ values, tone }: Drawn) {
  const path = sparklinePath(values, WIDTH - 4, HEIGHT - 4);
  const end = path.slice(path.search(/[ML][^ML]*$/) + 1).split(' ');
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      viewBox={`-2 -2 ${WIDTH} ${HEIGHT}`}
      fill="none"
      stroke={`var(--chakra-colors-${STROKES[tone]})`}
      strokeWidth={1.5}
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
      {path !== '' && <circle cx={end[0]} cy={end[1]} r={1.8} fill={`var(--chakra-colors-${STROKES[tone]})`} stroke="none" />}
    </svg>
  );
}
