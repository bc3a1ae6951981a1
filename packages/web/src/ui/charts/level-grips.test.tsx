// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { LevelGrips, type LevelMoves } from './level-grips.tsx';
import type { PriceLevel } from './price-chart.tsx';
import type { PriceDrawing } from './price-drawing.ts';

beforeAll(() => {
  const nothing = () => undefined;
  Object.assign(Element.prototype, { setPointerCapture: nothing, releasePointerCapture: nothing });
});
afterEach(cleanup);

const level = (id: string, price: number): PriceLevel => ({ id, label: id, price, tone: 'loss', look: 'dashed', grip: true });
const place = (id: string, y: number, isOffScale = false) => ({ id, x: 300, y, width: 60, height: 20, isOffScale });

/** A scale from 140 at the top, ten pixels to one; and all that was said. */
function shown(places = [place('stop', 295), place('tp', 100)]) {
  const said: string[] = [];
  const drawing = {
    priceAt: (y: number) => 140 - y / 10,
    yOf: (price: number) => (140 - price) * 10,
    hold: (isHeld: boolean) => said.push(isHeld ? 'held' : 'let go'),
  } as unknown as PriceDrawing;
  const moves: LevelMoves = {
    wordsOf: (id) => (id === 'average' ? undefined : { name: id, value: `${id} in words` }),
    onTake: (id) => said.push(`take ${id}`),
    onPoint: (id, price) => said.push(`${id} ${price}`),
    onRelease: (id) => said.push(`release ${id}`),
    onKeyDown: (id, { key }) => said.push(`${id} ${key}`),
  };
  const levels = [level('stop', 110), level('tp', 130), level('average', 120)];
  render(<LevelGrips places={places} levels={levels} preview={undefined} moves={moves} drawingRef={{ current: drawing }} />);
  return { said, grip: (name: string) => screen.getByRole('slider', { name }) };
}

test('a grip that is dragged points from its line, not from its label, and the scale stays under the hand', () => {
  const { said, grip } = shown();
  fireEvent.pointerDown(grip('stop'), { button: 0, clientY: 305 });
  // A hand trembles.
  fireEvent.pointerMove(grip('stop'), { clientY: 306 });
  expect(said).toEqual([]);
  // Its label was pushed down by 5 px from its line at 300.
  fireEvent.pointerMove(grip('stop'), { clientY: 285 });
  fireEvent.pointerUp(grip('stop'), { clientY: 285 });
  fireEvent.pointerMove(grip('stop'), { clientY: 200 });
  expect(said).toEqual(['held', 'stop 112', 'let go', 'release stop']);
});

test('a press that does not move takes hold, another button does nothing, and keys go to who moves it', () => {
  const { said, grip } = shown();
  fireEvent.pointerDown(grip('tp'), { button: 2, clientY: 110 });
  fireEvent.pointerUp(grip('tp'), { clientY: 110 });
  expect(said).toEqual([]);
  fireEvent.pointerDown(grip('tp'), { button: 0, clientY: 110 });
  fireEvent.pointerUp(grip('tp'), { clientY: 110 });
  fireEvent.keyDown(grip('tp'), { key: 'ArrowUp' });
  expect(said).toEqual(['let go', 'take tp', 'tp ArrowUp']);
  expect(grip('tp').getAttribute('aria-valuetext')).toBe('tp in words');
});

test('a level off the scale comes to the hand', () => {
  const { said, grip } = shown([place('stop', 370, true)]);
  fireEvent.pointerDown(grip('stop'), { button: 0, clientY: 380 });
  fireEvent.pointerMove(grip('stop'), { clientY: 340 });
  expect(said).toEqual(['held', 'stop 106']);
});

test('a finger has 44 px, but never those of the next level', () => {
  const { grip } = shown([place('stop', 295), place('tp', 265)]);
  expect([grip('stop').style.height, grip('stop').style.top]).toEqual(['30px', '290px']);
  cleanup();
  expect(shown([place('stop', 295)]).grip('stop').style.height).toBe('44px');
});
