import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, Segments } from '../../ui/controls.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Button, Input } from '../../ui/primitives.tsx';
import type { Density } from './prices-grid.tsx';
import { TABS, type TableAddress } from './table-address.ts';

type Props = {
  address: Pick<TableAddress, 'tab' | 'tags'>;
  search: string;
  onSearch: (text: string) => void;
  quote: string;
  quotes: readonly string[];
  tags: readonly { key: string; label: string }[];
  rules: number;
  filterOpen: boolean;
  density: Density;
  count: number | undefined;
  onChange: (changes: { quote?: string; tab?: TableAddress['tab']; tags?: readonly string[] }) => void;
  onFilter: () => void;
  onColumns: () => void;
  onDensity: () => void;
  onShare: () => void;
};

/** What narrows the table at once, and the ways to what takes longer. */
export function PricesToolbar(props: Props) {
  const {
    address,
    search,
    onSearch,
    quote,
    quotes,
    tags,
    rules,
    filterOpen,
    density,
    count,
    onChange,
    onFilter,
    onColumns,
    onDensity,
    onShare,
  } = props;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest('input, textarea, select, dialog')) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const tool = (
    icon: IconName,
    label: string,
    onClick: () => void,
    extra: Partial<Parameters<typeof Button>[0]> = {},
    text?: ReactNode,
  ) => (
    <Button size="sm" px={text ? 3 : 0} variant="outline" color="fg" aria-label={label} title={label} onClick={onClick} {...extra}>
      <Icon name={icon} size={16} />
      {text}
    </Button>
  );
  return (
    <Flex direction="column" gap="2">
      <Flex gap="2" align="center" wrap="wrap">
        <Flex position="relative" flex={{ base: '1 1 160px', md: '0 1 220px' }}>
          <Box position="absolute" insetStart="2.5" top="9px" color="fg.muted" pointerEvents="none">
            <Icon name="search" size={18} />
          </Box>
          <Input
            ref={input}
            type="search"
            name="search"
            ps="9"
            h={{ base: '11', md: '9' }}
            aria-label={t('prices.search')}
            placeholder={t('prices.search')}
            value={search}
            onChange={(event) => onSearch(event.currentTarget.value)}
            aria-keyshortcuts="/"
          />
        </Flex>
        {tool(
          'filter',
          t('prices.filter'),
          onFilter,
          { 'aria-expanded': filterOpen, ...(rules > 0 ? { color: 'brand.fg', borderColor: 'brand.solid' } : {}) },
          <>
            <Box as="span" display={{ base: 'none', sm: 'inline' }}>
              {t('prices.filter')}
            </Box>
            {rules > 0 && <span>{rules}</span>}
          </>,
        )}
        {tool('columns', t('prices.columns'), onColumns)}
        {tool('rows', t('prices.density'), onDensity, { 'aria-pressed': density === 'compact' })}
        {tool('link', t('prices.share'), onShare)}
        <Segments
          label={t('prices.tab')}
          value={address.tab}
          options={TABS.map((value) => ({ value, label: t(`prices.tabs.${value}`) }))}
          onChange={(tab) => onChange({ tab })}
        />
        <Badge ms="auto" order={{ base: 0, md: 9 }} role="status">
          {count === undefined ? '…' : t('prices.count', { count })}
        </Badge>
        {quotes.length > 0 && (
          <Segments
            label={t('prices.quote')}
            value={quote === '' ? 'all' : quote}
            options={[...quotes.map((value) => ({ value, label: value })), { value: 'all', label: t('prices.all') }]}
            onChange={(value) => onChange({ quote: value })}
          />
        )}
      </Flex>
      {tags.length > 0 && (
        <Flex
          className="rings-inside"
          role="group"
          aria-label={t('prices.tags')}
          gap="1"
          overflowX="auto"
          py="0.5"
          px="0.5"
          css={{ scrollbarWidth: 'none' }}
        >
          {tags.map(({ key, label }) => {
            const on = address.tags.includes(key);
            return (
              <Button
                key={key}
                size="xs"
                h="7"
                borderRadius="full"
                variant={on ? 'solid' : 'outline'}
                color={on ? undefined : 'fg.muted'}
                colorPalette="brand"
                aria-pressed={on}
                onClick={() => onChange({ tags: on ? address.tags.filter((each) => each !== key) : [...address.tags, key] })}
              >
                {label}
              </Button>
            );
          })}
        </Flex>
      )}
    </Flex>
  );
}
