import { chakra, Flex, Text } from '@chakra-ui/react';
import { type FilterOption, MAX_COLUMNS } from '@pilotfish/core/prices/screener-contract';
import { columnId } from '@pilotfish/core/prices/screener-fields';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Button, Input } from '../../ui/primitives.tsx';
import { fold } from '../pair-search.ts';
import { columnLabel } from './prices-grid.tsx';

/** Any field at any of its timeframes, in the order one wants to read them. */
export function ColumnChooser({
  open,
  columns,
  options,
  onChange,
  onReset,
  onClose,
}: {
  open: boolean;
  columns: readonly string[];
  options: ReadonlyMap<string, FilterOption>;
  onChange: (columns: readonly string[]) => void;
  onReset: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const full = columns.length >= MAX_COLUMNS;
  const move = (id: string, by: number) => {
    const at = columns.indexOf(id);
    const next = columns.filter((each) => each !== id);
    next.splice(at + by, 0, id);
    onChange(next);
  };
  const wanted = fold(search.trim());
  const found = [...options.values()].filter(({ label, key }) => key !== 'symbol' && fold(`${label} ${key}`).includes(wanted));
  return (
    <Dialog
      open={open}
      title={t('prices.columns')}
      onClose={onClose}
      width={640}
      actions={
        <>
          <Button variant="ghost" color="fg" onClick={onReset}>
            {t('prices.columnsReset')}
          </Button>
          <Button colorPalette="brand" onClick={onClose}>
            {t('prices.done')}
          </Button>
        </>
      }
    >
      <Text color="fg.muted" fontSize="13px" mb="2" role="status">
        {t('prices.columnsCount', { count: columns.length, limit: MAX_COLUMNS })}
      </Text>
      <Flex as="ol" direction="column" gap="1" listStyleType="none" mb="4">
        {columns.map((id, index) => {
          const label = columnLabel(id, options);
          const button = (icon: IconName, text: string, disabled: boolean, onClick: () => void) => (
            <Button
              size="xs"
              px="0"
              variant="ghost"
              color="fg.muted"
              aria-label={`${text}: ${label}`}
              title={text}
              disabled={disabled}
              onClick={onClick}
            >
              <Icon name={icon} size={16} />
            </Button>
          );
          return (
            <chakra.li key={id} display="flex" alignItems="center" gap="1" ps="3" pe="1" bg="bg.raised" borderRadius="control">
              <Text flex="1" minW="0" truncate fontSize="13px">
                {label}
              </Text>
              {button('up', t('prices.columnEarlier'), index === 0, () => move(id, -1))}
              {button('down', t('prices.columnLater'), index === columns.length - 1, () => move(id, 1))}
              {button('close', t('prices.columnRemove'), columns.length === 1, () => onChange(columns.filter((each) => each !== id)))}
            </chakra.li>
          );
        })}
      </Flex>
      <Input
        type="search"
        name="column"
        aria-label={t('prices.columnSearch')}
        placeholder={t('prices.columnSearch')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="3"
      />
      <Flex as="ul" direction="column" gap="1" listStyleType="none">
        {found.map((option) => (
          <chakra.li
            key={option.key}
            display="flex"
            flexWrap="wrap"
            alignItems="center"
            gap="1.5"
            py="1"
            borderTopWidth="1px"
            borderColor="border.subtle"
          >
            <Text flex="1 1 200px" minW="0" fontSize="13px">
              {option.label}
            </Text>
            {(option.timeframes ?? [undefined]).map((timeframe) => {
              const id = columnId(timeframe === undefined ? { key: option.key } : { key: option.key, timeframe });
              const on = columns.includes(id);
              return (
                <Button
                  key={id}
                  size="xs"
                  h="7"
                  px="2"
                  variant={on ? 'solid' : 'outline'}
                  color={on ? undefined : 'fg.muted'}
                  colorPalette="brand"
                  aria-pressed={on}
                  aria-label={columnLabel(id, options)}
                  disabled={on ? columns.length === 1 : full}
                  onClick={() => onChange(on ? columns.filter((each) => each !== id) : [...columns, id])}
                >
                  {timeframe ?? <Icon name={on ? 'check' : 'plus'} size={14} />}
                </Button>
              );
            })}
          </chakra.li>
        ))}
      </Flex>
    </Dialog>
  );
}
