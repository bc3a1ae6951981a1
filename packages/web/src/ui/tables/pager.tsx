import { Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../primitives.tsx';

/**
 * The way through several pages; one page needs none. Chakra's Pagination would be 3.3 kB, packed, for two buttons: its words
 * and where the focus goes at either end would still be ours.
 * @param props.aside stands in its line, also without a way
 */
export const Pager = ({
  page,
  pages,
  onPage,
  aside,
}: {
  page: number;
  pages: number;
  onPage: (page: number) => void;
  aside?: ReactNode;
}) => {
  const { t } = useTranslation();
  const back = useRef<HTMLButtonElement>(null);
  const on = useRef<HTMLButtonElement>(null);
  const pressed = useRef<number>(undefined);
  // At either end the way on goes off, and whoever stood on it would stand nowhere: the way back is beside it.
  useEffect(() => {
    if (pressed.current !== page) return;
    pressed.current = undefined;
    if (page <= 1) on.current?.focus();
    else if (page >= pages) back.current?.focus();
  }, [page, pages]);
  const hasWay = pages > 1 || page > 1;
  if (!hasWay && !aside) return null;
  const go = (to: number) => {
    pressed.current = to;
    onPage(to);
  };
  return (
    <Flex align="center" gap="3" mt="3" color="fg.muted" fontSize="13px" wrap="wrap">
      <span>{t('ui.pageOf', { page, pages })}</span>
      {aside}
      {hasWay && (
        <Flex gap="2" ms="auto">
          <Button ref={back} size="chip" variant="outline" color="fg" disabled={page <= 1} onClick={() => go(page - 1)}>
            {t('ui.previous')}
          </Button>
          <Button ref={on} size="chip" variant="outline" color="fg" disabled={page >= pages} onClick={() => go(page + 1)}>
            {t('ui.next')}
          </Button>
        </Flex>
      )}
    </Flex>
  );
};
