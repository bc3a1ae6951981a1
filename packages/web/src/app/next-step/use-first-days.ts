import { VIEW_LIMITS } from '@pilotfish/core/account/view-limits';
import { FACTS_OF, type FinishedStep, type FirstDayFacts } from '@pilotfish/core/overview/first-days';
import { useCallback } from 'react';
import { useAutoTrades, useWallets } from '../../auto-trades/use-auto-trades.ts';
import { useNotificationSettings } from '../../notifications/use-notifications.ts';
import { useChoice } from '../../platform/use-choice.ts';
import { useAccount } from '../../platform/use-session.ts';
import { useSync } from '../../positions/use-positions.ts';
import { usePriceAlerts } from '../../price-alerts/use-price-alerts.ts';

const HOME = ['account', 'history', 'wallets', 'bots'] as const;

/**
 * What is known of the account's first days; of it, only what the step depends on is asked for. Features meet in app/ only.
 * @param known what the screen knows already
 */
export function useFirstDayFacts(step: FinishedStep | 'home', known: FirstDayFacts = {}): FirstDayFacts {
  const wanted: ReadonlySet<keyof FirstDayFacts> = new Set(step === 'home' ? HOME : FACTS_OF[step]);
  const asks = (fact: keyof FirstDayFacts) => ({ enabled: wanted.has(fact) && known[fact] === undefined });
  const [dismissed] = useChoice('dismissedSteps');
  return {
    account: useAccount(),
    history: useSync(asks('history')).data,
    wallets: useWallets(asks('wallets')).data,
    bots: useAutoTrades(asks('bots')).data,
    alerts: usePriceAlerts(asks('alerts')).data?.length,
    channels: useNotificationSettings(asks('channels')).data?.channels,
    dismissed,
    ...known,
  };
}

/** Remembers a step as dismissed or done, on every device of the account. */
export function useRemembered(): (memory: string) => void {
  const [dismissed = [], choose] = useChoice('dismissedSteps');
  return useCallback(
    (memory) => {
      // One too many would have the account refuse everything that is sent with it.
      if (!dismissed.includes(memory)) choose([...dismissed, memory].slice(-VIEW_LIMITS.dismissedSteps));
    },
    [dismissed, choose],
  );
}
