import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import { TAGS } from '@pilotfish/core/prices/asset-tags';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type {
  FilterCell,
  FilterFieldRef,
  FilterGroup,
  FilterOptions,
  FilterResult,
  FilterSort,
} from '@pilotfish/core/prices/screener-contract';
import { screen, sortRows } from '@pilotfish/core/prices/screener-engine';
import { columnId, operationsOf, SCREENER_FIELDS, screenerField } from '@pilotfish/core/prices/screener-fields';
import { checkColumns, checkFilter, checkSort, isGroup, type RuleProblem, wordsOf } from '@pilotfish/core/prices/screener-rules';
import { type ScreenerTable, withColumns } from '@pilotfish/core/prices/screener-table';
import type { Language, Texts } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import type { FigureTable } from './figure-table.ts';
import { type ResultSnapshot, resultSnapshots, roundedCell } from './result-snapshots.ts';

const BEAT_MS = 1000;
/** Answers to guests that are told again within the same beat. */
const ANSWERS_KEPT = 200;

export type ScreenerQuery = {
  readonly filter?: FilterGroup | undefined;
  readonly sort: readonly FilterSort[];
  readonly columns: readonly FilterFieldRef[];
};
export type ResultsAnswer = {
  items: FilterResult[];
  columns: string[];
  total: number;
  page: number;
  pageSize: number;
  snapshot: string;
  asOf: string;
  tooLittleHistory: number;
};

/** Facts about the one who asks, by field: whether it holds of a pair. A field whose source is missing is absent. */
export type PersonalFacts = ReadonlyMap<string, (pair: { symbol: string; baseAsset: string }) => boolean>;
export type PersonalSource = {
  /** Fields that can be told of this account now. */
  available(accountId: string): Promise<readonly string[]>;
  facts(accountId: string, keys: readonly string[]): Promise<PersonalFacts>;
};

export type ScreenerService = ReturnType<typeof screenerService>;

/** Asks the figures of all pairs: what can be asked, and what satisfies a question. */
export function screenerService(options: {
  market: Pick<Market, 'board' | 'pairs' | 'loaded'>;
  figures: FigureTable;
  texts: Texts;
  personal: PersonalSource;
  now: () => number;
  newId: () => string;
  /** Whether a pair is shown to people who look for one. */
  isOffered?: (pair: Pair) => boolean;
  /** Tags of this instance beside the built-in ones. */
  tags?: () => readonly string[];
}) {
  const { market, figures, texts, personal, now, tags = () => [], isOffered = () => true } = options;
  const snapshots = resultSnapshots({ now });
  const answers = new Map<string, ResultsAnswer>();
  let freshAt = Number.NEGATIVE_INFINITY;
  let answersBeat = -1;

  /** The table of this beat. */
  function table(): ScreenerTable {
    if (!market.loaded) throw new AppError('exchange-unreachable');
    const time = now();
    if (!(time - freshAt < BEAT_MS)) {
      figures.refresh();
      freshAt = time;
    }
    return figures.table;
  }
  const quotes = () => [...new Set(market.pairs().map((pair) => pair.quoteAsset))].sort();
  const knowledge = (signedIn: boolean) => ({ signedIn, quotes: quotes(), tags: [...TAGS, ...tags()] });

  function problemsOf(query: ScreenerQuery, signedIn: boolean, available: readonly string[], path?: string): RuleProblem[] {
    const known = knowledge(signedIn);
    const problems = [...checkFilter(query.filter, known, path), ...checkSort(query.sort, known), ...checkColumns(query.columns, known)];
    if (problems.length > 0 || !signedIn) return problems;
    const missing = personalKeys(query).filter((key) => !available.includes(key));
    const limit = SCREENER_FIELDS.filter((field) => !field.personal || available.includes(field.key))
      .map((field) => field.key)
      .join(', ');
    return missing.map((actual) => ({ path: path ?? 'filter', code: 'unknownField', actual, limit }));
  }

  /** @throws AppError `invalid` with every problem in the caller's language */
  function refuse(problems: readonly RuleProblem[], language: Language): void {
    if (problems.length === 0) return;
    const fields = problems.map(
      ({ path, code, limit, actual }): FieldError => ({
        path,
        code,
        message: texts.text(language, `screener.error.${code}`, { limit: limit ?? '', actual: actual ?? '' }),
        limit,
        actual,
      }),
    );
    throw new AppError('invalid', { fields });
  }

  /** The table with what one user's facts add to it. */
  async function tableOf(accountId: string | undefined, query: ScreenerQuery): Promise<ScreenerTable> {
    const keys = accountId === undefined ? [] : personalKeys(query);
    if (accountId === undefined || keys.length === 0) return table();
    const facts = await personal.facts(accountId, keys);
    const base = table();
    const bases = base.words.get('base')!;
    return withColumns(
      base,
      new Map(
        [...facts].map(([key, holds]) => [
          key,
          Float64Array.from(base.symbols, (symbol, row) => (holds({ symbol, baseAsset: bases[row] ?? '' }) ? 1 : 0)),
        ]),
      ),
    );
  }

  function take(asked: ScreenerTable, query: ScreenerQuery, key: string): ResultSnapshot {
    const { rows: found, unknown } = screen(asked, query.filter);
    const rows = found.filter((row) => {
      const pair = figures.pairAt(row);
      return pair === undefined || isOffered(pair);
    });
    const order = query.sort.length === 0 ? rows : sortRows(asked, rows, query.sort);
    const columns = query.columns.map(columnId);
    const cells = new Map(columns.map((id, n) => [id, cellsOf(asked, query.columns[n]!, order)]));
    const symbols = Array.from(order, (row) => asked.symbols[row]!);
    const prices = symbols.map((symbol) => market.board.price(symbol) ?? null);
    const [bases, quoteAssets] = [asked.words.get('base')!, asked.words.get('quote')!];
    return {
      id: options.newId(),
      query: key,
      asOf: market.board.asOf,
      total: order.length,
      tooLittleHistory: unknown,
      columns,
      rowAt: (place) => ({
        symbol: symbols[place]!,
        baseAsset: bases[order[place]!]!,
        quoteAsset: quoteAssets[order[place]!]!,
        price: prices[place]!,
        values: Object.fromEntries(columns.map((id) => [id, cells.get(id)!(place)])),
      }),
      bytes: 500 + order.length * (60 + 8 * columns.length),
    };
  }

  function pageOf(snapshot: ResultSnapshot, page: number, pageSize: number): ResultsAnswer {
    const from = (page - 1) * pageSize;
    const count = Math.max(0, Math.min(pageSize, snapshot.total - from));
    return {
      items: Array.from({ length: count }, (_, n) => snapshot.rowAt(from + n)),
      columns: [...snapshot.columns],
      total: snapshot.total,
      page,
      pageSize,
      snapshot: snapshot.id,
      asOf: new Date(snapshot.asOf).toISOString(),
      tooLittleHistory: snapshot.tooLittleHistory,
    };
  }

  const available = async (accountId: string | undefined): Promise<readonly string[]> =>
    accountId === undefined ? [] : personal.available(accountId);

  return {
    options: async (language: Language, accountId: string | undefined): Promise<FilterOptions> => {
      const mine = await available(accountId);
      const known = knowledge(accountId !== undefined);
      const fields = SCREENER_FIELDS.filter((field) => !field.personal || mine.includes(field.key));
      const label = (key: string) => texts.text(language, `screener.field.${key}`);
      const timeframes = (all: readonly string[] | undefined) => (all === undefined ? {} : { timeframes: [...all] });
      return {
        sort: fields
          .filter((field) => field.type !== 'tags')
          .map((field) => ({ key: field.key, label: label(field.key), ...timeframes(field.timeframes) })),
        filter: fields.map((field) => {
          const values = wordsOf(field, known);
          return {
            key: field.key,
            label: label(field.key),
            type: field.type,
            operations: [...operationsOf(field)],
            ...(field.unit === undefined ? {} : { unit: field.unit }),
            ...(values === undefined ? {} : { values: [...values] }),
            ...timeframes(field.timeframes),
            ...(field.example === undefined ? {} : { example: field.example }),
          };
        }),
      };
    },
    /** One page of what satisfies a question. @throws AppError `invalid`, `snapshot-expired`, `exchange-unreachable` */
    results: async (
      query: ScreenerQuery & { snapshot?: string | undefined; page: number; pageSize: number },
      accountId: string | undefined,
      language: Language,
    ): Promise<ResultsAnswer> => {
      const needsFacts = accountId !== undefined && personalKeys(query).length > 0;
      refuse(problemsOf(query, accountId !== undefined, needsFacts ? await available(accountId) : [], undefined), language);
      // What a guest asks is the same for all; what a user's facts decide is the user's.
      const key = JSON.stringify([needsFacts ? accountId : '', query.filter, query.sort, query.columns]);
      if (query.snapshot !== undefined) {
        const snapshot = snapshots.find(query.snapshot, key);
        if (snapshot === undefined) throw new AppError('snapshot-expired');
        return pageOf(snapshot, query.page, query.pageSize);
      }
      const asked = await tableOf(accountId, query);
      if (answersBeat !== figures.beat) {
        answers.clear();
        answersBeat = figures.beat;
      }
      const answerKey = `${query.page} ${query.pageSize} ${key}`;
      const known = needsFacts ? undefined : answers.get(answerKey);
      if (known !== undefined) return known;
      const snapshot = take(asked, query, key);
      snapshots.put(snapshot);
      // Frozen: it is told again as it is, and so is its text.
      const answer = Object.freeze(pageOf(snapshot, query.page, query.pageSize));
      if (!needsFacts && answers.size < ANSWERS_KEPT) answers.set(answerKey, answer);
      return answer;
    },
    /** Rows of a question in its order, for coin filters. @throws AppError `invalid` */
    rows: async (query: ScreenerQuery, accountId: string): Promise<{ table: ScreenerTable; rows: Int32Array }> => {
      const asked = await tableOf(accountId, query);
      const { rows } = screen(asked, query.filter);
      return { table: asked, rows: query.sort.length === 0 ? rows : sortRows(asked, rows, query.sort) };
    },
    /** The table of this beat as one account sees it, with every column that the filter asks for. */
    tableFor: (accountId: string, filter: FilterGroup): Promise<ScreenerTable> => tableOf(accountId, { filter, sort: [], columns: [] }),
    /** What questions may be about, for whoever checks them by rules of its own. */
    knowledge: () => knowledge(true),
    /** @throws AppError `invalid` when a saved question could not be asked */
    check: async (query: ScreenerQuery, accountId: string, language: Language, path: string): Promise<void> => {
      refuse(problemsOf(query, true, await available(accountId), path), language);
    },
    table,
  };
}

/** Fields about oneself that a question looks at. */
function personalKeys({ filter, sort, columns }: ScreenerQuery): string[] {
  const keys = new Set([...sort, ...columns].map((each) => each.key));
  const walk = (group: FilterGroup, depth: number): void => {
    for (const rule of group.rules) {
      if (!isGroup(rule)) {
        keys.add(rule.key);
        if (rule.of) keys.add(rule.of.key);
      } else if (depth < 10) walk(rule, depth + 1);
    }
  };
  if (filter !== undefined) walk(filter, 0);
  return [...keys].filter((key) => screenerField(key)?.personal === true);
}

/** The cells of one column, frozen in the order of the rows. */
function cellsOf(table: ScreenerTable, ref: FilterFieldRef, order: Int32Array): (place: number) => FilterCell {
  const field = screenerField(ref.key);
  const id = columnId(ref);
  if (field?.type === 'tags') {
    const { tags } = table;
    return (place) => [...(tags[order[place]!] ?? [])];
  }
  if (field?.type === 'text' || field?.type === 'enum') {
    const column = ref.key === 'symbol' ? table.symbols : table.words.get(id);
    const words = Array.from(order, (row) => column?.[row] ?? null);
    return (place) => words[place] ?? null;
  }
  const column = table.numbers.get(id);
  const numbers = Float64Array.from(order, (row) => column?.[row] ?? Number.NaN);
  if (field?.type === 'time') return (place) => (Number.isNaN(numbers[place]!) ? null : new Date(numbers[place]!).toISOString());
  if (field?.type === 'bool') return (place) => (Number.isNaN(numbers[place]!) ? null : numbers[place] === 1);
  return (place) => roundedCell(numbers[place]!);
}
