import { Flex, Text } from '@chakra-ui/react';
import { type AutoTrade, type BotAction, botAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { spendWords } from '@pilotfish/core/auto-trades/spend-outlook';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefusal, WhyDisabled } from '../app/use-trading.tsx';
import { Notice } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { NotDone } from '../ui/not-done.tsx';
import { Button, type ButtonProps } from '../ui/primitives.tsx';
import { SwitchField } from '../ui/switch-field.tsx';
import { problemText } from '../ui/toasts.ts';
import { useConfirming } from '../ui/use-confirming.ts';
import { useMoney } from '../wallets/use-money.ts';
import { ExposureNotice } from './exposure-notice.tsx';
import { HaltDialog } from './halt-dialog.tsx';
import { type ActionChoice, useBotAction } from './use-auto-trades.ts';

/**
 * What the bot's machine allows now, and the dialogs that say what will happen before it does. `dialogs` is drawn once,
 * outside of what holds the buttons, so that it stays when a menu closes.
 */
export function useBotActions(bot: AutoTrade, { only, onDeleted }: { only?: readonly BotAction[]; onDeleted?: () => void } = {}) {
  const { run, running } = useBotAction();
  const [asking, setAsking] = useState<BotAction>();
  const whyId = useId();
  const refusal = useRefusal('bots');
  const withheld = bot.withheld.filter(({ action }) => !only || only.includes(action));
  const isWithheld = (action: BotAction) => withheld.some((each) => each.action === action);
  const offered = botAction.options.filter(
    (action) => (bot.allowed.includes(action) && (!only || only.includes(action))) || isWithheld(action),
  );
  /** Off while something runs, and with its reason where the keys or the roles of the account withhold it. */
  const propsOf = (action: BotAction) => ({
    disabled: running || isWithheld(action),
    'aria-describedby': isWithheld(action) ? whyId : undefined,
    ...(STARTS.has(action) ? refusal : {}),
    onClick: () => setAsking(action),
  });
  const dialogs = (
    <>
      <HaltDialog
        open={asking === 'halt'}
        bot={bot}
        holding={bot.openPositions}
        onHalt={(choice) => run(bot, 'halt', choice)}
        onClose={() => setAsking(undefined)}
      />
      <ActionDialog
        bot={bot}
        action={asking === 'halt' ? undefined : asking}
        onConfirm={async (action, choice) => {
          await run(bot, action, choice);
          if (action === 'delete') onDeleted?.();
        }}
        onClose={() => setAsking(undefined)}
      />
    </>
  );
  const why = withheld.length > 0 ? <WhyDisabled id={whyId} reason={withheld[0]?.reason} /> : null;
  return { offered, propsOf, why, dialogs };
}
export type OfferedActions = ReturnType<typeof useBotActions>;

/** Buttons for what the bot's machine allows now, disabled with its reason what only the keys withhold. */
export function BotActions({ bot, only, onDeleted }: { bot: AutoTrade; only?: readonly BotAction[]; onDeleted?: () => void }) {
  const { t } = useTranslation();
  const { offered, propsOf, why, dialogs } = useBotActions(bot, { ...(only && { only }), ...(onDeleted && { onDeleted }) });
  return (
    <Flex gap="2" wrap="wrap">
      {offered.map((action) => (
        <BotButton
          key={action}
          action={action}
          aria-label={only ? t('autoTrades.actionOf', { action: t(`autoTrades.action.${action}`), name: bot.name }) : undefined}
          {...propsOf(action)}
        />
      ))}
      {why}
      {dialogs}
    </Flex>
  );
}

/** The button of an action, in the look of what it means. */
export function BotButton({ action, children, ...props }: { action: BotAction } & ButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      size="sm"
      variant={isFirst(action) ? 'solid' : 'outline'}
      colorPalette={isDanger(action) ? 'danger' : 'brand'}
      color={isFirst(action) ? undefined : isDanger(action) ? 'danger.fg' : 'fg'}
      {...props}
    >
      {children}
      {t(`autoTrades.action.${action}`)}
    </Button>
  );
}

const STARTS: ReadonlySet<BotAction> = new Set(['enable', 'resume', 'acknowledge']);
/** What its owner most likely wants, drawn as such. */
const isFirst = (action: BotAction) => STARTS.has(action) || action === 'unfreeze';
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
  onConfirm: (action: BotAction, choice: ActionChoice) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [detach, setDetach] = useState(false);
  const mustDetach = (action === 'reset' || action === 'delete') && bot.openPositions > 0;
  const { busy, problem, close, confirm } = useConfirming(() => {
    setDetach(false);
    onClose();
  });
  // Exits that a halt or a freeze held back and that are due: letting them go is a sale, asked for as one.
  const sale = problem?.code === 'would-sell-now' ? problem : undefined;
  const cancel = (
    <Button variant="ghost" color="fg" onClick={close}>
      {t('ui.cancel')}
    </Button>
  );
  const act = (
    <Button
      colorPalette={sale || (action && isDanger(action)) ? 'danger' : 'brand'}
      disabled={busy || (mustDetach && !detach)}
      onClick={() => action && confirm(() => onConfirm(action, { detach, sellNow: sale !== undefined }))}
    >
      {sale ? t('autoTrades.byHand.action.sell') : problem ? t('ui.retry') : action ? t(`autoTrades.action.${action}`) : ''}
    </Button>
  );
  return (
    <Dialog
      open={action !== undefined}
      title={action ? t(`autoTrades.ask.${action}.title`, { name: bot.name }) : ''}
      width={480}
      onClose={close}
      // The sale never comes to lie where the button before it was: a second tap in haste cancels.
      actions={
        sale ? (
          <>
            {act}
            {cancel}
          </>
        ) : (
          <>
            {cancel}
            {act}
          </>
        )
      }
    >
      <Flex direction="column" gap="4" color="fg.muted">
        <Text>
          {action === 'disable' && bot.mustAcknowledge
            ? t('autoTrades.stillHalted')
            : action
              ? t(`autoTrades.ask.${action}.what`, { count: bot.openPositions })
              : ''}
        </Text>
        {action && STARTS.has(action) && <Spending bot={bot} />}
        {action && STARTS.has(action) && <ExposureNotice mode={bot.mode} config={bot.config} />}
        {action === 'reset' && bot.mode === 'paper' && <Text>{t('autoTrades.ask.resetPaper')}</Text>}
        {mustDetach && (
          <SwitchField
            label={t('autoTrades.ask.detach', { count: bot.openPositions })}
            hint={t('autoTrades.ask.detachHint')}
            checked={detach}
            onChange={setDetach}
          />
        )}
        {sale && (
          <Notice tone="warning" title={sale.title ?? t('errors.would-sell-now.title')}>
            {problemText(sale, t)}
          </Notice>
        )}
        <NotDone problem={sale ? undefined : problem} />
      </Flex>
    </Dialog>
  );
}

/** Whose money moves, and how much, before a bot that trades on the account is let go. */
function Spending({ bot }: { bot: AutoTrade }) {
  const { t } = useTranslation();
  const money = useMoney()(bot.mode);
  if (money === 'paper') return null;
  return (
    <Text color="fg" fontWeight="550">
      {t(`autoTrades.ask.money.${money}`, { wallet: bot.walletName })} {spendWords((key, values) => t(key, values), bot)}
    </Text>
  );
}

/** That a frozen bot sends no exit: said wherever its positions are shown. @param action what ends it */
export const FrozenNotice = ({ bot, action }: { bot: Pick<AutoTrade, 'exits' | 'openPositions'>; action?: ReactNode }) => {
  const { t } = useTranslation();
  if (bot.exits !== 'freeze' || bot.openPositions === 0) return null;
  return (
    <Notice tone="warning" title={t('autoTrades.frozen.title')}>
      <Flex gap="3" align="center" justify="space-between" wrap="wrap">
        <Text flex="1 1 280px">{t('autoTrades.frozen.what', { count: bot.openPositions })}</Text>
        {action}
      </Flex>
    </Notice>
  );
};
