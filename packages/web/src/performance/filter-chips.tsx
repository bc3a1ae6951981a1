import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../ui/controls.tsx';
import { FilterChip } from '../ui/kit/filter-chip.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState } from '../ui/state-panels.tsx';
import { NO_FILTERS, type PerformanceFilters } from './performance-address.ts';
import type { Words } from './use-words.ts';

/** What a panel needs to be clicked on: the filters, their names, and what to do with others. */
export type FilterProps = { address: PerformanceFilters; words: Words; onChange: (changes: Partial<PerformanceFilters>) => void };

/** The active filters, each with a button that removes it. */
export function FilterChips({ address, words, onChange }: FilterProps) {
  const { t } = useTranslation();
  const { day, bots, coins, reasons, hour } = address;
  const without = <Item,>(list: readonly Item[], item: Item) => list.filter((each) => each !== item);
  const chips: { key: string; label: string; changes: Partial<PerformanceFilters> }[] = [
    ...(day === undefined ? [] : [{ key: 'day', label: words.day(day, true), changes: { day: undefined } }]),
    ...bots.map((id) => ({ key: id, label: words.bot(id), changes: { bots: without(bots, id) } })),
    ...coins.map((coin) => ({ key: `coin ${coin}`, label: coin, changes: { coins: without(coins, coin) } })),
    ...reasons.map((reason) => ({ key: `reason ${reason}`, label: words.reason(reason), changes: { reasons: without(reasons, reason) } })),
    ...(hour === undefined ? [] : [{ key: 'hour', label: `${words.hour(hour)}–${words.hour(hour + 1)}`, changes: { hour: undefined } }]),
  ];
  if (chips.length === 0) return null;
  return (
    <Flex gap="2" wrap="wrap" role="group" aria-label={t('performance.filters')}>
      {chips.map(({ key, label, changes }) => (
        <FilterChip key={key} active clears onClick={() => onChange(changes)}>
          {label}
        </FilterChip>
      ))}
      {chips.length > 1 && (
        <Button size="chip" variant="ghost" color="fg.muted" onClick={() => onChange(NO_FILTERS)}>
          {t('performance.clear')}
        </Button>
      )}
    </Flex>
  );
}

/** Shown where the filters leave no exit. */
export function NoneFiltered({ onChange }: Pick<FilterProps, 'onChange'>) {
  const { t } = useTranslation();
  return (
    <Panel>
      <EmptyState
        icon="filter"
        title={t('performance.noneTitle')}
        action={
          <Button h={{ base: '11', md: '10' }} colorPalette="brand" onClick={() => onChange(NO_FILTERS)}>
            {t('performance.clear')}
          </Button>
        }
      >
        {t('performance.noneLead')}
      </EmptyState>
    </Panel>
  );
}
