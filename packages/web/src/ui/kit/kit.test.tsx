// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { BarList } from './bar-list.tsx';
import { BotState } from './bot-state.tsx';
import { ChangeBar } from './change-bar.tsx';
import { LevelList } from './level-list.tsx';
import { LevelTrack } from './level-track.tsx';
import { Menu, MenuButton } from './menu.tsx';
import { Distance, Price } from './price.tsx';
import { Result, ResultPercent } from './result.tsx';
import { StatusSentence } from './status-sentence.tsx';
import { TitledPanel } from './titled-panel.tsx';

afterEach(cleanup);
const draw = (node: React.ReactNode) => show(testApp(), node);
const usdt = { currency: 'USDT', reason: 'no price yet' };

test('a result has its sign and its tone; what reads zero has neither, however small it is', async () => {
  await draw(
    <>
      <Result value="20.88" {...usdt} />
      <Result value="-17.29" {...usdt} unit />
      <Result value="0" {...usdt} />
      <ResultPercent value="-0.001" reason="" />
    </>,
  );
  const tones = ['+20.88', '−17.29', '0.00', '0.00%'].map((text) => screen.getByText(text).className);
  expect(tones).toEqual(['gain', 'loss', '', '']);
  expect(screen.getByText('USDT')).toBeTruthy();
});

test('what is not known is a dash, with its reason for the ear and the pointer', async () => {
  await draw(<Result value={null} {...usdt} />);
  expect(screen.getByTitle('no price yet').textContent).toBe('–no price yet');
});

test('an old price says its age and is not hidden; a distance has words for its arrow and no tone', async () => {
  const { container } = await draw(
    <>
      <Price value="97884.23" places={2} age={5000} reason="" />
      <Price value="0.6836" places={4} age={24_000} reason="" />
      <Distance value="-0.97" reason="" />
    </>,
  );
  expect(container.textContent).toBe('97,884.230.6836 24 s old↓ 0.97%0.97% below');
  expect(container.querySelector('.gain, .loss')).toBeNull();
});

test('a track says its levels in words, in the order in which they stand, and that a stop is missing', async () => {
  await draw(
    <>
      <LevelTrack
        symbol="SOL"
        places={2}
        levels={{ stop: '149.28', rebuys: ['158.2'], breakEven: '164', price: '162.87', target: '165.68' }}
      />
      <LevelTrack symbol="BNB" places={2} levels={{ stop: null, breakEven: null, price: '708.4', target: null }} />
    </>,
  );
  expect(screen.getAllByRole('img').map((each) => each.getAttribute('aria-label'))).toEqual([
    'SOL: stop 149.28, rebuy 158.20, break-even 164.00, price 162.87, target 165.68',
    'BNB: No stop, price 708.40',
  ]);
  expect(screen.getByText('No stop')).toBeTruthy();
});

test('levels are one stop of the Tab key: arrows go from one to the next and stay within; Enter takes hold of what has a grip', async () => {
  const items = ['Take profit', 'Price', 'Stop'].map((name, index) => ({
    id: name,
    name,
    price: String(100 - index),
    tone: 'neutral' as const,
    isPresent: name === 'Price',
    ...(name === 'Stop' && { distance: '-1', outcome: '−30.75', grip: { label: 'Stop', value: 'Stop 98, sells all', now: 98 } }),
  }));
  const taken: string[] = [];
  const keys: string[] = [];
  const moves = {
    onTake: (id: string, byKey: boolean) => taken.push(`${id} ${byKey}`),
    onKeyDown: (id: string, { key }: { key: string }) => keys.push(`${id} ${key}`) > 0,
    hint: 'Enter takes hold.',
  };
  await draw(<LevelList label="BTC levels" items={items} moves={moves} />);
  const list = screen.getByRole('list', { name: 'BTC levels' });
  const rows = () => screen.getAllByRole('listitem');
  expect(rows().map(({ textContent }) => textContent)).toEqual(['Take profit100', 'Price99', 'Stop98↓ 1.00%1.00% below · −30.75']);
  const focusable = () => [...list.querySelectorAll('[tabindex="0"]')].map((each) => each.getAttribute('data-level'));
  expect(focusable()).toEqual(['Take profit']);
  act(() => list.querySelector<HTMLElement>('[tabindex="0"]')!.focus());
  const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });
  const walked = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'Enter', 'ArrowUp', 'End'].map((key) => {
    press(key);
    return document.activeElement?.getAttribute('data-level');
  });
  expect(walked).toEqual(['Price', 'Stop', 'Stop', 'Price', 'Take profit', 'Take profit', 'Take profit', 'Stop']);
  expect(focusable()).toEqual(['Stop']);
  const slider = screen.getByRole('slider', { name: 'Stop' });
  expect([document.activeElement, slider.getAttribute('aria-valuetext')]).toEqual([slider, 'Stop 98, sells all']);
  press('Enter');
  fireEvent.click(slider);
  expect([taken, keys]).toEqual([['Stop true', 'Stop false'], []]);
  cleanup();
  await draw(<LevelList label="BTC levels" items={items.map((item) => ({ ...item, isTaken: item.id === 'Stop' }))} moves={moves} />);
  act(() => screen.getByRole('slider').focus());
  press('ArrowUp');
  press('Enter');
  expect([keys, taken.length, document.activeElement]).toEqual([['Stop ArrowUp', 'Stop Enter'], 2, screen.getByRole('slider')]);
});

test('a change is confirmed by its button or Enter in its field, once and only where it can be; Esc discards it', async () => {
  const said: string[] = [];
  const bar = (isOff: boolean) => (
    <ChangeBar
      title="Move stop"
      before="94,484.25"
      after={{ label: 'New price', value: '95900', onTyped: (value) => said.push(value) }}
      spoken=""
      confirm={{ label: 'Move stop', isOff }}
      onConfirm={() => said.push('confirmed')}
      onDiscard={() => said.push('discarded')}
    />
  );
  await draw(bar(true));
  fireEvent.click(screen.getByRole('button', { name: /^Move stop/ }));
  fireEvent.submit(screen.getByRole('form', { name: 'Move stop' }));
  expect(said).toEqual([]);
  cleanup();
  await draw(bar(false));
  const field = screen.getByRole('textbox', { name: 'New price' });
  fireEvent.change(field, { target: { value: '95901' } });
  // A key that is held down repeats.
  expect(fireEvent.keyDown(field, { key: 'Enter', repeat: true })).toBe(false);
  fireEvent.submit(screen.getByRole('form'));
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(said).toEqual(['95901', 'confirmed', 'discarded']);
});

test('a menu closes before what it asks for opens, and keeps the focus on its dots', async () => {
  const asked: (Element | null)[] = [];
  await draw(
    <Menu
      label="More"
      items={(close) => (
        <MenuButton
          onClick={() => {
            close();
            asked.push(document.activeElement);
          }}
        >
          Reset
        </MenuButton>
      )}
    />,
  );
  const dots = screen.getByRole('button', { name: 'More' });
  expect(screen.queryByRole('menuitem', { name: 'Reset' })).toBeNull();
  fireEvent.click(dots);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Reset' }));
  expect(asked).toEqual([dots]);
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Reset' })).toBeNull());
});

test('every state has a word and a shape of its own', async () => {
  const shapes = ['running', 'paused', 'needs', 'stopped', 'off'] as const;
  await draw(
    shapes.map((shape) => (
      <BotState key={shape} shape={shape}>
        {`is ${shape}`}
      </BotState>
    )),
  );
  const drawn = shapes.map((shape) => screen.getByText(`is ${shape}`).querySelector('svg')?.innerHTML);
  expect(new Set(drawn).size).toBe(shapes.length);
});

test('a sentence ends once, whatever its parts are', async () => {
  const { container } = await draw(
    <>
      <StatusSentence lead="Holds BTC." next="BTC: waits for 98,340.75" distance="0.47" />
      <StatusSentence lead="Paused." next="Looks again at 18:40." />
    </>,
  );
  expect(container.textContent).toContain('Holds BTC. BTC: waits for 98,340.75, ↑ 0.47%');
  expect(container.textContent?.endsWith('Paused. Looks again at 18:40.')).toBe(true);
});

test('bars go to their side of one line, on one scale', async () => {
  const { container } = await draw(
    <BarList
      label="By coin"
      rows={[
        { key: 'a', label: 'A', size: 30, figure: '+30' },
        { key: 'b', label: 'B', size: -10, figure: '−10' },
        { key: 'c', label: 'C', size: 0, figure: '0.00' },
      ]}
    />,
  );
  const bars = [...container.querySelectorAll<HTMLElement>('[style*="min-width"]')].map(({ style }) => [
    style.insetInlineStart,
    style.width,
  ]);
  expect(bars).toEqual([
    ['25%', '75%'],
    ['0%', '25%'],
  ]);
});

test('a panel keeps its heading while it loads and when it failed, and the old figures while it tries again', async () => {
  const query = { data: undefined, hasFailed: false, problem: undefined, retry: () => undefined };
  await draw(
    <>
      <TitledPanel title="Loading" query={query}>
        never
      </TitledPanel>
      <TitledPanel title="Failed" query={{ ...query, hasFailed: true }}>
        never
      </TitledPanel>
      <TitledPanel title="Old" query={{ ...query, data: [], hasFailed: true, isStale: true }}>
        last known
      </TitledPanel>
      <TitledPanel title="Aged" query={{ ...query, data: [], isStale: true, loadedAt: 0 }}>
        grey
      </TitledPanel>
    </>,
  );
  expect(['Loading', 'Failed', 'Old'].map((name) => screen.getByRole('region', { name }).textContent?.includes('never'))).toEqual([
    false,
    false,
    false,
  ]);
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(2);
  expect(screen.getByText('last known').className).toContain('stale');
  // Grey alone is not seen by everybody: what is old says since when.
  expect(screen.getByRole('region', { name: 'Aged' }).textContent).toMatch(/As of .*\d\d:\d\d/);
});
