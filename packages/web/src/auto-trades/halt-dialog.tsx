import { Flex, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, SwitchField, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import type { ActionChoice } from './use-auto-trades.ts';

const MAX_REASON = 200;

/**
 * The kill switch of one bot or of all: from the click on nothing is signed. Selling off is a choice of its own, and
 * is confirmed once more.
 */
export function HaltDialog({
  open,
  bot,
  holding,
  onHalt,
  onClose,
}: {
  open: boolean;
  /** Undefined: every bot. */
  bot: AutoTrade | undefined;
  /** Open positions of what is halted. */
  holding: number;
  onHalt: (choice: Required<Omit<ActionChoice, 'detach'>>) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [choice, setChoice] = useState({ reason: '', liquidate: false, sure: false });
  const close = () => {
    setChoice({ reason: '', liquidate: false, sure: false });
    onClose();
  };
  return (
    <Dialog
      open={open}
      title={bot ? t('autoTrades.ask.halt.title', { name: bot.name }) : t('autoTrades.haltAll.title')}
      onClose={close}
      actions={
        <>
          <Button type="button" variant="ghost" color="fg" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button
            type="button"
            colorPalette="danger"
            disabled={choice.liquidate && !choice.sure}
            onClick={() => {
              onHalt({ reason: choice.reason.trim(), liquidate: choice.liquidate });
              close();
            }}
          >
            {t(choice.liquidate ? 'autoTrades.haltAll.withSale' : bot ? 'autoTrades.action.halt' : 'autoTrades.haltAll.confirm')}
          </Button>
        </>
      }
    >
      <Flex direction="column" gap="4">
        <Text color="fg.muted">
          {bot ? t('autoTrades.ask.halt.what', { count: holding }) : t('autoTrades.haltAll.what', { count: holding })}
        </Text>
        <TextField
          label={t('autoTrades.haltAll.reason')}
          value={choice.reason}
          maxLength={MAX_REASON}
          onChange={(event) => setChoice({ ...choice, reason: event.currentTarget.value })}
        />
        {holding > 0 && (
          <SwitchField
            label={t('autoTrades.haltAll.liquidate', { count: holding })}
            hint={t('autoTrades.haltAll.liquidateHint')}
            checked={choice.liquidate}
            onChange={(liquidate) => setChoice({ ...choice, liquidate, sure: false })}
          />
        )}
        {choice.liquidate && (
          <Notice tone="error" title={t('autoTrades.haltAll.sureTitle')}>
            <SwitchField
              label={t('autoTrades.haltAll.sure', { count: holding })}
              checked={choice.sure}
              onChange={(sure) => setChoice({ ...choice, sure })}
            />
          </Notice>
        )}
      </Flex>
    </Dialog>
  );
}
