import { Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/primitives.tsx';
import { CoinHaltDialog } from '../../coin-halts.tsx';
import { TimeLeft } from '../../time-left.tsx';
import { EnterCoin } from '../enter-coin.tsx';
import { PositionActions } from '../position-actions.tsx';
import { isEntering } from '../rule-list.tsx';
import { type BotCoin, isOver } from './chosen-coin.ts';
import type { Cockpit } from './use-cockpit.ts';

/** What may be asked of the chosen coin: of a position its sale, its exit price and more; of a watched coin to enter or to halt it. */
export function CoinActions({ cockpit: { bot }, coin, isPhone }: { cockpit: Cockpit; coin: BotCoin; isPhone: boolean }) {
  // On a phone the sale stands under the thumb, and what goes on in the banner.

  const { t } = useTranslation();
  const [halting, setHalting] = useState(false);
  const { symbol, position, evaluation } = coin;
  const isWatched = position === undefined || position.state === 'TrailingEntry';
  const isAtWork = !bot.unreadPair && (bot.state === 'Running' || bot.state === 'Paused' || bot.state === 'Blocked');
  const offers = position && position.allowed.length + position.withheld.length > 0;
  return (
    <Flex minH="14" px="3" py="2" gap="3" align="center" wrap="wrap" borderTopWidth="1px" borderColor="border.subtle">
      {offers ? (
        <PositionActions
          key={position.id}
          bot={bot}
          position={position}
          without={[...(isPhone ? (['sell'] as const) : []), ...(position.attention ? (['resume', 'carryOver'] as const) : [])]}
        />
      ) : (
        <Text color="fg.muted" fontSize="13px" flex="1 1 200px">
          {position && isOver(position) ? t(`positionStates.${position.state}`) : <RestOf bot={bot} symbol={symbol} />}
        </Text>
      )}
      {isWatched && (
        <Flex gap="2" wrap="wrap">
          {evaluation && isEntering(evaluation) && isAtWork && <EnterCoin key={symbol} bot={bot} symbol={symbol} />}
          <Button
            size="xs"
            variant="outline"
            color="fg"
            aria-label={t('autoTrades.coinHalt.haltOf', { symbol })}
            onClick={() => setHalting(true)}
          >
            {t('autoTrades.coinHalt.short')}
          </Button>
        </Flex>
      )}
      <CoinHaltDialog key={`halt ${symbol}`} open={halting} bot={bot} symbol={symbol} onClose={() => setHalting(false)} />
    </Flex>
  );
}

/** Why a coin is not entered for a while, or that it is watched. */
function RestOf({ bot, symbol }: { bot: Cockpit['bot']; symbol: string }) {
  const { t } = useTranslation();
  const halt = bot.coinHalts.find((each) => each.symbol === symbol);
  const pause = bot.coinPauses.find((each) => each.symbol === symbol);
  const rest = halt ?? pause;
  if (!rest) return <>{t('positionStates.Watching')}</>;
  const why = halt
    ? halt.reason || t('botReasons.halt')
    : t(`botReasons.${pause?.reason}`, { detail: pause?.detail, defaultValue: pause?.reason ?? '' });
  return (
    <>
      {why} · <TimeLeft until={rest.until} />
    </>
  );
}
