import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Button } from './primitives.tsx';

/** The way through several pages; one page needs none. */
export const Pager = ({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) => {
  const { t } = useTranslation();
  if (pages <= 1 && page <= 1) return null;
  return (
    <Flex justify="space-between" align="center" mt="3" color="fg.muted" fontSize="13px">
      <span>{t('ui.pageOf', { page, pages })}</span>
      <Flex gap="2">
        <Button size="xs" variant="outline" color="fg" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          {t('ui.previous')}
        </Button>
        <Button size="xs" variant="outline" color="fg" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          {t('ui.next')}
        </Button>
      </Flex>
    </Flex>
  );
};
