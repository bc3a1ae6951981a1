import { Flex, Text } from '@chakra-ui/react';
import { type AutoTrade, type BotAction, botAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { spendWords } from '@pilotfish/core/auto-trades/spend-outlook';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefusal, WhyDisabled } from '../platform/use-trading.tsx';
import { Notice } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { NotDone } from '../ui/dialogs/not-done.tsx';
import { useConfirming } from '../ui/dialogs/use-confirming.ts';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Button, type ButtonProps } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { useMoney } from '../wallets/use-money.ts';
import { actionText } from './action-text.ts';
import { ExposureNotice } from './exposure-notice.tsx';
import { HaltDialog } from './halt-dialog.tsx';
import { type ActionChoice, useBotAction } from './use-auto-trades.ts';

/**
 * What is offered for a bot: what its machine allows now, and, withheld with its reason, what only the keys do not.
 * @param only where there is no room for all
 */
export const offeredActions = (bot: Pick<AutoTrade, 'allowed' | 'withheld'>, only?: readonly BotAction[]) =>
  botAction.options.flatMap((action) => {
    if (only && !only.includes(action)) return [];
    const withheld = bot.withheld.find((each) => each.action === action);
    return withheld || bot.allowed.includes(action) ? [{ action, withheld: withheld?.reason }] : [];
  });

/** What is offered for a bot, what its buttons do, and the dialogs: drawn once, so that they stay when a menu closes. */
export function useBotActions(bot: AutoTrade, { onDeleted }: { onDeleted?: () => void } = {}) {
  const [asking, setAsking] = useState<BotAction>();
  const whyId = useId();
  const refusal = useRefusal('bots');
  const offered = offeredActions(bot);
  const withheld = (action: BotAction) => offered.find((each) => each.action === action)?.withheld;
  /** Off with its reason where the keys or the roles of the account withhold it. */
  const propsOf = (action: BotAction) => ({
    disabled: withheld(action) !== undefined,
    'aria-describedby': withheld(action) === undefined ? undefined : whyId,
    ...(STARTS.has(action) ? refusal : {}),
    onClick: () => setAsking(action),
  });
  const reason = offered.find((each) => each.withheld !== undefined)?.withheld;
  return {
    offered: offered.map(({ action }) => action),
    propsOf,
    why: reason === undefined ? null : <WhyDisabled id={whyId} reason={reason} />,
    dialogs: <BotDialogs bot={bot} asking={asking} onClose={() => setAsking(undefined)} onDeleted={onDeleted} />,
  };
}
export type OfferedActions = ReturnType<typeof useBotActions>;

/** The questions before what is asked of a bot, one at a time. */
export function BotDialogs({
  bot,
  asking,
  onClose,
  onDeleted,
}: {
  bot: AutoTrade;
  asking: BotAction | undefined;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}) {
  const { run } = useBotAction();
  return (
    <>
      <HaltDialog
        open={asking === 'halt'}
        bot={bot}
        holding={bot.openPositions}
        onHalt={(choice) => run(bot, 'halt', choice)}
        onClose={onClose}
      />
      <ActionDialog
        bot={bot}
        action={asking === 'halt' ? undefined : asking}
        onConfirm={async (action, choice) => {
          await run(bot, action, choice);
          if (action === 'delete') onDeleted?.();
        }}
        onClose={onClose}
      />
    </>
  );
}

/** The form of a new bot, filled with the settings of this one. */
export const duplicateOf = ({ id }: Pick<AutoTrade, 'id'>): string => `/auto-trade/create?from=${id}`;

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

export const STARTS: ReadonlySet<BotAction> = new Set(['enable', 'resume', 'acknowledge']);
/** What its owner most likely wants, drawn as such. */
const isFirst = (action: BotAction) => STARTS.has(action) || action === 'unfreeze';
export const isDanger = (action: BotAction) => action === 'halt' || action === 'delete';

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
      {sale ? t('autoTrades.byHand.action.sell') : problem ? t('ui.retry') : action ? t(actionText(bot, action)) : ''}
    </Button>
  );
  return (
    <Dialog
      open={action !== undefined}
      title={
        action
          ? t(action === 'disable' && bot.state === 'Halted' ? 'autoTrades.ask.disableHalted' : `autoTrades.ask.${action}.title`, {
              name: bot.name,
            })
          : ''
      }
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
export function Spending({ bot }: { bot: AutoTrade }) {
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
