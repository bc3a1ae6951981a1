import { Box, Flex, Text } from '@chakra-ui/react';
import { chartOf } from '@pilotfish/core/statechart/chart';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type DrawnState, layOut, waysOut } from './chart-layout.ts';

const [WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN] = [136, 40, 56, 34, 18];
/** Room above the first row for edges that leap over other states. */
const LEAP = 26;
/** The drawing shrinks to its panel this far, then it scrolls. */
const LEAST_SCALE = 0.8;
/** Colour by theme token; SVG takes the variable. */
const ink = (name: string) => `var(--chakra-colors-${name})`;

type Props = {
  machine: Parameters<typeof chartOf>[0];
  current: string;
  title: string;
  stateName: (state: string) => string;
  eventName?: (event: string) => string;
};

/** A machine drawn from its own transitions, with the state it is in lit and only the arrows that leave it: those of other states would hide them. */
export function Lifecycle({ machine, current, title, stateName, eventName }: Props) {
  const { t } = useTranslation();
  const chart = useMemo(() => chartOf(machine), [machine]);
  const { states, columns, rows } = useMemo(() => layOut(chart), [chart]);
  const place = new Map(states.map((state) => [state.name, state]));
  const width = columns * WIDTH + (columns - 1) * GAP_X + MARGIN * 2;
  const height = rows * HEIGHT + (rows - 1) * GAP_Y + MARGIN * 2 + LEAP + 12;
  const ways = waysOut(chart, current);
  const scroller = useRef<HTMLDivElement>(null);
  const lit = place.get(current);
  const centre = lit ? corner(lit).x + WIDTH / 2 : 0;
  useEffect(() => {
    const box = scroller.current;
    if (box) box.scrollLeft = centre * LEAST_SCALE - box.clientWidth / 2;
  }, [centre]);
  const description = t('autoTrades.lifecycleNow', { title, state: stateName(current) });
  return (
    <Flex direction="column" gap="3" minW="0">
      <Box
        ref={scroller}
        className="scroll-hint"
        overflowX="auto"
        tabIndex={0}
        role="group"
        aria-label={description}
        borderRadius="control"
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={description}
          style={{ width: '100%', minWidth: width * LEAST_SCALE, maxWidth: width, display: 'block' }}
        >
          <defs>
            <marker
              id={`arrow-${chart.id}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 0 8 4 0 8z" fill={ink('brand-fg')} />
            </marker>
          </defs>
          {ways.map(({ from, to }) => {
            const [a, b] = [place.get(from), place.get(to)];
            if (!a || !b) return null;
            return (
              <path
                key={`${from}>${to}`}
                d={curve(a, b)}
                fill="none"
                stroke={ink('brand-fg')}
                strokeWidth={1.8}
                markerEnd={`url(#arrow-${chart.id})`}
              />
            );
          })}
          {states.map((state) => {
            const { x, y } = corner(state);
            const lit = state.name === current;
            return (
              <g key={state.name}>
                <rect
                  x={x}
                  y={y}
                  width={WIDTH}
                  height={HEIGHT}
                  rx={state.final ? 20 : 8}
                  fill={lit ? ink('brand-solid') : ink('bg-raised')}
                  stroke={lit ? ink('brand-solid') : ink('border')}
                  strokeWidth={lit ? 2 : 1}
                />
                <text
                  x={x + WIDTH / 2}
                  y={y + HEIGHT / 2 + 4.5}
                  textAnchor="middle"
                  fontSize="13"
                  fontWeight={lit ? 700 : 500}
                  fill={lit ? ink('brand-contrast') : ink('fg-muted')}
                >
                  {stateName(state.name)}
                </text>
              </g>
            );
          })}
        </svg>
      </Box>
      {eventName && ways.length > 0 && (
        <Text fontSize="13px" color="fg.muted">
          {t('autoTrades.next')}{' '}
          {ways.map(({ to, events }, index) => (
            <span key={to}>
              {index > 0 && ' · '}
              <Text as="span" color="fg" fontWeight="550">
                {stateName(to)}
              </Text>{' '}
              ({events.map(eventName).join(', ')})
            </span>
          ))}
        </Text>
      )}
    </Flex>
  );
}

const corner = ({ column, row }: DrawnState) => ({ x: MARGIN + column * (WIDTH + GAP_X), y: MARGIN + LEAP + row * (HEIGHT + GAP_Y) });

/** Forward edges go side to side, others leave and arrive at the edge that is nearer. */
function curve(from: DrawnState, to: DrawnState): string {
  const [a, b] = [corner(from), corner(to)];
  const [ay, by] = [a.y + HEIGHT / 2, b.y + HEIGHT / 2];
  if (to.column > from.column + 1 && to.row === from.row) {
    const top = a.y - LEAP - 8;
    return `M${a.x + WIDTH * 0.6} ${a.y}C${a.x + WIDTH} ${top} ${b.x} ${top} ${b.x + WIDTH * 0.4} ${b.y - 2}`;
  }
  if (to.column > from.column) {
    const reach = Math.min(60, (b.x - a.x - WIDTH) / 1.6);
    return `M${a.x + WIDTH} ${ay}C${a.x + WIDTH + reach} ${ay} ${b.x - reach} ${by} ${b.x - 2} ${by}`;
  }
  if (to.column === from.column) {
    const down = to.row > from.row;
    const x = a.x + WIDTH * (down ? 0.62 : 0.38);
    const [start, end] = down ? [a.y + HEIGHT, b.y - 2] : [a.y, b.y + HEIGHT + 2];
    if (Math.abs(to.row - from.row) === 1) return `M${x} ${start}L${x} ${end}`;
    const side = down ? a.x + WIDTH : a.x;
    const out = down ? 34 : -34;
    return `M${side} ${ay + (down ? 8 : -8)}C${side + out} ${ay} ${side + out} ${by} ${side + (down ? 2 : -2)} ${by}`;
  }
  if (from.row === to.row) {
    const sag = a.y + HEIGHT + GAP_Y * 0.7;
    return `M${a.x + WIDTH * 0.3} ${a.y + HEIGHT}C${a.x} ${sag} ${b.x + WIDTH} ${sag} ${b.x + WIDTH * 0.7} ${b.y + HEIGHT + 2}`;
  }
  // From a lower row back up: out of the top, into the bottom; from an upper row down: the other way round.
  const up = from.row > to.row;
  const [start, end] = up ? [a.y, b.y + HEIGHT + 2] : [a.y + HEIGHT, b.y - 2];
  const middle = (start + end) / 2;
  return `M${a.x + WIDTH * 0.2} ${start}C${a.x} ${middle} ${b.x + WIDTH} ${middle} ${b.x + WIDTH * 0.85} ${end}`;
}
