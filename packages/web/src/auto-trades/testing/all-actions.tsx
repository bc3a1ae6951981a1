import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { BotButton, useBotActions } from '../bot-actions.tsx';

/** Everything that is offered for a bot, each as its button, with the dialogs. */
export function AllActions({ bot }: { bot: AutoTrade }) {
  const { offered, propsOf, why, dialogs } = useBotActions(bot);
  return (
    <>
      {offered.map((action) => (
        <BotButton key={action} action={action} {...propsOf(action)} />
      ))}
      {why}
      {dialogs}
    </>
  );
}
