import { Box } from '@chakra-ui/react';
import { UNKNOWN } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { FilterOption } from '@pilotfish/core/prices/screener-contract';
import { columnRef } from '@pilotfish/core/prices/screener-fields';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type CellContext, cellText } from '../../prices/screener/cell-text.ts';
import { columnLabel } from '../../prices/screener/prices-grid.tsx';
import { useScreener } from '../../prices/screener/use-screener.ts';
import { IconButton } from '../../ui/controls.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { Nothing, Rows } from './parts.tsx';

export type TableColumns = {
  /** Ids of the table's columns: the same figures are shown of this pair. */
  readonly columns: readonly string[];
  /** Undefined while they are not known. */
  readonly options: ReadonlyMap<string, FilterOption> | undefined;
  readonly tags: readonly { key: string; label: string; symbols: readonly string[] }[];
};

/** What the header of the chart shows live. */
const IN_HEADER = new Set(['price', 'change.24h', 'quoteVolume']);

/** The columns of the table for one pair, also when the filter leaves the pair out. */
export function FiguresPanel({
  pair,
  columns,
  options,
  tags,
  onColumns,
}: TableColumns & { pair: Pair; onColumns?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { symbol } = pair;
  const shown = columns.filter((id) => !IN_HEADER.has(id));
  const { answer, problem, keptSince, retry } = useScreener(
    `pair-figures:${symbol}`,
    shown.length === 0
      ? undefined
      : {
          filter: { match: 'all', rules: [{ key: 'symbol', operation: 'startsWith', value: symbol }] },
          sort: [],
          columns: shown.map(columnRef),
        },
  );
  const row = answer?.rows.find((each) => each.symbol === symbol);
  const context = useMemo<CellContext>(
    () => ({
      day: (at) => moment(at, 'day'),
      t: t as CellContext['t'],
      tag: (key) => tags.find((tag) => tag.key === key)?.label ?? key,
    }),
    [moment, t, tags],
  );
  const own = tags.filter(({ symbols }) => symbols.includes(symbol)).map(({ label }) => label);
  const figures = shown.map((id) => {
    const { key } = columnRef(id);
    const value = row?.values[id];
    // A change goes both ways; of other columns a single value cannot show whether it does, and only a sign that is there is kept.
    const isSigned = typeof value === 'number' && (value < 0 || key === 'change');
    const { text, tone } = cellText(options?.get(key), value, isSigned, context);
    return { key: id, label: options ? columnLabel(id, options) : id, value: text === '' ? UNKNOWN : text, tone };
  });
  const named = own.length === 0 || columns.includes('tags') ? [] : [{ key: 'own-tags', label: t('prices.tags'), value: own.join(', ') }];
  const all = [...figures, ...named];
  const isWaiting = shown.length > 0 && (answer === undefined || options === undefined);
  return (
    <TitledPanel
      title={t('prices.figures')}
      flush
      rows={Math.max(1, shown.length)}
      query={{
        data: isWaiting ? undefined : all,
        hasFailed: problem !== undefined && answer === undefined,
        isStale: keptSince !== undefined,
        loadedAt: keptSince,
        problem,
        retry,
      }}
      actions={
        onColumns && (
          <IconButton
            icon="columns"
            label={t('prices.columns')}
            h={{ base: '11', md: '8' }}
            w={{ base: '11', md: '8' }}
            onClick={onColumns}
          />
        )
      }
    >
      <Box>{all.length === 0 ? <Nothing>{t('markets.yours.noColumns')}</Nothing> : <Rows rows={all} />}</Box>
    </TitledPanel>
  );
}
