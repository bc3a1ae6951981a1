import { Box, Flex } from '@chakra-ui/react';
import type { AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isTraded } from '@pilotfish/core/auto-trades/held-positions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../../prices/use-prices.ts';
import { LinkButton, Notice } from '../../../ui/controls.tsx';
import { Button } from '../../../ui/primitives.tsx';
import { useMoment } from '../../../ui/use-moment.ts';
import { BotButton, FrozenNotice, type OfferedActions } from '../../bot-actions.tsx';
import { TimeLeft } from '../../time-left.tsx';
import { PositionButtons } from '../position-actions.tsx';
import { PositionCarryOver } from '../position-carry-over.tsx';
import { type BotBanner as Kind, waitingElsewhere } from './banner-kind.ts';
import { type BotCoin, isOver } from './chosen-coin.ts';
import { type Cockpit, useCoinName } from './use-cockpit.ts';

const ROUTES = { '/user/exchange-connect': 'exchangeConnect', '/auto-trade/wallets': 'wallets' } as const;

/** A notice with the one thing to do about it at its end. */
const WithAction = ({
  tone,
  title,
  children,
  action,
}: {
  tone: 'warning' | 'error';
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <Box css={{ '& > div': { alignItems: 'center' } }}>
    <Notice tone={tone} title={title}>
      <Flex gap="3" align="center" justify="space-between" wrap="wrap">
        <Box flex="1 1 280px">{children}</Box>
        {action}
      </Flex>
    </Notice>
  </Box>
);

/** Above the chart: why the bot rests or what needs its owner, the worst first, each with the one action that helps. */
export function BotBanners({
  cockpit,
  banner,
  actions,
  coin,
  onChoose,
}: {
  cockpit: Cockpit;
  banner: Kind | undefined;
  actions: OfferedActions;
  coin: BotCoin | undefined;
  onChoose: (symbol: string) => void;
}) {
  const { t } = useTranslation();
  const nameOf = useCoinName();
  const { bot } = cockpit;
  return (
    <>
      {banner && <OfBot cockpit={cockpit} banner={banner} actions={actions} />}
      {waitingElsewhere(bot.positions, coin?.symbol).map(({ id, symbol, attention }) => (
        <WithAction
          key={id}
          tone="error"
          title={`${nameOf(symbol)}: ${t('positionStates.NeedsAttention')}`}
          action={
            <Button size="xs" variant="outline" color="fg" onClick={() => onChoose(symbol)}>
              {t('autoTrades.cockpit.show', { coin: nameOf(symbol) })}
            </Button>
          }
        >
          {attention && t(`errors.${attention}.detail`, { defaultValue: attention })}
        </WithAction>
      ))}
      {coin?.position && <OfPosition cockpit={cockpit} position={coin.position} />}
    </>
  );
}

function OfBot({ cockpit: { bot }, banner, actions }: { cockpit: Cockpit; banner: Kind; actions: OfferedActions }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const button = banner.action && <BotButton action={banner.action} {...actions.propsOf(banner.action)} />;
  if (banner.kind === 'unread') return <Notice tone="error">{t('autoTrades.unreadPair', { pair: bot.unreadPair })}</Notice>;
  if (banner.kind === 'frozen')
    return (
      <Flex direction="column" gap="2">
        <FrozenNotice bot={bot} action={button} />
      </Flex>
    );
  return (
    <WithAction
      tone={banner.kind === 'halted' ? 'error' : 'warning'}
      title={t(`botStates.${bot.state}`)}
      action={
        banner.path ? (
          <LinkButton to={banner.path} size="sm" variant="outline" color="fg">
            {t(`routes.${ROUTES[banner.path]}`)}
          </LinkButton>
        ) : (
          button
        )
      }
    >
      {bot.stateReason && t(`botReasons.${bot.stateReason}`, { defaultValue: bot.stateReason })}
      {bot.pausedUntil && (
        <>
          {' '}
          {t('autoTrades.until', { time: moment(bot.pausedUntil, 'second') })} <TimeLeft until={bot.pausedUntil} />
        </>
      )}
      {banner.kind === 'halted' && bot.openPositions > 0 && ` ${t('autoTrades.cockpit.heldHalted', { count: bot.openPositions })}`}
    </WithAction>
  );
}

/** What stands in the way of the position that is looked at. */
function OfPosition({ cockpit: { bot }, position }: { cockpit: Cockpit; position: AutoTradePosition }) {
  const { t } = useTranslation();
  const pair = usePairs()?.get(position.symbol);
  return (
    <>
      {position.attention && (
        <WithAction
          tone="error"
          title={t('positionStates.NeedsAttention')}
          action={
            <Flex gap="2" wrap="wrap">
              {position.allowed.includes('carryOver') && <PositionCarryOver bot={bot} position={position} pair={pair} />}
              <PositionButtons key={position.id} bot={bot} position={position} only={{ action: 'resume' }} />
            </Flex>
          }
        >
          {t(`errors.${position.attention}.detail`, { defaultValue: position.attention })}
        </WithAction>
      )}
      {position.stopRefused && (
        <Notice tone="warning">
          {t([`autoTrades.stopRefusals.${position.stopRefused}`, 'autoTrades.position.stopRefused'], {
            reason: t(`stopReasons.${position.stopRefused}`, { defaultValue: position.stopRefused }),
          })}
        </Notice>
      )}
      {!isTraded(bot, position.symbol) && !isOver(position) && (
        <Notice tone="warning" title={t('autoTrades.notTraded.title', { symbol: position.symbol })}>
          {t('autoTrades.notTraded.detail')}
        </Notice>
      )}
    </>
  );
}
