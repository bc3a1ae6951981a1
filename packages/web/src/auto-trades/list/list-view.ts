import type { App } from '../../platform/app.ts';
import { createStore } from '../../platform/store.ts';
import { VIEWS, type View } from './bot-address.ts';
import { COLUMNS, type Column } from './bot-order.ts';

const VIEW_KEY = 'bots_view';
const COLUMNS_KEY = 'bots_columns';

/** How this device shows the list of bots; undefined where nothing was chosen. */
export const listViewOf = (app: App) =>
  app.keep('bots-list', () => {
    const { storage } = app.browser;
    const kept = storage.get(COLUMNS_KEY)?.split(',');
    const view = createStore<View | undefined>(VIEWS.find((each) => each === storage.get(VIEW_KEY)));
    const columns = createStore<readonly Column[] | undefined>(kept && COLUMNS.filter((each) => kept.includes(each)));
    return {
      view,
      columns,
      chooseView: (next: View) => {
        storage.set(VIEW_KEY, next);
        view.set(next);
      },
      chooseColumns: (next: readonly Column[] | undefined) => {
        if (next) storage.set(COLUMNS_KEY, next.join(','));
        else storage.remove(COLUMNS_KEY);
        columns.set(next);
      },
    };
  });

const without = (...left: readonly Column[]): readonly Column[] => COLUMNS.filter((column) => !left.includes(column));
/** What there is room for until somebody chooses, by the width of the window. The same arrays each time, or every row would be drawn again. */
export const FITTING = {
  wide: COLUMNS,
  middle: without('winRate', 'inUse'),
  narrow: without('winRate', 'inUse', 'profitFactor', 'drawdown', 'curve'),
} as const satisfies Record<string, readonly Column[]>;
