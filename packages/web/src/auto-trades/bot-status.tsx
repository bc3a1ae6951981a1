import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../prices/use-prices.ts';
import { StatusSentence } from '../ui/kit/status-sentence.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { useWaitingText } from './use-waiting-text.ts';

const NAMED = 3;

/** A bot in a sentence: what it holds or why it rests, what it does next, at which price, and how far that is. */
export function BotStatus({ bot, figures }: { bot: AutoTrade; figures: AutoTradeFigures | undefined }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const pairs = usePairs();
  const waiting = useWaitingText();
  const coins = (figures?.holds ?? []).map((symbol) => pairs?.get(symbol)?.baseAsset ?? symbol);
  const held =
    coins.length > 0
      ? t('botStatus.holds', { coins: coins.slice(0, NAMED).join(', ') + (coins.length > NAMED ? ` +${coins.length - NAMED}` : '') })
      : t('botStatus.flat');
  if (bot.unreadPair) return <StatusSentence lead={t('autoTrades.unreadPair', { pair: bot.unreadPair })} />;
  if (bot.stateReason) {
    const reason = t(`botReasons.${bot.stateReason}`, { defaultValue: bot.stateReason });
    return (
      <StatusSentence
        lead={/[.!?…]$/.test(reason) ? reason : `${reason}.`}
        next={bot.pausedUntil ? t('botStatus.until', { time: moment(bot.pausedUntil) }) : held}
      />
    );
  }
  const isAtWork = bot.state === 'Running' || bot.state === 'Paused' || bot.state === 'Blocked';
  const next = isAtWork ? figures?.next : undefined;
  if (!next) return <StatusSentence lead={held} />;
  const asset = pairs?.get(next.symbol)?.baseAsset ?? next.symbol;
  return <StatusSentence lead={held} next={`${asset}: ${waiting(next.symbol, next.waitsFor)}`} distance={next.distancePct} />;
}
