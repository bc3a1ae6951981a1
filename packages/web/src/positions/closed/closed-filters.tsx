import { Box, Flex, Text } from '@chakra-ui/react';
import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import type { Answer } from '@pilotfish/core/http/endpoint';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { CLOSED_ORDERS, type listClosedPositions } from '@pilotfish/core/positions/positions-contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useTyped } from '../../prices/screener/use-typed.ts';
import { DropDown } from '../../ui/dialogs/drop-down.tsx';
import { ChipSelect } from '../../ui/fields/chip-select.tsx';
import { DecimalField } from '../../ui/fields/decimal-field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { FilterChip } from '../../ui/kit/filter-chip.tsx';
import { Button } from '../../ui/primitives.tsx';
import { boundsProblem, type ClosedAddress, isFiltered, NO_FILTERS, PERIODS, type Period } from './closed-address.ts';
import { useExitWord } from './closed-table.tsx';

type Props = {
  readonly mode: TradeMode;
  readonly address: ClosedAddress;
  readonly onChange: (changes: Partial<ClosedAddress>) => void;
  readonly choices: Answer<typeof listClosedPositions>['choices'] | undefined;
  readonly currencies: readonly string[];
  /** Some have figures that cannot be trusted. */
  readonly hasBroken: boolean;
  /** On a phone no head of a column sorts. */
  readonly sorts: boolean;
};
type Option = { readonly value: string; readonly label: string };

/** What narrows the closed list, in one line; what is chosen stays to be chosen, also where nothing has it. */
export function ClosedFilters({ mode, address, onChange, choices, currencies, hasBroken, sorts }: Props) {
  const { t } = useTranslation();
  const exitWord = useExitWord();
  const offered = (all: string, options: readonly Option[], chosen: string | undefined, label = chosen): Option[] => [
    { value: '', label: all },
    ...options,
    ...(chosen !== undefined && !options.some(({ value }) => value === chosen) ? [{ value: chosen, label: label ?? chosen }] : []),
  ];
  const plain = (names: readonly string[]): Option[] => names.map((name) => ({ value: name, label: name }));
  const bots = [
    ...(choices?.bots ?? []).map(({ id, name }) => ({ value: id, label: name })),
    // On paper only bots trade.
    ...(mode === 'live' ? [{ value: BY_HAND, label: t('overview.byHand') }] : []),
  ];
  const exits = (choices?.exits ?? []).map((exit) => ({ value: exit, label: exitWord(exit) }));
  return (
    // On a phone they are one line that moves sideways: the list is what one came for.
    <Flex
      gap="2"
      wrap={{ base: 'nowrap', md: 'wrap' }}
      overflowX={{ base: 'auto', md: 'visible' }}
      mx={{ base: '-3.5', md: '0' }}
      px={{ base: '3.5', md: '0' }}
      py={{ base: '1', md: '0' }}
      align="center"
      role="group"
      aria-label={t('positions.filters')}
    >
      <PeriodSelect address={address} onChange={onChange} />
      <ChipSelect
        label={t('positions.filter.coin')}
        value={address.coin ?? ''}
        options={offered(t('positions.filter.coins'), plain(choices?.coins ?? []), address.coin)}
        onChange={(coin) => onChange({ coin: coin || undefined })}
      />
      <ChipSelect
        label={t('positions.filter.bot')}
        value={address.bot ?? ''}
        options={offered(
          t(mode === 'live' ? 'positions.filter.bots' : 'performance.allBots'),
          bots,
          address.bot,
          t('positions.filter.unknownBot'),
        )}
        onChange={(bot) => onChange({ bot: bot || undefined })}
      />
      <ChipSelect
        label={t('positions.exit')}
        value={address.exit ?? ''}
        options={offered(t('positions.filter.exits'), exits, address.exit, address.exit && exitWord(address.exit))}
        onChange={(exit) => onChange({ exit: exit === '' ? undefined : (exit as ClosedAddress['exit']) })}
      />
      <ChipSelect
        label={t('positions.realised')}
        value={address.result ?? ''}
        options={(['', 'win', 'loss'] as const).map((value) => ({ value, label: t(`positions.filter.result.${value || 'all'}`) }))}
        onChange={(result) => onChange({ result: result || undefined })}
      />
      {(currencies.length > 1 || address.currency !== undefined) && (
        <ChipSelect
          label={t('positions.filter.currency')}
          value={address.currency ?? ''}
          options={offered(t('positions.filter.currencies'), plain(currencies), address.currency)}
          onChange={(currency) => onChange({ currency: currency || undefined })}
        />
      )}
      <HideSmall address={address} onChange={onChange} />
      {(hasBroken || address.onlyBroken) && (
        <FilterChip active={address.onlyBroken} onClick={() => onChange({ onlyBroken: !address.onlyBroken })}>
          {address.onlyBroken && <Icon name="check" size={13} />}
          {t('positions.onlyBroken')}
        </FilterChip>
      )}
      {sorts && (
        <ChipSelect
          label={t('positions.sortBy')}
          value={address.order}
          options={CLOSED_ORDERS.map((order) => ({ value: order, label: t(`positions.order.${order}`) }))}
          onChange={(order) => onChange({ order })}
        />
      )}
      {isFiltered(address) && (
        <Button size="chip" variant="ghost" color="fg.muted" onClick={() => onChange(NO_FILTERS)}>
          {t('positions.clearFilters')}
        </Button>
      )}
    </Flex>
  );
}

/** Days in which they closed; days of one's own come with the address, as from the page of performance. */
function PeriodSelect({ address: { period }, onChange }: Pick<Props, 'address' | 'onChange'>) {
  const { t, i18n } = useTranslation();
  const own = typeof period === 'object' ? period : undefined;
  const named = PERIODS.map((value): { value: Period | 'own'; label: string } => ({ value, label: t(`positions.filter.period.${value}`) }));
  const format = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const label = own && format.formatRange(new Date(own.from), new Date(own.to));
  return (
    <ChipSelect
      label={t('positions.filter.when')}
      value={typeof period === 'object' ? 'own' : period}
      options={label === undefined ? named : [...named, { value: 'own', label }]}
      onChange={(value) => {
        if (value !== 'own') onChange({ period: value });
      }}
    />
  );
}

/** Results within two bounds are not listed: crumbs around zero, or whatever one does not want to see. */
function HideSmall({ address, onChange }: Pick<Props, 'address' | 'onChange'>) {
  const { t } = useTranslation();
  const [min, onMin] = useTyped(
    address.min,
    useCallback((text) => onChange({ min: text }), [onChange]),
  );
  const [max, onMax] = useTyped(
    address.max,
    useCallback((text) => onChange({ max: text }), [onChange]),
  );
  const problems = boundsProblem({ min, max });
  const error = (problem: 'not-a-decimal' | 'min-above-max' | undefined) => problem && t(`positions.bound.${problem}`);
  const { min: from, max: to } = address;
  const hides = from + to !== '';
  return (
    <DropDown
      width={280}
      button={
        <Button size="chip" variant="outline" fontWeight="520" color={hides ? 'fg' : 'fg.muted'}>
          {hides ? t('positions.filter.hidden', { from: from === '' ? '…' : from, to: to === '' ? '…' : to }) : t('positions.filter.hide')}
          <Icon name="chevron" size={13} />
        </Button>
      }
    >
      {() => (
        <Flex direction="column" gap="3" p="2">
          <SignedField label={t('positions.hideFrom')} value={min} onChange={onMin} error={error(problems.min)} />
          <SignedField label={t('positions.hideTo')} value={max} onChange={onMax} error={error(problems.max)} />
          <Text color="fg.muted" fontSize="12px">
            {t('positions.hideHint')}
          </Text>
        </Flex>
      )}
    </DropDown>
  );
}

/** A decimal that may be below zero: the sign is a button of its own, since phone keypads have none. */
const SignedField = ({
  label,
  value,
  onChange,
  error,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}) => {
  const { t } = useTranslation();
  const isNegative = value.startsWith('-');
  const digits = isNegative ? value.slice(1) : value;
  return (
    <Flex gap="1" align="flex-start">
      <Box
        flex="1"
        minW="0"
        onKeyDown={(event) => {
          if (event.key !== '-') return;
          event.preventDefault();
          onChange(isNegative ? digits : `-${digits}`);
        }}
      >
        <DecimalField label={label} value={digits} error={error} onChange={(text) => onChange(isNegative ? `-${text}` : text)} />
      </Box>
      <Button
        size="sm"
        h="10"
        mt="24px"
        variant="outline"
        color={isNegative ? 'brand.fg' : 'fg.muted'}
        bg={isNegative ? 'brand.muted' : undefined}
        aria-pressed={isNegative}
        aria-label={t('positions.belowZero', { label })}
        onClick={() => onChange(isNegative ? digits : `-${digits}`)}
      >
        −
      </Button>
    </Flex>
  );
};
