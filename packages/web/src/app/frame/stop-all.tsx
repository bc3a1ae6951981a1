import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HaltDialog } from '../../auto-trades/halt-dialog.tsx';
import { useAutoTrades, useBotChange } from '../../auto-trades/use-auto-trades.ts';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';

/** The kill switch of all bots, in the top bar of every page. What it asks is loaded when it is pressed. */
export default function StopAll() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const bots = useAutoTrades({ enabled: asked });
  const { change } = useBotChange();
  return (
    <>
      <Button
        variant="outline"
        size="xs"
        px={{ base: 2, md: 3 }}
        color="danger.fg"
        colorPalette="danger"
        aria-label={t('autoTrades.haltAll.open')}
        aria-haspopup="dialog"
        onClick={() => setAsked(true)}
      >
        <Icon name="stop" size={14} />
        <Box as="span" display={{ base: 'none', md: 'inline' }}>
          {t('autoTrades.haltAll.open')}
        </Box>
      </Button>
      <HaltDialog
        // At once: who stops everything must not wait for a list of bots that comes slowly or never.
        open={asked}
        bot={undefined}
        holding={bots.data?.reduce((sum, { openPositions }) => sum + openPositions, 0)}
        onHalt={({ reason, liquidate }) =>
          change((client) => client.haltAutoTrades({ body: { scope: 'all', reason, liquidate } }), t('autoTrades.haltAll.done'))
        }
        onClose={() => setAsked(false)}
      />
    </>
  );
}
