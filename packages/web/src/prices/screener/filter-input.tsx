import type { FilterGroup } from '@pilotfish/core/prices/screener-contract';
import { useCallback, useMemo, useState } from 'react';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { FilterBuilder } from './filter-builder.tsx';
import { type DraftGroup, fromFilter, nodeOfError, toFilter } from './filter-draft.ts';
import { useFilterOptions, useTags } from './use-screener.ts';

type Props = {
  /** What is known of the rules: a saved filter to begin with. Later changes come from here, not from outside. */
  value: FilterGroup | undefined;
  onChange: (filter: FilterGroup | undefined) => void;
  /** Errors of the server by path below the filter, e.g. `rules.0.value`. */
  errors: ReadonlyMap<string, string>;
  limits?: { rules: number; depth: number };
};

const NO_TAGS: readonly { key: string; label: string }[] = [];

/** The filter builder as a field of a form. Half-written rules stay on screen and are left out of the value. */
export function FilterInput({ value, onChange, errors, limits }: Props) {
  const options = useFilterOptions();
  const tags = useTags().data ?? NO_TAGS;
  const [held, setHeld] = useState<DraftGroup>();
  const root = held ?? (options.byKey && fromFilter(value, options.byKey));
  // Ids of rules are made anew at every reading: once read, the draft is held.
  if (root && !held) setHeld(root);
  const tag = useCallback((key: string) => tags.find((each) => each.key === key)?.label ?? key, [tags]);
  const asked = useMemo(() => root && toFilter(root, options.byKey ?? new Map()), [root, options.byKey]);
  const byNode = useMemo(() => {
    const found = new Map<string, string>();
    for (const [path, message] of errors) {
      const id = asked && nodeOfError(path, asked.ids);
      if (id !== undefined) found.set(id, message);
    }
    return found;
  }, [errors, asked]);
  if (options.hasFailed) return <ErrorPanel problem={options.problem} onRetry={options.retry} />;
  if (!root || !options.byKey || !asked) return <Skeleton rows={2} height={32} />;
  const known = options.byKey;
  return (
    <FilterBuilder
      root={root}
      options={known}
      tag={tag}
      errors={byNode}
      incomplete={asked.incomplete}
      {...(limits ? { limits } : {})}
      onChange={(next) => {
        setHeld(next);
        onChange(toFilter(next, known).filter);
      }}
    />
  );
}
