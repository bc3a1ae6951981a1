import { draftOf } from '@pilotfish/core/auto-trades/config/bot-draft';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router-dom';
import { useQuery } from '../../platform/use-query.ts';
import { useAccount } from '../../platform/use-session.ts';
import { Panel } from '../../ui/controls.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { notStartedState } from '../not-started-state.ts';
import { BotForm } from './bot-form.tsx';

export default function AutoTradeEditPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const account = useAccount();
  const {
    data: bot,
    hasFailed,
    problem,
    retry,
  } = useQuery(`auto-trade-settings:${id}`, (client, _: null, signal) => client.getAutoTrade({ params: { id } }, { signal }), null);
  return (
    <>
      <PageHeader title={bot ? t('autoTrades.form.editTitle', { name: bot.name }) : t('routes.autoTradeEdit')} />
      {bot && account ? (
        <BotForm
          key={bot.id}
          begun={account.username}
          initial={draftOf(bot.config)}
          existing={bot}
          onSaved={(saved, notStarted) => void navigate(`/auto-trade/detail/${saved.id}`, notStartedState(notStarted))}
        />
      ) : (
        <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={8} height={30} />}</Panel>
      )}
    </>
  );
}
