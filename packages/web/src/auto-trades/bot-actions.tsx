import { Flex, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, SwitchField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import { useMoney } from '../wallets/use-money.ts';
import { HaltDialog } from './halt-dialog.tsx';
import { actionsFor, type BotAction, useBotAction } from './use-auto-trades.ts';

/** Buttons for what the bot's machine allows now; each says what will happen before it does. */
export function BotActions({ bot, only, onDeleted }: { bot: AutoTrade; only?: readonly BotAction[]; onDeleted?: () => void }) {
  const { t } = useTranslation();
  const { run, running } = useBotAction();
  const [asking, setAsking] = useState<BotAction>();
  const actions = actionsFor(bot).filter((action) => !only || only.includes(action));
  return (
    <Flex gap="2" wrap="wrap">
      {actions.map((action) => (
        <Button
          key={action}
          size="sm"
          variant={STARTS.has(action) ? 'solid' : 'outline'}
          colorPalette={isDanger(action) ? 'danger' : 'brand'}
          color={STARTS.has(action) ? undefined : isDanger(action) ? 'danger.fg' : 'fg'}
          disabled={running}
          aria-label={only ? t('autoTrades.actionOf', { action: t(`autoTrades.action.${action}`), name: bot.name }) : undefined}
          onClick={() => setAsking(action)}
        >
          {t(`autoTrades.action.${action}`)}
        </Button>
      ))}
      <HaltDialog
        open={asking === 'halt'}
        bot={bot}
        holding={bot.openPositions}
        onHalt={(choice) => void run(bot, 'halt', choice)}
        onClose={() => setAsking(undefined)}
      />
      <ActionDialog
        bot={bot}
        action={asking === 'halt' ? undefined : asking}
        onConfirm={(action, detach) => void run(bot, action, { detach }).then((ok) => ok && action === 'delete' && onDeleted?.())}
        onClose={() => setAsking(undefined)}
      />
    </Flex>
  );
}

const STARTS: ReadonlySet<BotAction> = new Set(['enable', 'resume', 'acknowledge']);
const isDanger = (action: BotAction) => action === 'halt' || action === 'delete';

/** What will happen; a reset or a deletion with positions open only goes on once its owner takes them over. */
function ActionDialog({
  bot,
  action,
  onConfirm,
  onClose,
}: {
  bot: AutoTrade;
  action: BotAction | undefined;
  onConfirm: (action: BotAction, detach: boolean) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [detach, setDetach] = useState(false);
  const mustDetach = (action === 'reset' || action === 'delete') && bot.openPositions > 0;
  const close = () => {
    setDetach(false);
    onClose();
  };
  return (
    <Dialog
      open={action !== undefined}
      title={action ? t(`autoTrades.ask.${action}.title`, { name: bot.name }) : ''}
      width={480}
      onClose={close}
      actions={
        <>
          <Button variant="ghost" color="fg" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button
            colorPalette={action && isDanger(action) ? 'danger' : 'brand'}
            disabled={mustDetach && !detach}
            onClick={() => {
              if (action) onConfirm(action, detach);
              close();
            }}
          >
            {action ? t(`autoTrades.action.${action}`) : ''}
          </Button>
        </>
      }
    >
      <Flex direction="column" gap="4" color="fg.muted">
        <Text>{action ? t(`autoTrades.ask.${action}.what`, { count: bot.openPositions }) : ''}</Text>
        {action === 'reset' && bot.mode === 'paper' && <Text>{t('autoTrades.ask.resetPaper')}</Text>}
        {mustDetach && (
          <SwitchField
            label={t('autoTrades.ask.detach', { count: bot.openPositions })}
            hint={t('autoTrades.ask.detachHint')}
            checked={detach}
            onChange={setDetach}
          />
        )}
      </Flex>
    </Dialog>
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

const MONEY_TONES = { paper: 'neutral', test: 'secondary', live: 'danger' } as const;

/** Whose money moves: never left to guess. */
export const ModeBadge = ({ mode }: { mode: 'paper' | 'live' }) => {
  const { t } = useTranslation();
  const money = useMoney()(mode);
  return <Badge tone={MONEY_TONES[money]}>{t(`autoTrades.mode.${money}`)}</Badge>;
};
