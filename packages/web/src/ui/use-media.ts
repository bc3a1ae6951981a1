import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, for what cannot be said in CSS: which of two things exists at all. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    useCallback(
      (listener) => {
        const media = matchMedia(query);
        media.addEventListener('change', listener);
        return () => media.removeEventListener('change', listener);
      },
      [query],
    ),
    () => matchMedia(query).matches,
  );
}
