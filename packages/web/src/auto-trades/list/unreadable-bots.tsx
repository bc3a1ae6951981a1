import { Box } from '@chakra-ui/react';
import type { Unreadable } from '@pilotfish/core/account/account-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/primitives.tsx';
import { UnreadableItems } from '../../ui/unreadable-items.tsx';
import { HaltDialog } from '../halt-dialog.tsx';
import { useBotAction } from '../use-auto-trades.ts';

/** Bots that the list lacks. A halt is all that can be done with them: without it they go on once a version can read them. */
export function UnreadableBots({ bots }: { bots: readonly Unreadable[] }) {
  const { t } = useTranslation();
  const { run, running } = useBotAction();
  const [asking, setAsking] = useState<{ id: string; name: string }>();
  if (bots.length === 0) return null;
  return (
    <Box mb="5">
      <UnreadableItems items={bots}>
        {({ id, name, halted }) =>
          !halted && (
            <Button
              size="xs"
              variant="outline"
              color="danger.fg"
              colorPalette="danger"
              disabled={running}
              aria-label={t('autoTrades.actionOf', { action: t('autoTrades.action.halt'), name })}
              onClick={() => setAsking({ id, name: name ?? id })}
            >
              {t('autoTrades.action.halt')}
            </Button>
          )
        }
      </UnreadableItems>
      <HaltDialog
        open={asking !== undefined}
        bot={asking}
        holding={undefined}
        onHalt={async ({ reason }) => asking && run(asking, 'halt', { reason })}
        onClose={() => setAsking(undefined)}
      />
    </Box>
  );
}
