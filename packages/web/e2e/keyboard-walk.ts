import type { Page } from 'playwright-core';

// Walks a page with the Tab key and looks at every stop as somebody without a mouse does.

export type Stop = {
  /** The same element has the same number. */
  readonly at: number;
  readonly what: string;
  /** What a reader would miss here. */
  readonly wrong: readonly string[];
};

/** Where the focus is; undefined while nothing on the page has it. */
export const stopOf = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(async () => {
    // What follows from the press has been drawn.
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    );
    const element = document.activeElement;
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || element === document.body) return undefined;
    const shared = globalThis as unknown as { stops?: Element[] };
    shared.stops ??= [];
    if (!shared.stops.includes(element)) shared.stops.push(element);
    const box = element.getBoundingClientRect();
    const wrong: string[] = [];

    const labels = [...((element as HTMLInputElement).labels ?? [])].map((each) => each.textContent).join(' ');
    const labelledBy = element.getAttribute('aria-labelledby');
    const name =
      element.getAttribute('aria-label') ??
      (labelledBy ? document.getElementById(labelledBy)?.textContent : undefined) ??
      (labels || element.textContent || element.getAttribute('title') || element.getAttribute('placeholder'));
    if ((name ?? '').trim() === '') wrong.push('has no name');

    const isMarked = (each: Element | null): boolean => {
      if (!each) return false;
      const isOutlined = ({ outlineStyle, outlineWidth }: CSSStyleDeclaration) => outlineStyle !== 'none' && outlineWidth !== '0px';
      // A row that is pressed as a whole has its ring on what lies over it.
      return (
        isOutlined(getComputedStyle(each)) || isOutlined(getComputedStyle(each, '::after')) || getComputedStyle(each).boxShadow !== 'none'
      );
    };
    if (!isMarked(element) && !isMarked(element.nextElementSibling)) wrong.push('does not show that it has the focus');

    // Something that sticks must not lie over it. What is higher than the window cannot be seen whole.
    const isOver = ([x, y]: readonly [number, number]): boolean => {
      const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      if (!hit || hit === document.documentElement || hit === document.body) return true;
      const label = hit.closest('label')?.control;
      return !(element.contains(hit) || hit.contains(element) || label === element);
    };
    const points = [
      [0.5, 0.5],
      [0.1, 0.2],
      [0.9, 0.2],
      [0.1, 0.8],
      [0.9, 0.8],
    ] as const;
    if (box.height < innerHeight * 0.7 && points.filter(isOver).length > 2) wrong.push('is hidden, wholly or for the most part');

    // A box that scrolls cuts off the ring of what fills it.
    const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(element);
    const grown = outlineStyle === 'none' ? 0 : Math.max(0, Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth));
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const edge = around.getBoundingClientRect();
      const cut = (...by: number[]) => by.every((pixels) => pixels > 1.5);
      if (box.height <= edge.height && cut(edge.top - box.top + grown, box.bottom + grown - edge.bottom))
        wrong.push('has its ring cut off above and below');
      if (box.width <= edge.width && cut(edge.left - box.left + grown, box.right + grown - edge.right))
        wrong.push('has its ring cut off left and right');
    }
    return { at: shared.stops.indexOf(element), what: `${name?.trim().slice(0, 60)} ${element.outerHTML.slice(0, 100)}`, wrong };
  });

/**
 * Goes once through the page, to its end or for so many stops.
 * @returns how many stops there were, and those with which something is wrong, a stop that holds the focus among them
 */
export async function walk(page: Page, key: 'Tab' | 'Shift+Tab', most = 60): Promise<{ count: number; wrong: string[] }> {
  const seen = new Set<number>();
  const wrong: string[] = [];
  let first: number | undefined;
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press(key);
    const stop = await stopOf(page);
    // Out of the page: into it at the beginning, round at the end.
    if (!stop) {
      if (first === undefined) continue;
      break;
    }
    if (stop.at === first) break;
    if (seen.has(stop.at)) {
      wrong.push(`${key}: ${stop.what} comes back`);
      break;
    }
    first ??= stop.at;
    seen.add(stop.at);
    wrong.push(...stop.wrong.map((each) => `${key}: ${stop.what} ${each}`));
  }
  return { count: seen.size, wrong };
}
