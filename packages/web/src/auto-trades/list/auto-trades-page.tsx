import { Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnreadable } from '../../app/unreadable-items.tsx';
import { PermittedLink } from '../../app/use-trading.tsx';
import { Panel } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { CoinHaltDialog, CoinHalts } from '../coin-halts.tsx';
import { useAutoTrades, useBotFigures, useWallets } from '../use-auto-trades.ts';
import { useWords } from '../use-words.ts';
import { AutoTradesFrame } from './auto-trades-frame.tsx';
import { BotCard } from './bot-card.tsx';
import { UnreadableBots } from './unreadable-bots.tsx';

/** Every bot with its state in words, its result, the last thing it did and the next it waits for. */
export default function AutoTradesPage() {
  const { t } = useTranslation();
  const bots = useAutoTrades();
  const figures = useBotFigures();
  const wallets = useWallets();
  const words = useWords();
  const [asking, setAsking] = useState(false);
  const unreadable = useUnreadable('auto-trade');
  const some = (bots.data?.length ?? 0) + unreadable.length > 0;
  return (
    <AutoTradesFrame
      title={t('routes.autoTrades')}
      lead={t('autoTrades.lead')}
      query={bots}
      actions={
        <>
          {some && (
            <Button variant="outline" color="fg" onClick={() => setAsking(true)}>
              {t('autoTrades.coinHalt.halt')}
            </Button>
          )}
          <PermittedLink permission="bots" to="/auto-trade/create" colorPalette="brand">
            <Icon name="plus" size={18} />
            {t('autoTrades.create')}
          </PermittedLink>
        </>
      }
    >
      <UnreadableBots bots={unreadable} />
      <CoinHalts bots={bots.data ?? []} />
      {bots.hasFailed ? (
        <Panel>
          <ErrorPanel problem={bots.problem} onRetry={bots.retry} />
        </Panel>
      ) : !bots.data ? (
        <Grid templateColumns={{ base: '1fr', lg: '1fr 1fr' }} gap="5">
          {[1, 2].map((card) => (
            <Panel key={card}>
              <Skeleton rows={8} height={22} />
            </Panel>
          ))}
        </Grid>
      ) : bots.data.length === 0 ? (
        <Panel>
          <EmptyState
            icon="bots"
            title={t('autoTrades.emptyTitle')}
            action={
              <PermittedLink permission="bots" to="/auto-trade/create" colorPalette="brand">
                {t('autoTrades.createFirst')}
              </PermittedLink>
            }
          >
            {t('autoTrades.emptyLead')}
          </EmptyState>
        </Panel>
      ) : (
        <Grid as="ul" listStyleType="none" templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="5">
          {bots.data.map((bot) => (
            <li key={bot.id}>
              <BotCard
                bot={bot}
                figures={figures.data?.find(({ id }) => id === bot.id)}
                wallet={wallets.data?.find(({ id }) => id === bot.walletId)}
                words={words}
              />
            </li>
          ))}
        </Grid>
      )}
      <CoinHaltDialog open={asking} onClose={() => setAsking(false)} />
    </AutoTradesFrame>
  );
}
