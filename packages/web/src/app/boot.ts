export {};

/** A page that draws no frame, in a window nobody sees yet, waits no longer, ms. */
const PATIENCE_MS = 1000;

const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
const firstPaint = () =>
  new Promise<void>((resolve) =>
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
    }).observe({ type: 'paint', buffered: true }),
  );
const patience = () => new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));

/** Resolves when what was made ahead is seen, all of it: the app's own work would hold up its paint. */
async function seen(): Promise<void> {
  if (document.querySelector('#root[data-prerendered]') === null || 'unlike' in document.documentElement.dataset) return;
  if (document.visibilityState === 'hidden') return;
  // A first paint may have been of half the page; the second frame from here comes after the whole.
  await Promise.race([patience(), Promise.all([firstPaint(), nextFrame().then(nextFrame)])]);
}

void seen().then(() => import('./main.tsx'));
