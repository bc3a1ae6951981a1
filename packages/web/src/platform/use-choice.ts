import { useCallback } from 'react';
import { useApp, useStore } from './app-context.tsx';
import { type ChoiceName, choicesOf } from './choices.ts';

/** A choice that stays: in this browser, and in the account while somebody is signed in. Undefined where nothing was chosen. */
export function useChoice<Name extends ChoiceName>(name: Name) {
  const choices = choicesOf(useApp());
  const value = useStore(choices.of(name));
  const choose = useCallback((next: typeof value) => choices.choose(name, next), [choices, name]);
  return [value, choose] as const;
}
