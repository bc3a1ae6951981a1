import { useCallback, useState } from 'react';
import { useApp } from '../app/app-context.tsx';

/** A choice of this browser, e.g. the columns: read once, written at every change. Nonsense in storage is no choice. */
export function useStored<Value>(key: string, read: (parsed: unknown) => Value | undefined) {
  const { storage } = useApp().browser;
  const [value, setValue] = useState<Value | undefined>(() => {
    try {
      return read(JSON.parse(storage.get(key) ?? 'null'));
    } catch {
      return undefined;
    }
  });
  const store = useCallback(
    (next: Value | undefined) => {
      if (next === undefined) storage.remove(key);
      else storage.set(key, JSON.stringify(next));
      setValue(next);
    },
    [storage, key],
  );
  return [value, store] as const;
}

export const readTexts = (parsed: unknown): readonly string[] | undefined =>
  Array.isArray(parsed) && parsed.every((each) => typeof each === 'string') ? parsed.slice(0, 50) : undefined;
export const readText = (parsed: unknown): string | undefined => (typeof parsed === 'string' ? parsed : undefined);
