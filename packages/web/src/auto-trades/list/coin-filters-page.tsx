import { Flex, Heading, Text } from '@chakra-ui/react';
import { conditionsText } from '@pilotfish/core/auto-trades/config/setting-words';
import { formatMoney, formatPercentNumber } from '@pilotfish/core/money/format';
import type { CoinFilter } from '@pilotfish/core/prices/screener-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterCoins } from '../../coin-filters/filter-coins.tsx';
import { FilterForm } from '../../coin-filters/filter-form.tsx';
import { useCoinFilters } from '../../coin-filters/use-coin-filters.ts';
import { useApp } from '../../platform/app-context.tsx';
import { useDeed } from '../../platform/use-action.ts';
import { Panel } from '../../ui/controls.tsx';
import { ConfirmAction } from '../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState } from '../../ui/state-panels.tsx';
import { useAutoTrades } from '../use-auto-trades.ts';
import { useWords } from '../use-words.ts';
import { AutoTradesFrame } from './auto-trades-frame.tsx';
import { CardList, UsedBy } from './card-list.tsx';

/** Filters that choose the coins of bots: what each selects now, what it leaves out, and who uses it. */
export default function CoinFiltersPage() {
  const { t } = useTranslation();
  const filters = useCoinFilters();
  const bots = useAutoTrades();
  const [editing, setEditing] = useState<CoinFilter | 'new'>();
  const create = (
    <Button colorPalette="brand" onClick={() => setEditing('new')}>
      <Icon name="plus" size={18} />
      {t('coinFilters.create')}
    </Button>
  );
  return (
    <AutoTradesFrame title={t('routes.coinFilters')} lead={t('coinFilters.lead')} query={filters} actions={create}>
      <CardList
        query={filters}
        empty={
          <EmptyState icon="filter" title={t('coinFilters.emptyTitle')} action={create}>
            {t('coinFilters.emptyLead')}
          </EmptyState>
        }
      >
        {(filter) => (
          <FilterCard
            filter={filter}
            bots={(bots.data ?? []).filter(({ config }) => config.coins.coinFilterIds.includes(filter.id))}
            onEdit={() => setEditing(filter)}
          />
        )}
      </CardList>
      <Dialog
        open={editing !== undefined}
        title={editing && editing !== 'new' ? t('coinFilters.editOf', { name: editing.name }) : t('coinFilters.create')}
        width={720}
        onClose={() => setEditing(undefined)}
      >
        <FilterForm
          old={editing === 'new' ? undefined : editing}
          onSaved={() => setEditing(undefined)}
          onCancel={() => setEditing(undefined)}
        />
      </Dialog>
    </AutoTradesFrame>
  );
}

function FilterCard({ filter, bots, onEdit }: { filter: CoinFilter; bots: readonly { id: string; name: string }[]; onEdit: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const deed = useDeed();
  const words = useWords();
  const remove = () =>
    deed(
      client.deleteCoinFilter({ params: { id: filter.id } }, { quiet: true }),
      ['coin-filters'],
      t('prices.saved.deleted', { name: filter.name }),
    );
  return (
    <Panel as="article" display="flex" flexDirection="column" gap="3">
      <Flex justify="space-between" gap="3" align="flex-start">
        <Heading as="h2" textStyle="title" overflowWrap="anywhere">
          {filter.name}
        </Heading>
        <Text color="fg.muted" fontSize="13px" flexShrink="0" pt="1.5">
          {filter.quoteAsset}
        </Text>
      </Flex>
      <Text fontSize="13px" overflowWrap="anywhere">
        {filter.conditions && `${conditionsText(filter.conditions, words)} · `}
        <Text as="span" color="fg.muted">
          {[
            t('coinFilters.limit.volume', { volume: formatMoney(filter.minQuoteVolume24h, filter.quoteAsset), quote: filter.quoteAsset }),
            t('coinFilters.limit.spread', { spread: formatPercentNumber(filter.maxSpreadPct) }),
            // Any age is no limit.
            ...(filter.minAgeDays > 0 ? [t('coinFilters.limit.age', { count: filter.minAgeDays })] : []),
            t('coinFilters.limit.coins', { count: filter.maxCoins }),
          ].join(', ')}
        </Text>
      </Text>
      <FilterCoins filter={filter} />
      <UsedBy bots={bots} lead={t('coinFilters.usedBy')} none={t('coinFilters.noBots')} />
      <Flex gap="2">
        <Button size="sm" variant="outline" color="fg" aria-label={t('coinFilters.editOf', { name: filter.name })} onClick={onEdit}>
          {t('coinFilters.edit')}
        </Button>
        <ConfirmAction
          size="sm"
          variant="outline"
          color="danger.fg"
          aria-label={t('prices.saved.delete', { name: filter.name })}
          title={t('prices.saved.deleteTitle')}
          label={t('prices.saved.deleteConfirm')}
          danger
          onConfirm={remove}
        >
          {t('prices.saved.deleteLead', { name: filter.name })}
        </ConfirmAction>
      </Flex>
    </Panel>
  );
}
