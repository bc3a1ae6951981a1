import { Box } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { useApp, useStore } from '../../platform/app-context.tsx';
import { NotPermitted } from '../../platform/use-trading.tsx';
import { Notice, Panel } from '../../ui/controls.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ErrorPanel } from '../../ui/state-panels.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { useAutoTradeDetail } from '../use-auto-trades.ts';
import { BotCockpit } from './cockpit/cockpit.tsx';
import { CockpitFrame } from './cockpit/cockpit-frame.tsx';
import { NotStartedNotice } from './not-started.tsx';

/** One bot: what it has brought, what it will do, why, and everything it did. */
export default function AutoTradeDetailPage() {
  const { t } = useTranslation();
  const moment = useMoment();
  const { id = '' } = useParams();
  const { data: bot, hasFailed, problem, retry, isStale, loadedAt } = useAutoTradeDetail(id);
  const isOffline = useStore(useApp().live.status) === 'offline';
  if (!bot)
    return (
      <>
        <PageTitle>{t('routes.autoTradeDetail')}</PageTitle>
        {hasFailed ? (
          <Panel>
            <ErrorPanel problem={problem} onRetry={retry} />
          </Panel>
        ) : (
          <CockpitFrame />
        )}
      </>
    );
  return (
    <>
      {(isStale || isOffline) && loadedAt !== undefined && (
        <Box mb="3">
          <Notice tone="warning">{t('autoTrades.stale', { time: moment(loadedAt, 'second') })}</Notice>
        </Box>
      )}
      <NotPermitted permission="bots" />
      <NotStartedNotice key={`started ${id}`} bot={bot} />
      <BotCockpit key={id} bot={bot} isOld={isStale || isOffline} />
    </>
  );
}
