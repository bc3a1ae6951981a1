import { Flex, Heading, Text } from '@chakra-ui/react';
import type { CoinFilter, FilterOption } from '@pilotfish/core/prices/screener-contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/primitives.tsx';
import { FilterBuilder } from './filter-builder.tsx';
import { countRules } from './filter-draft.ts';
import { SavedFilters, type SavedQuestion } from './saved-filters.tsx';
import type { useFilterDraft } from './use-filter-draft.ts';
import type { ScreenerAnswer } from './use-screener.ts';

/** The builder with what it finds, and the filters kept for later. */
export function FilterPanel({
  draft,
  options,
  tag,
  errors,
  answer,
  isAsking,
  ...saved
}: {
  draft: ReturnType<typeof useFilterDraft>;
  options: ReadonlyMap<string, FilterOption>;
  tag: (key: string) => string;
  errors: ReadonlyMap<string, string>;
  answer: ScreenerAnswer | undefined;
  isAsking: boolean;
  question: SavedQuestion;
  onLoad: (filter: CoinFilter) => void;
  defaultId: string | undefined;
  onDefault: (id: string | undefined) => void;
}) {
  const { t } = useTranslation();
  return (
    <Flex direction="column" gap="4">
      <Flex direction="column" gap="2">
        <Flex justify="space-between" align="center" gap="2">
          <Heading as="h2" fontSize="16px" fontWeight="600">
            {t('prices.filter')}
          </Heading>
          {countRules(draft.root) > 0 && (
            <Button size="xs" variant="ghost" color="fg.muted" onClick={draft.clear}>
              {t('screener.builder.clear')}
            </Button>
          )}
        </Flex>
        <div role="status">
          <Text fontSize="13px" color={isAsking ? 'fg.muted' : 'fg'} css={{ fontVariantNumeric: 'tabular-nums' }}>
            {answer ? t('screener.builder.matches', { count: answer.total }) : isAsking ? t('ui.loading') : ''}
          </Text>
          {answer && answer.tooLittleHistory > 0 && (
            <Text fontSize="12px" color="fg.muted">
              {t('screener.builder.tooLittleHistory', { count: answer.tooLittleHistory })}
            </Text>
          )}
        </div>
      </Flex>
      {draft.root.nodes.length === 0 && (
        <Text fontSize="13px" color="fg.muted">
          {t('screener.builder.lead')}
        </Text>
      )}
      <FilterBuilder
        root={draft.root}
        options={options}
        tag={tag}
        errors={errors}
        incomplete={draft.incomplete}
        onChange={draft.onChange}
      />
      <SavedFilters {...saved} />
    </Flex>
  );
}
