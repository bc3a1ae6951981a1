// Whoever works with the keyboard stands somewhere, and sees where. When that place goes away, or is off while something runs, browsers
// put them back to the top of the page; here they stay beside it.

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

/** Where something stood before it was taken out of the page, and which spot of it had the focus. */
type Gap = { parent: Node; next: Node | null; previous: Node | null; kind: string; index: number };

const kindOf = (node: Node): string => (node instanceof Element ? `${node.tagName} ${node.role}` : '');
const spotsIn = (node: Node): Element[] =>
  node instanceof Element ? [...(node.matches(FOCUSABLE) ? [node] : []), ...node.querySelectorAll(FOCUSABLE)] : [];
const isOff = (element: Element): boolean => element.matches(':disabled');
const isShown = (element: Element): boolean => element.isConnected && element.checkVisibility();

/** The spot in what took the place of the lost one, else the nearest after it, before it, or around it. */
function besideGap({ parent, next, previous, kind, index }: Gap, root: Element): HTMLElement | undefined {
  const along = (from: Node | null, way: 'nextSibling' | 'previousSibling'): HTMLElement | undefined => {
    for (let node = from; node; node = node[way]) {
      const spots = spotsIn(node).filter((spot) => isShown(spot) && !isOff(spot));
      // In the next row of a list it is the same button.
      const spot = spots[kindOf(node) === kind ? Math.min(index, spots.length - 1) : 0];
      if (spot instanceof HTMLElement) return spot;
    }
    return undefined;
  };
  // What stood beside it may be gone by now, too.
  const isThere = (node: Node | null) => node?.parentNode === parent;
  const after = previous && isThere(previous) ? previous.nextSibling : previous && isThere(next) ? next : parent.firstChild;
  let [from, before] = [after, after ? after.previousSibling : parent.lastChild];
  for (let around: Node | null = parent; around && root.contains(around); around = around.parentNode) {
    const spot = along(from, 'nextSibling') ?? along(before, 'previousSibling');
    if (spot) return spot;
    if (around === root) break;
    [from, before] = [around.nextSibling, around.previousSibling];
  }
  return undefined;
}

/** Keeps the focus of the keyboard on the page. Fingers and mice stand nowhere, and are left alone. */
export function keepFocus(document: Document): void {
  /** What has the focus, or had it before it was lost. */
  let held: HTMLElement | undefined;
  let byKey = false;
  /** Lost because it is off: it gets the focus back once it is on again. */
  let waits = false;
  let planned = false;
  const openers = new WeakMap<Element, HTMLElement>();
  const gaps = new WeakMap<Element, Gap>();
  /** The dialog each spot stood in. */
  const dialogs = new WeakMap<Element, HTMLDialogElement>();

  const settle = () => {
    planned = false;
    if (held && held === document.activeElement && !isOff(held)) waits = false;
    if (!held || !byKey || (document.activeElement && document.activeElement !== document.body)) return;
    const dialog = dialogs.get(held);
    const opener = dialog && !dialog.open ? openers.get(dialog) : undefined;
    if (opener) {
      held = opener;
      waits = true;
    }
    if (isShown(held)) {
      if (isOff(held)) waits = true;
      else if (waits) held.focus();
      // Left on purpose.
      else held = undefined;
      return;
    }
    const gap = gaps.get(held);
    const root = document.querySelector('dialog[open]') ?? document.getElementById('main');
    const spot = root && gap && besideGap(gap, root);
    if (spot) spot.focus();
    else if (root instanceof HTMLElement && !held.isConnected) root.focus({ preventScroll: true });
  };
  /** Once what follows from an event has been drawn. */
  const plan = () => {
    if (planned) return;
    planned = true;
    requestAnimationFrame(() => setTimeout(settle));
  };

  document.addEventListener('keydown', () => (byKey = true), true);
  document.addEventListener('pointerdown', () => (byKey = false), true);
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    const dialog = target.closest('dialog');
    if (dialog) {
      dialogs.set(target, dialog);
      if (held && !dialog.contains(held)) openers.set(dialog, held);
    }
    held = target;
    waits = false;
    // Browsers are content with an edge of it; below a sticky header or in a row that scrolls that shows nothing.
    if (byKey) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  document.addEventListener('focusout', plan);
  document.addEventListener('close', plan, true);
  new MutationObserver((records) => {
    const dialog = held && dialogs.get(held);
    const opener = dialog && openers.get(dialog);
    for (const { target, removedNodes, nextSibling, previousSibling } of records)
      for (const node of removedNodes)
        for (const lost of [held, opener])
          if (lost && node.contains(lost))
            gaps.set(lost, {
              parent: target,
              next: nextSibling,
              previous: previousSibling,
              kind: kindOf(node),
              index: spotsIn(node).indexOf(lost),
            });
    // Seen here, as it may be on again by the time it is looked at.
    if (held && isOff(held)) waits = true;
    if (held && byKey) plan();
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled', 'hidden', 'open'] });
}
