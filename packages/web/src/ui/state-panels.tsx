import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../platform/use-session.ts';
import { TextLink } from './controls.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Button } from './primitives.tsx';
import { problemText } from './toasts.ts';

/** Grey bars in the shape of what is coming. */
export const Skeleton = ({ rows = 3, height = 20 }: { rows?: number; height?: number }) => {
  const { t } = useTranslation();
  return (
    <Flex direction="column" gap="2" role="status">
      <span className="visually-hidden">{t('ui.loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never move
        <div key={row} className="skeleton" style={{ height, width: `${100 - ((row * 13) % 40)}%` }} />
      ))}
    </Flex>
  );
};

/** What happened, what is safe, and another try; in plain words, for the rest of the page works. */
export const ErrorPanel = ({ problem, onRetry }: { problem: ShownProblem | undefined; onRetry: () => void }) => {
  const { t } = useTranslation();
  // Not offered is neither broken nor worth another try.
  if (problem?.code === 'not-implemented') return <Text color="fg.muted">{problemText(problem, t)}</Text>;
  const title = problem?.title ?? t(`errors.${problem?.code ?? 'internal'}.title`);
  const detail = problemText(problem ?? { code: 'internal' }, t);
  return (
    <Flex direction="column" gap="3" align="flex-start">
      <Box role="alert" fontSize="13px" overflowWrap="anywhere">
        <Text fontWeight="600" fontSize="14px">
          {title}
        </Text>
        {detail !== title && <Text color="fg.muted">{detail}</Text>}
        {problem?.code === 'exchange-unreachable' && <ToMarket />}
        {(problem?.code ?? 'internal') === 'internal' && <Text color="fg.muted">{t('ui.notLoaded')}</Text>}
      </Box>
      <Button size="sm" h={{ base: '11', md: '9' }} variant="outline" colorPalette="brand" color="fg" onClick={onRetry}>
        <Icon name="refresh" size={16} />
        {t('ui.retry')}
      </Button>
    </Flex>
  );
};

/** Only an Admin can choose another market. */
const ToMarket = () => {
  const { t } = useTranslation();
  return useIsAdmin() && <TextLink to="/management/market">{t('marketChoice.open')}</TextLink>;
};

/** What this place is for, and the first thing to do in it. */
export const EmptyState = ({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <Flex direction="column" align="center" textAlign="center" gap="3" py={{ base: 8, md: 12 }} px="4" maxW="560px" mx="auto">
    <Flex w="14" h="14" align="center" justify="center" borderRadius="full" bg="brand.subtle" color="brand.fg">
      <Icon name={icon} size={28} />
    </Flex>
    <Heading as="h2" textStyle="title">
      {title}
    </Heading>
    <Box color="fg.muted">{children}</Box>
    {action}
  </Flex>
);
