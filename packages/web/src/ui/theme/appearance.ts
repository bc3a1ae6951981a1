import type { KeyValueStore } from '../../platform/browser.ts';
import { createStore } from '../../platform/store.ts';

export type Theme = 'dark' | 'light';
export type Palette = 'green-red' | 'blue-orange';

/** Theme and gain/loss palette: stored, dark by default, applied to the root element before the first paint by index.html. */
export function createAppearance(storage: KeyValueStore, root: HTMLElement) {
  const theme = createStore<Theme>(storage.get('theme') === 'light' ? 'light' : 'dark');
  const palette = createStore<Palette>(storage.get('palette') === 'blue-orange' ? 'blue-orange' : 'green-red');
  const apply = () => {
    root.classList.toggle('dark', theme.get() === 'dark');
    root.classList.toggle('light', theme.get() === 'light');
    if (palette.get() === 'blue-orange') root.dataset.palette = 'blue-orange';
    else delete root.dataset.palette;
    root.ownerDocument.querySelector('meta[name=theme-color]')?.setAttribute('content', theme.get() === 'dark' ? '#0a0f1a' : '#fafaf7');
  };
  theme.subscribe(apply);
  palette.subscribe(apply);
  apply();
  return {
    theme,
    palette,
    setTheme: (next: Theme) => {
      storage.set('theme', next);
      theme.set(next);
    },
    setPalette: (next: Palette) => {
      storage.set('palette', next);
      palette.set(next);
    },
  };
}
export type Appearance = ReturnType<typeof createAppearance>;
