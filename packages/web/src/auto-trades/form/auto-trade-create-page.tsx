import { newDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { isName } from '@pilotfish/core/money/asset-name';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useAccount } from '../../app/use-session.ts';
import { Panel } from '../../ui/controls.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { useWallets } from '../use-auto-trades.ts';
import { BotForm } from './bot-form.tsx';

export default function AutoTradeCreatePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const wallets = useWallets();
  const account = useAccount();
  const symbol = query.get('symbol');
  return (
    <>
      <PageHeader title={t('routes.autoTradeCreate')} lead={t('autoTrades.form.lead')} />
      {wallets.data && account ? (
        <BotForm
          key={query.toString()}
          begun={`${account.username}:${query.toString()}`}
          initial={newDraft(
            wallets.data.find(({ id }) => id === query.get('wallet'))?.id ?? wallets.data[0]?.id ?? '',
            symbol && isName(symbol) ? [symbol] : [],
          )}
          onSaved={(bot) => void navigate(`/auto-trade/detail/${bot.id}`)}
        />
      ) : (
        <Panel>
          {wallets.hasFailed ? <ErrorPanel problem={wallets.problem} onRetry={wallets.retry} /> : <Skeleton rows={8} height={30} />}
        </Panel>
      )}
    </>
  );
}
