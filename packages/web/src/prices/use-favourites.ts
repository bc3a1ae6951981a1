import { VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import { useCallback, useMemo } from 'react';
import { useApp } from '../platform/app-context.tsx';
import { choicesOf } from '../platform/choices.ts';
import { useChoice } from '../platform/use-choice.ts';

export function useFavourites() {
  const choices = choicesOf(useApp());
  const [chosen] = useChoice('favourites');
  const favourites = useMemo(() => new Set(chosen), [chosen]);
  const toggle = useCallback(
    (symbol: string) => {
      const next = new Set(choices.of('favourites').get());
      if (!next.delete(symbol)) next.add(symbol);
      choices.choose('favourites', [...next].slice(-VIEW_LIMITS.favourites));
    },
    [choices],
  );
  return { favourites, toggle };
}
