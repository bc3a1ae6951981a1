import type { Client } from '@pilotfish/core/http/client';
import type { Contract } from '@pilotfish/core/http/contract';
import { codeOf } from '@pilotfish/core/http/problem';
import type { FilterFieldRef, FilterGroup, FilterOption, FilterResult, FilterSort } from '@pilotfish/core/prices/screener-contract';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../platform/app-context.tsx';
import { useQuery } from '../../platform/use-query.ts';
import { useSignedIn } from '../../platform/use-session.ts';

export type Question = { filter?: FilterGroup; sort: readonly FilterSort[]; columns: readonly FilterFieldRef[] };
export type ScreenerAnswer = {
  rows: readonly FilterResult[];
  columns: readonly string[];
  total: number;
  tooLittleHistory: number;
  asOf: string;
};

const PAGE_SIZE = 1000;
export const REFRESH_MS = 5000;
/** A pause in typing; long enough for a word, short enough to feel at once. */
const DEBOUNCE_MS = 250;

/** All pages of one moment. A snapshot that went away in between is asked for once more. */
export async function askScreener(
  client: Client<Contract>,
  question: Question,
  signal: AbortSignal,
  again = true,
): Promise<ScreenerAnswer> {
  const ask = (page: number, snapshot?: string) =>
    client.getFilterResults(
      {
        body: {
          ...question,
          sort: [...question.sort],
          columns: [...question.columns],
          page,
          pageSize: PAGE_SIZE,
          ...(snapshot === undefined ? {} : { snapshot }),
        },
      },
      { signal, quiet: true, check: true },
    );
  try {
    const first = await ask(1);
    const pages = Math.ceil(first.total / PAGE_SIZE);
    const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => ask(index + 2, first.snapshot)));
    return {
      rows: [first, ...others].flatMap(({ items }) => items),
      columns: first.columns,
      total: first.total,
      tooLittleHistory: first.tooLittleHistory,
      asOf: first.asOf,
    };
  } catch (error) {
    if (again && codeOf(error) === 'snapshot-expired') return askScreener(client, question, signal, false);
    throw error;
  }
}

/** A value once it has stood still for a moment. */
export function useSettled<Value>(value: Value, milliseconds = DEBOUNCE_MS): Value {
  const key = JSON.stringify(value);
  const [settled, setSettled] = useState({ key, value });
  useEffect(() => {
    if (key === settled.key) return;
    const timer = setTimeout(() => setSettled({ key, value: JSON.parse(key) as Value }), milliseconds);
    return () => clearTimeout(timer);
  }, [key, settled.key, milliseconds]);
  return settled.value;
}

/**
 * The screener's answer, asked again after every change and every few seconds while somebody looks. What was last
 * known stays until something newer comes; `keptSince` says when it was known if the newest try failed.
 * @param name of the query: `screener`, or one of its kind with a colon
 */
export function useScreener(name: string, question: Question | undefined) {
  const app = useApp();
  const settled = useSettled(question ?? null);
  const query = useQuery(
    name,
    (client, params: Question | null, signal) => askScreener(client, params ?? { sort: [], columns: [] }, signal),
    settled,
    { enabled: settled !== null },
  );
  // Asked the same again, the answer is the same: what is said of the rules would go and come with every try.
  const isRefused = query.hasFailed && query.problem?.code === 'invalid';
  useEffect(() => {
    if (isRefused) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate(name), REFRESH_MS);
    return () => clearInterval(timer);
  }, [app, name, isRefused]);
  const [kept, setKept] = useState<{ answer: ScreenerAnswer; at: number }>();
  if (query.data && kept?.answer !== query.data) setKept({ answer: query.data, at: query.loadedAt ?? 0 });
  const failed = query.hasFailed || query.isStale;
  return {
    answer: query.data ?? kept?.answer,
    /** Half a question is no failure: the rules say what is wrong with them. */
    problem: failed ? query.problem : undefined,
    keptSince: failed && kept ? kept.at : undefined,
    isAsking: query.isLoading && settled !== null,
    retry: query.retry,
  };
}

/** What can be filtered and sorted by, in the reader's language. */
export function useFilterOptions() {
  const { i18n } = useTranslation();
  const signedIn = useSignedIn();
  const query = useQuery(
    `filter-options:${i18n.language}:${signedIn}`,
    (client, _: null, signal) => client.getFilterOptions(undefined, { signal, quiet: true }),
    null,
    { keep: true },
  );
  const byKey = useMemo<ReadonlyMap<string, FilterOption> | undefined>(
    () => query.data && new Map(query.data.filter.map((option) => [option.key, option])),
    [query.data],
  );
  return { ...query, byKey };
}

export function useTags() {
  const { i18n } = useTranslation();
  return useQuery(`tags:${i18n.language}`, (client, _: null, signal) => client.listTags(undefined, { signal, quiet: true }), null, {
    keep: true,
  });
}
