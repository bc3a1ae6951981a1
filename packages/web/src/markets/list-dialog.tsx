import { Flex, Text } from '@chakra-ui/react';
import type { Watchlist } from '@pilotfish/core/account/preferences';
import { LONGEST_WATCHLIST_NAME } from '@pilotfish/core/account/view-limits';
import { watchlistNameProblem } from '@pilotfish/core/account/watchlists';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import type { Watchlists } from './use-watchlists.ts';

type Props = {
  open: boolean;
  /** The list that is changed; a new one when left out. */
  list: Watchlist | undefined;
  watchlists: Watchlists;
  onSaved: (name: string) => void;
  onRemove: () => void;
  onClose: () => void;
};

/** Name and pairs of a list of one's own. */
export function ListDialog({ open, list, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={list ? t('markets.editList', { list: list.name }) : t('markets.newList')} onClose={rest.onClose} width={400}>
      <ListForm list={list} {...rest} />
    </Dialog>
  );
}

function ListForm({ list, watchlists, onSaved, onRemove, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation();
  const [name, setName] = useState(list?.name ?? '');
  const [symbols, setSymbols] = useState(list?.symbols ?? []);
  const [isTried, setTried] = useState(false);
  const problem = watchlistNameProblem(watchlists.lists, name, list?.name);
  const error = problem && t(problem, { most: LONGEST_WATCHLIST_NAME });
  const save = () => {
    setTried(true);
    if (error !== undefined) return;
    watchlists.save({ name: name.trim(), symbols }, list?.name);
    onSaved(name.trim());
    onClose();
  };
  return (
    <Flex
      as="form"
      direction="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        label={t('markets.listName')}
        value={name}
        maxLength={LONGEST_WATCHLIST_NAME}
        autoFocus
        error={isTried ? error : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {list && symbols.length > 0 && (
        <Flex as="ul" direction="column" maxH="40dvh" overflowY="auto" aria-label={t('markets.pairsOfList')}>
          {symbols.map((symbol) => (
            <Flex key={symbol} as="li" align="center" justify="space-between" borderTopWidth="1px" borderColor="border.subtle" ps="1">
              <Text fontSize="13px" lang="en" translate="no">
                {symbol}
              </Text>
              <IconButton
                icon="close"
                size="chip"
                label={t('markets.removePair', { pair: symbol })}
                onClick={() => setSymbols(symbols.filter((each) => each !== symbol))}
              />
            </Flex>
          ))}
        </Flex>
      )}
      {!list && (
        <Text fontSize="13px" color="fg.muted">
          {t('markets.newListHint')}
        </Text>
      )}
      <Flex gap="2" justify="flex-end">
        {list && (
          <Button type="button" variant="outline" color="danger.fg" me="auto" onClick={onRemove}>
            {t('markets.deleteList')}
          </Button>
        )}
        <Button type="submit" colorPalette="brand">
          {t('markets.saveList')}
        </Button>
      </Flex>
    </Flex>
  );
}
