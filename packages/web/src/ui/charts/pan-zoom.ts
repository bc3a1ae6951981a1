import type uPlot from 'uplot';

export type Window = { min: number; max: number };

/** Fewest points a window may show. */
const FEWEST = 8;
const KEY_PAN = 0.2;
const KEY_ZOOM = 1.4;

/** A window moved by a share of its own length. */
export const panned = ({ min, max }: Window, share: number): Window => {
  const by = (max - min) * share;
  return { min: min + by, max: max + by };
};

/** A window made `factor` times as long around a point that stays where it is. */
export const zoomed = ({ min, max }: Window, factor: number, around: number): Window => ({
  min: around - (around - min) * factor,
  max: around + (max - around) * factor,
});

/**
 * The nearest window that still shows something: not shorter than a few points, not longer than all of them with a
 * margin, and never entirely beside the data. Keeps its length when it only has to move.
 * @param time seconds, ascending
 */
export function bounded({ min, max }: Window, time: ArrayLike<number>): Window {
  const count = time.length;
  if (count < 2) return { min, max };
  const [first, last] = [time[0]!, time[count - 1]!];
  const step = (last - first) / (count - 1);
  const length = Math.min(Math.max(max - min, step * FEWEST), (last - first) * 1.2 + step * FEWEST);
  const middle = (min + max) / 2;
  let start = max - min === length ? min : middle - length / 2;
  start = Math.min(start, last + length * 0.3 - length);
  start = Math.max(start, Math.min(first - length * 0.3, last + length * 0.3 - length));
  return { min: start, max: start + length };
}

/** Sets a window of the chart's time axis, bounded. */
export function show(chart: uPlot, window: Window): void {
  chart.setScale('x', bounded(window, chart.data[0]));
}

const windowOf = (chart: uPlot): Window => ({ min: chart.scales.x?.min ?? 0, max: chart.scales.x?.max ?? 1 });

/** Shift + arrows pan, plus and minus zoom. Answers whether the key was one of them. */
export function onWindowKey(chart: uPlot, event: { key: string; shiftKey: boolean }): boolean {
  const window = windowOf(chart);
  const middle = (window.min + window.max) / 2;
  const next =
    event.key === '+' || event.key === '='
      ? zoomed(window, 1 / KEY_ZOOM, middle)
      : event.key === '-' || event.key === '_'
        ? zoomed(window, KEY_ZOOM, middle)
        : event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
          ? panned(window, event.key === 'ArrowLeft' ? -KEY_PAN : KEY_PAN)
          : undefined;
  if (next) show(chart, next);
  return next !== undefined;
}

/**
 * Drag pans, the wheel zooms around the pointer (sideways it pans), two fingers pinch, a double click goes back.
 * @param target the chart whose window moves; another one for a pane that is led
 */
export function panZoom(target: (own: uPlot) => uPlot | undefined, reset: (chart: uPlot) => void): uPlot.Plugin {
  const leave = new AbortController();
  return {
    hooks: {
      ready: (own) => {
        const { over } = own;
        const pointers = new Map<number, number>();
        const { signal } = leave;
        let [left, width] = [0, 1];
        const timeAt = (window: Window, x: number) => window.min + ((x - left) / width) * (window.max - window.min);
        over.style.touchAction = 'pan-y';
        over.style.cursor = 'crosshair';
        over.addEventListener(
          'pointerdown',
          (event) => {
            if (event.button !== 0) return;
            const box = over.getBoundingClientRect();
            [left, width] = [box.left, Math.max(1, box.width)];
            pointers.set(event.pointerId, event.clientX);
            over.setPointerCapture(event.pointerId);
            over.style.cursor = 'grabbing';
          },
          { signal },
        );
        over.addEventListener(
          'pointermove',
          (event) => {
            const before = pointers.get(event.pointerId);
            const chart = target(own);
            if (before === undefined || !chart || event.clientX === before) return;
            const window = windowOf(chart);
            const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
            pointers.set(event.pointerId, event.clientX);
            if (other === undefined) show(chart, panned(window, (before - event.clientX) / width));
            else {
              const [apart, now] = [Math.max(8, Math.abs(before - other)), Math.max(8, Math.abs(event.clientX - other))];
              show(chart, zoomed(window, apart / now, timeAt(window, (event.clientX + other) / 2)));
            }
          },
          { signal },
        );
        const release = (event: PointerEvent) => {
          pointers.delete(event.pointerId);
          if (pointers.size === 0) over.style.cursor = 'crosshair';
        };
        over.addEventListener('pointerup', release, { signal });
        over.addEventListener('pointercancel', release, { signal });
        over.addEventListener(
          'wheel',
          (event) => {
            const chart = target(own);
            if (!chart) return;
            event.preventDefault();
            const box = over.getBoundingClientRect();
            [left, width] = [box.left, Math.max(1, box.width)];
            const window = windowOf(chart);
            const pixels = event.deltaMode === 1 ? 16 : 1;
            const sideways = event.shiftKey ? event.deltaY : event.deltaX;
            if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) show(chart, panned(window, (sideways * pixels) / width));
            else
              show(
                chart,
                zoomed(window, Math.exp(Math.max(-240, Math.min(240, event.deltaY * pixels)) / 480), timeAt(window, event.clientX)),
              );
          },
          { signal, passive: false },
        );
        over.addEventListener(
          'dblclick',
          () => {
            const chart = target(own);
            if (chart) reset(chart);
          },
          { signal },
        );
      },
      destroy: () => leave.abort(),
    },
  };
}

/** uPlot's own selection and double click give way to panning. */
export const PANNED_CURSOR: Pick<uPlot.Cursor, 'drag' | 'bind'> = {
  drag: { x: false, y: false, setScale: false },
  bind: { dblclick: () => null },
};
