import { Flex, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Badge } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { actionsFor, type BotAction, useBotAction } from './use-auto-trades.ts';

/** Buttons for what the bot's machine allows now; each says what will happen before it does. */
export function BotActions({ bot, only, onDeleted }: { bot: AutoTrade; only?: readonly BotAction[]; onDeleted?: () => void }) {
  const { t } = useTranslation();
  const { run, running } = useBotAction();
  const [asking, setAsking] = useState<BotAction>();
  const actions = actionsFor(bot).filter((action) => !only || only.includes(action));
  const danger = (action: BotAction) => action === 'halt' || action === 'delete';
  return (
    <Flex gap="2" wrap="wrap">
      {actions.map((action) => (
        <Button
          key={action}
          size="sm"
          variant={action === 'enable' || action === 'acknowledge' ? 'solid' : 'outline'}
          colorPalette={danger(action) ? 'danger' : 'brand'}
          color={action === 'enable' || action === 'acknowledge' ? undefined : danger(action) ? 'danger.fg' : 'fg'}
          disabled={running === bot.id}
          aria-label={only ? t('autoTrades.actionOf', { action: t(`autoTrades.action.${action}`), name: bot.name }) : undefined}
          onClick={() => setAsking(action)}
        >
          {t(`autoTrades.action.${action}`)}
        </Button>
      ))}
      <ConfirmDialog
        open={asking !== undefined}
        title={asking ? t(`autoTrades.ask.${asking}.title`, { name: bot.name }) : ''}
        confirm={asking ? t(`autoTrades.action.${asking}`) : ''}
        danger={asking !== undefined && danger(asking)}
        onConfirm={() => {
          if (asking) void run(bot, asking).then((ok) => ok && asking === 'delete' && onDeleted?.());
        }}
        onClose={() => setAsking(undefined)}
      >
        <Text>{asking ? t(`autoTrades.ask.${asking}.what`, { count: bot.openPositions }) : ''}</Text>
      </ConfirmDialog>
    </Flex>
  );
}

const TONES = {
  Draft: 'neutral',
  Disabled: 'neutral',
  Running: 'brand',
  Paused: 'secondary',
  Blocked: 'secondary',
  Halted: 'danger',
  Deleted: 'neutral',
} as const;

export const BotState = ({ bot }: { bot: Pick<AutoTrade, 'state'> }) => {
  const { t } = useTranslation();
  return <Badge tone={TONES[bot.state]}>{t(`botStates.${bot.state}`)}</Badge>;
};

/** Paper or live, and on which exchange: never left to guess. */
export const ModeBadge = ({ mode }: { mode: 'paper' | 'live' }) => {
  const { t } = useTranslation();
  return <Badge tone={mode === 'live' ? 'danger' : 'neutral'}>{t(`autoTrades.mode.${mode}`)}</Badge>;
};
