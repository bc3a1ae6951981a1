import './markets.css';
import { Box, Flex, Text } from '@chakra-ui/react';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../platform/use-session.ts';
import { useSparklines } from '../prices/screener/use-sparklines.ts';
import { useCurrencyNames } from '../prices/use-prices.ts';
import { IconButton, Panel, Segments, TextLink } from '../ui/controls.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Input } from '../ui/primitives.tsx';
import { Skeleton } from '../ui/state-panels.tsx';
import { findPairs, type ListChoice, listKey, OWN_PREFIX } from './list-choice.ts';
import { ListDialog } from './list-dialog.tsx';
import type { Watchlists } from './use-watchlists.ts';
import { WatchRow } from './watch-row.tsx';

/** Up and down go from pair to pair. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('.watch-pair')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  stops[at + step]?.focus();
}

type Props = {
  choice: ListChoice;
  onList: (key: string) => void;
  watchlists: Watchlists;
  /** Undefined while they are not known. */
  symbols: readonly string[] | undefined;
  /** Pairs of the quote asset, and of all: those that can be found; the most traded first. */
  all: readonly string[] | undefined;
  ranked: readonly string[] | undefined;
  pairOf: ReadonlyMap<string, Pair>;
  quote: string;
  held: ReadonlySet<string>;
  /** The table asks for something: its rows are a list, too. */
  hasTable: boolean;
  tableLink: string;
  chosen: string | undefined;
  onOpen: (symbol: string) => void;
  onAddFavourite: (symbol: string) => void;
};

/** Lists of pairs, and the pairs of one; a search that finds all others and adds them. */
export function WatchList(props: Props) {
  const { choice, onList, watchlists, symbols, ranked, all, pairOf, quote, held, hasTable, tableLink, chosen, onOpen, onAddFavourite } =
    props;
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const [typed, setTyped] = useState('');
  const [editing, setEditing] = useState<'new' | 'chosen' | 'remove'>();
  const search = useDeferredValue(typed);
  const names = useCurrencyNames();
  const lines = useSparklines();
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is chosen is read from the page
  useEffect(() => {
    // By keys of the page the choice may leave what is seen.
    list.current?.querySelector('[data-chosen]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const own = choice.kind === 'own' ? watchlists.lists.find(({ name }) => name === choice.name) : undefined;
  const { found, more } = findPairs(search, symbols ?? [], all ?? [], { pairOf, names });
  const add = own ? (symbol: string) => watchlists.add(own.name, symbol) : choice.kind === 'favourites' ? onAddFavourite : undefined;
  const options = [
    { value: 'top', label: t('markets.list.top') },
    ...(hasTable || choice.kind === 'table' ? [{ value: 'table', label: t('markets.list.table') }] : []),
    { value: 'favourites', label: t('markets.list.favourites') },
    ...(signedIn ? [{ value: 'held', label: t('markets.list.held') }] : []),
    ...watchlists.lists.map(({ name }) => ({ value: OWN_PREFIX + name, label: name })),
  ];
  const stop = chosen !== undefined && found.includes(chosen) ? chosen : (found[0] ?? more[0]);
  const row = (symbol: string, onAdd?: (symbol: string) => void) => {
    const pair = pairOf.get(symbol);
    return pair ? (
      <WatchRow
        key={symbol}
        pair={pair}
        quote={quote || 'USDT'}
        points={lines.get(symbol)}
        isChosen={symbol === chosen}
        isStop={symbol === stop}
        isHeld={held.has(symbol)}
        onOpen={onOpen}
        onAdd={onAdd}
      />
    ) : null;
  };
  return (
    <Panel as="nav" aria-label={t('markets.lists')} p="0" display="flex" flexDirection="column" minH="0" overflow="hidden">
      <Flex align="center" gap="1" p="2" pb="1.5">
        <Box flex="1" minW="0">
          <Segments label={t('markets.lists')} size="chip" value={listKey(choice)} options={options} onChange={onList} />
        </Box>
        {own && (
          <IconButton
            icon="edit"
            size="chip"
            w="8"
            label={t('markets.editList', { list: own.name })}
            onClick={() => setEditing('chosen')}
          />
        )}
        <IconButton
          icon="plus"
          size="chip"
          w="8"
          label={t('markets.newList')}
          disabled={watchlists.isFull}
          onClick={() => setEditing('new')}
        />
      </Flex>
      <Flex position="relative" px="2" pb="2">
        <Box position="absolute" insetStart="4" top={{ base: '13px', md: '8px' }} color="fg.muted" pointerEvents="none">
          <Icon name="search" size={16} />
        </Box>
        <Input
          type="search"
          name="find"
          ps="8"
          h={{ base: '11', md: '8' }}
          aria-label={t(add ? 'markets.addOrFind' : 'markets.find')}
          placeholder={t(add ? 'markets.addOrFind' : 'markets.find')}
          aria-keyshortcuts="/"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Flex>
      <Box flex="1" minH="0" overflowY="auto" className="rings-inside" tabIndex={-1} onKeyDown={onArrow}>
        {symbols === undefined ? (
          <Box p="3">
            <Skeleton rows={10} height={32} />
          </Box>
        ) : (
          <>
            <ul ref={list} aria-label={options.find(({ value }) => value === listKey(choice))?.label}>
              {found.map((symbol) => row(symbol))}
            </ul>
            {more.length > 0 && (
              <>
                <Text px="3" py="2" fontSize="12px" color="fg.muted" borderTopWidth="1px" borderColor="border.subtle">
                  {t('markets.otherPairs')}
                </Text>
                <ul aria-label={t('markets.otherPairs')}>{more.map((symbol) => row(symbol, add))}</ul>
              </>
            )}
            {found.length + more.length === 0 && (
              <Text px="3" py="3" fontSize="13px" color="fg.muted" borderTopWidth="1px" borderColor="border.subtle">
                {search === '' ? t(`markets.empty.${choice.kind}`) : t('markets.nothingFound')}
              </Text>
            )}
          </>
        )}
      </Box>
      <Flex
        px="3"
        minH="9"
        gap="2"
        align="center"
        fontSize="12px"
        color="fg.muted"
        borderTopWidth="1px"
        borderColor="border.subtle"
        wrap="wrap"
      >
        {held.size > 0 && (
          <Flex as="span" align="center" gap="1.5">
            <i className="watch-held" aria-hidden="true" />
            {t('markets.youHold')}
          </Flex>
        )}
        {ranked && <TextLink to={tableLink}>{t('markets.inTable', { count: ranked.length })}</TextLink>}
      </Flex>
      <ListDialog
        open={editing === 'new' || editing === 'chosen'}
        list={editing === 'chosen' ? own : undefined}
        watchlists={watchlists}
        onSaved={(name) => onList(OWN_PREFIX + name)}
        onRemove={() => setEditing('remove')}
        onClose={() => setEditing(undefined)}
      />
      <ConfirmDialog
        open={editing === 'remove' && own !== undefined}
        title={t('markets.deleteTitle', { list: own?.name ?? '' })}
        confirm={t('markets.deleteList')}
        danger
        follows
        onConfirm={async () => {
          if (own) watchlists.remove(own.name);
          onList('top');
        }}
        onClose={() => setEditing(undefined)}
      >
        {t('markets.deleteLead', { count: own?.symbols.length ?? 0 })}
      </ConfirmDialog>
    </Panel>
  );
}
