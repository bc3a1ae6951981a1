import { Flex, Text } from '@chakra-ui/react';
import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { heldPath } from '../auto-trades/detail/cockpit/chosen-coin.ts';
import { PermittedLink } from '../platform/use-trading.tsx';
import type { Whole } from '../positions/open/held-cells.tsx';
import { filterHeld, HELD_SORTS, HELD_STATES, type OpenRow, readSort, sortHeld, writeSort } from '../positions/open/held-order.ts';
import { HeldCards, type HeldColumn, HeldTable } from '../positions/open/held-table.tsx';
import { PositionBadges } from '../positions/position-state.tsx';
import { useTyped } from '../prices/screener/use-typed.ts';
import { LinkButton } from '../ui/controls.tsx';
import { ChipSelect } from '../ui/fields/chip-select.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Button, Input } from '../ui/primitives.tsx';
import { EmptyState } from '../ui/state-panels.tsx';
import { useMedia } from '../ui/use-media.ts';
import type { useOpenRows } from './use-workspace.ts';
import { NO_OPEN_FILTERS, type WorkspaceAddress } from './workspace-address.ts';

/** Columns while a detail stands beside the table, and without one. */
const BESIDE: readonly HeldColumn[] = ['value', 'price', 'result', 'levels', 'atRisk'];
const ALONE: readonly HeldColumn[] = [...BESIDE, 'days'];

type Props = {
  readonly address: WorkspaceAddress;
  readonly onChange: (changes: Partial<WorkspaceAddress>) => void;
  readonly open: ReturnType<typeof useOpenRows>;
  readonly whole: Whole | undefined;
  /** Undefined where a detail has no place beside the table. */
  readonly onChoose: ((row: OpenRow) => void) | undefined;
  /** A detail stands beside it. */
  readonly isNarrow: boolean;
};

/** What is held, by bots and by hand: its price between its levels, its result, and what its stop would cost. */
export function OpenPanel({ address, onChange, open, whole, onChoose, isNarrow }: Props) {
  const { t } = useTranslation();
  const isPhone = !useMedia('(min-width: 768px)');
  const all = open.rows;
  const shown = useMemo(() => all && sortHeld(filterHeld(all, address), address.sort), [all, address]);
  return (
    <TitledPanel
      title={t('positions.open')}
      count={all && (shown && shown.length < all.length ? t('positions.shown', { shown: shown.length, of: all.length }) : all.length)}
      query={{ ...open.held, data: shown }}
      rows={5}
      flush
      actions={all && all.length > 0 ? <Filters rows={all} address={address} onChange={onChange} sorts={isPhone} /> : undefined}
    >
      {all?.length === 0 ? (
        <NothingOpen mode={address.mode} />
      ) : shown?.length === 0 ? (
        <Flex align="center" gap="3" wrap="wrap" px={{ base: '3.5', md: '4' }} pb="4">
          <Text color="fg.muted">{t('positions.noneFound')}</Text>
          <Button size="xs" variant="outline" color="fg" onClick={() => onChange(NO_OPEN_FILTERS)}>
            {t('positions.clearFilters')}
          </Button>
        </Flex>
      ) : isPhone ? (
        <HeldCards rows={shown ?? []} pathOf={heldPath} badges={badgesOf} />
      ) : (
        <HeldTable
          rows={shown ?? []}
          pathOf={heldPath}
          columns={isNarrow ? BESIDE : ALONE}
          whole={whole}
          below="quantity"
          sorting={{ sort: address.sort, onSort: (sort) => onChange({ sort }) }}
          choice={onChoose && { id: address.position, onChoose }}
          badges={badgesOf}
        />
      )}
    </TitledPanel>
  );
}

const badgesOf = ({ broken, ledger, excludedFromTotals }: OpenRow) => (
  <PositionBadges broken={broken.length > 0 ? broken : (ledger?.broken ?? [])} excludedFromTotals={excludedFromTotals} />
);

function Filters({
  rows,
  address,
  onChange,
  sorts,
}: Pick<Props, 'address' | 'onChange'> & {
  rows: readonly OpenRow[];
  /** Cards have no column heads to sort by: a choice does it. */
  sorts: boolean;
}) {
  const { t } = useTranslation();
  const [typed, onType] = useTyped(
    address.search,
    useCallback((search) => onChange({ search }), [onChange]),
  );
  const owners = [...new Map(rows.map(({ autoTradeId, botName }) => [autoTradeId ?? BY_HAND, botName ?? t('overview.byHand')]))];
  const known = owners.map(([value, label]) => ({ value, label }));
  const { bot, state, sort } = address;
  return (
    <>
      <Input
        type="search"
        aria-label={t('positions.search')}
        placeholder={t('positions.search')}
        h={{ base: '11', md: '8' }}
        w={{ base: '104px', md: '150px' }}
        fontSize="12px"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {(owners.length > 1 || bot !== undefined) && (
        <ChipSelect
          label={t('positions.filter.bot')}
          value={bot ?? ''}
          options={[
            { value: '', label: t('positions.filter.bots') },
            ...known,
            ...(bot !== undefined && !known.some(({ value }) => value === bot)
              ? [{ value: bot, label: t('positions.filter.unknownBot') }]
              : []),
          ]}
          onChange={(next) => onChange({ bot: next || undefined })}
        />
      )}
      <ChipSelect
        label={t('positions.filter.state')}
        value={state ?? ''}
        options={[
          { value: '', label: t('positions.filter.states') },
          ...HELD_STATES.map((value) => ({ value, label: t(`positions.only.${value}`) })),
        ]}
        onChange={(next) => onChange({ state: next || undefined })}
      />
      {sorts && (
        <ChipSelect
          label={t('positions.sortBy')}
          value={writeSort(sort)}
          options={HELD_SORTS.flatMap((by) =>
            [true, false].map((descending) => ({
              value: writeSort({ by, descending }),
              label: `${t(`positions.sort.${by}`)} ${descending ? '↓' : '↑'}`,
            })),
          )}
          onChange={(next) => onChange({ sort: readSort(next) })}
        />
      )}
    </>
  );
}

function NothingOpen({ mode }: Pick<WorkspaceAddress, 'mode'>) {
  const { t } = useTranslation();
  if (mode === 'paper')
    return (
      <EmptyState
        icon="positions"
        title={t('positions.noPaperTitle')}
        action={
          <PermittedLink permission="bots" to="/auto-trade/create" colorPalette="brand">
            {t('autoTrades.create')}
          </PermittedLink>
        }
      >
        {t('positions.noPaperLead')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="positions"
      title={t('positions.noOpenTitle')}
      action={
        <Flex gap="2" wrap="wrap" justify="center">
          <LinkButton to="/positions/migration" colorPalette="brand">
            {t('positions.toSync')}
          </LinkButton>
          <LinkButton to="/positions/import" variant="outline" color="fg">
            {t('positions.importFile')}
          </LinkButton>
        </Flex>
      }
    >
      {t('positions.noOpenLead')}
    </EmptyState>
  );
}
