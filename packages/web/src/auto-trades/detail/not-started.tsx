import { Box, Flex, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { Notice } from '../../ui/controls.tsx';
import { BotButton, STARTS, useBotActions } from '../bot-actions.tsx';
import type { NotStarted } from '../not-started-state.ts';

/** Why a bot that was saved just now could not be started; undefined once it runs. */
export function useNotStarted({ state }: Pick<AutoTradeDetail, 'state'>): NotStarted['notStarted'] | undefined {
  const problem = (useLocation().state as NotStarted | null)?.notStarted;
  return state === 'Running' ? undefined : problem;
}

/** That a bot was saved and could not be started, why, and the button to start it; nothing once it runs. */
export function NotStartedNotice({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const problem = useNotStarted(bot);
  const isOver = problem === undefined && (state as NotStarted | null)?.notStarted !== undefined;
  // The address keeps it over a reload: of a bot that ran, and rests later, it would not be true.
  useEffect(() => {
    if (isOver) void navigate({ pathname, search, hash }, { replace: true, state: null, preventScrollReset: true });
  }, [isOver, navigate, pathname, search, hash]);
  const actions = useBotActions(bot);
  const start = actions.offered.find((action) => STARTS.has(action));
  if (!problem) return null;
  return (
    <Box mb="3">
      <Notice tone="error" title={t('autoTrades.start.failed')}>
        <Flex gap="3" align="center" justify="space-between" wrap="wrap">
          <Text flex="1 1 280px">
            {whyOf(problem, t)} {t('autoTrades.start.again')}
          </Text>
          {start && <BotButton action={start} {...actions.propsOf(start)} />}
        </Flex>
        {actions.why}
      </Notice>
      {actions.dialogs}
    </Box>
  );
}

const whyOf = (problem: NotStarted['notStarted'], t: (key: string) => string): string =>
  problem.code === 'offline' ? t('ui.serverOffline') : (problem.detail ?? t(`errors.${problem.code}.detail`));
