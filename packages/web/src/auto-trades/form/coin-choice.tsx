import { Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoinPicker } from '../../coin-filters/coin-picker.tsx';
import { FilterCoins } from '../../coin-filters/filter-coins.tsx';
import { useCoinFilters } from '../../coin-filters/use-coin-filters.ts';
import { LinkButton, Segments } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { FieldProblem, type StepProps } from './form-fields.tsx';

/** Which coins a bot may enter: named ones, or those that coin filters select at the time. */
export function CoinChoice({ form, quote }: { form: StepProps; quote: string }) {
  const { t } = useTranslation();
  const { coins } = form.draft;
  const [byFilter, setByFilter] = useState(coins.coinFilterIds.length > 0);
  const error = (field: 'symbols' | 'coinFilterIds') =>
    form.errorOf(`coins.${field}`) ?? coins[field].map((_, index) => form.errorOf(`coins.${field}.${index}`)).find(Boolean);
  return (
    <Flex direction="column" gap="3">
      <Segments
        label={t('autoTrades.form.coinsBy')}
        size="sm"
        value={byFilter ? 'filters' : 'names'}
        options={(['names', 'filters'] as const).map((value) => ({ value, label: t(`autoTrades.form.coinsKind.${value}`) }))}
        onChange={(kind) => setByFilter(kind === 'filters')}
      />
      {byFilter ? (
        <FilterPicker
          chosen={coins.coinFilterIds}
          quote={quote}
          onChange={(coinFilterIds) => form.set('coins', { symbols: [], coinFilterIds })}
          error={error('coinFilterIds') ?? (coins.coinFilterIds.length === 0 ? error('symbols') : undefined)}
        />
      ) : (
        <CoinPicker
          symbols={coins.symbols}
          quote={quote}
          onChange={(symbols) => form.set('coins', { symbols, coinFilterIds: [] })}
          error={error('symbols')}
        />
      )}
    </Flex>
  );
}

/** Coin filters to choose by, each with what it selects now. */
function FilterPicker({
  chosen,
  quote,
  onChange,
  error,
}: {
  chosen: readonly string[];
  quote: string;
  onChange: (ids: string[]) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const filters = useCoinFilters();
  const usable = (filters.data ?? []).filter(({ quoteAsset, id }) => quoteAsset === quote || chosen.includes(id));
  return (
    <Flex direction="column" gap="3">
      {filters.data && usable.length === 0 ? (
        <Text color="fg.muted">{t('autoTrades.form.noFilters', { quote })}</Text>
      ) : (
        <Flex gap="1.5" wrap="wrap" role="group" aria-label={t('autoTrades.form.coinsKind.filters')}>
          {usable.map(({ id, name }) => {
            const on = chosen.includes(id);
            return (
              <Button
                key={id}
                type="button"
                size="sm"
                variant={on ? 'solid' : 'outline'}
                bg={on ? 'brand.muted' : undefined}
                color="fg"
                aria-pressed={on}
                onClick={() => onChange(on ? chosen.filter((each) => each !== id) : [...chosen, id])}
              >
                <Icon name={on ? 'check' : 'filter'} size={14} />
                {name}
              </Button>
            );
          })}
        </Flex>
      )}
      <FieldProblem>{error}</FieldProblem>
      {usable
        .filter(({ id }) => chosen.includes(id))
        .map((filter) => (
          <FilterCoins key={filter.id} filter={filter} titled />
        ))}
      <LinkButton to="/auto-trade/filters" size="xs" variant="ghost" color="brand.fg" alignSelf="flex-start">
        {t('autoTrades.form.manageFilters')}
      </LinkButton>
    </Flex>
  );
}
