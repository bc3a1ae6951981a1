import { Box, chakra, Flex } from '@chakra-ui/react';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { useTranslation } from 'react-i18next';
import { PermittedLink } from '../../platform/use-trading.tsx';
import { useTyped } from '../../prices/screener/use-typed.ts';
import { Segments } from '../../ui/controls.tsx';
import { ChipSelect } from '../../ui/fields/chip-select.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Input } from '../../ui/primitives.tsx';
import { ColumnMenu } from '../../ui/tables/column-menu.tsx';
import { type ListAddress, VIEWS, type View } from './bot-address.ts';
import { COLUMNS, type Column } from './bot-order.ts';
import { GROUPS, type Group } from './bot-rows.ts';

type Props = {
  address: ListAddress;
  counts: Readonly<Record<Group | 'all', number>>;
  wallets: readonly { id: string; name: string }[];
  /** Undefined where there is one view only. */
  view: View | undefined;
  columns: readonly Column[];
  onChange: (changes: Partial<ListAddress>) => void;
  onView: (view: View) => void;
  onColumns: (columns: readonly Column[] | undefined) => void;
};

/** What narrows the list, and how it is drawn. */
export function BotsToolbar({ address, counts, wallets, view, columns, onChange, onView, onColumns }: Props) {
  const { t } = useTranslation();
  return (
    <Flex gap="2" align="center" wrap="wrap">
      <Segments
        label={t('autoTrades.list.states')}
        value={address.state}
        options={(['all', ...GROUPS] as const).map((value) => ({
          value,
          label: t(`autoTrades.list.state.${value}`),
          count: counts[value],
          urgent: value === 'needs' && counts.needs > 0,
        }))}
        onChange={(state) => onChange({ state })}
      />
      <ChipSelect<TradeMode | 'all'>
        label={t('overview.money')}
        value={address.mode}
        options={(['all', 'live', 'paper'] as const).map((value) => ({ value, label: t(`autoTrades.list.mode.${value}`) }))}
        onChange={(mode) => onChange({ mode })}
      />
      {wallets.length > 1 && (
        <ChipSelect
          label={t('autoTrades.list.wallet')}
          value={address.wallet ?? ''}
          options={[{ value: '', label: t('autoTrades.list.allWallets') }, ...wallets.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={(wallet) => onChange({ wallet: wallet || undefined })}
        />
      )}
      <Flex gap="2" align="center" wrap="wrap" ms={{ xl: 'auto' }} flex={{ base: '1 1 100%', xl: '0 1 auto' }}>
        <Search address={address} onChange={onChange} />
        {view && (
          <>
            <Segments
              label={t('autoTrades.list.view')}
              value={view}
              options={VIEWS.map((value) => ({ value, label: t(`autoTrades.list.views.${value}`) }))}
              onChange={onView}
            />
            {view === 'table' && (
              <ColumnMenu
                columns={COLUMNS.map((key) => ({ key, label: t(`autoTrades.list.columns.${key}`) }))}
                shown={columns}
                onChange={onColumns}
                onReset={() => onColumns(undefined)}
              />
            )}
            <PermittedLink permission="bots" to="/auto-trade/create" size="xs" colorPalette="brand">
              <Icon name="plus" size={15} />
              {t('autoTrades.create')}
            </PermittedLink>
          </>
        )}
      </Flex>
    </Flex>
  );
}

/** The key `/` comes here, as on every screen with a search. */
function Search({ address, onChange }: Pick<Props, 'address' | 'onChange'>) {
  const { t } = useTranslation();
  const [typed, onType] = useTyped(address.search, (search) => onChange({ search }));
  return (
    <Flex position="relative" align="center" flex={{ base: '1 1 140px', xl: '0 1 176px' }}>
      <Box position="absolute" insetStart="2" color="fg.muted" pointerEvents="none">
        <Icon name="search" size={15} />
      </Box>
      <Input
        type="search"
        name="search"
        ps="7"
        pe={{ base: '2', md: '7' }}
        h={{ base: '11', md: '8' }}
        fontSize="13px"
        aria-label={t('autoTrades.list.find')}
        placeholder={t('autoTrades.list.find')}
        aria-keyshortcuts="/"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {typed === '' && (
        <chakra.kbd
          position="absolute"
          insetEnd="2"
          px="5px"
          borderWidth="1px"
          borderColor="border"
          borderRadius="4px"
          fontSize="11px"
          lineHeight="16px"
          fontFamily="inherit"
          color="fg.subtle"
          pointerEvents="none"
          display={{ base: 'none', md: 'block' }}
          aria-hidden="true"
        >
          /
        </chakra.kbd>
      )}
    </Flex>
  );
}
