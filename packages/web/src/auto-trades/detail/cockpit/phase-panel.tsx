import { Box, chakra, Flex, Heading } from '@chakra-ui/react';
import { autoTradeMachine } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { autoTradePositionMachine } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TitledPanel } from '../../../ui/kit/titled-panel.tsx';
import { Button } from '../../../ui/primitives.tsx';
import { shownName } from '../chart-layout.ts';
import { Lifecycle } from '../lifecycle.tsx';
import type { BotCoin } from './chosen-coin.ts';
import { PHASES, phaseOf, placeOf } from './position-phase.ts';
import { type Cockpit, useCoinName } from './use-cockpit.ts';

/** How far the position of the chosen coin is, in five words, and the way to the states behind them. */
export const PhasePanel = memo(function PhasePanel({ cockpit: { bot }, coin }: { cockpit: Cockpit; coin: BotCoin }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const name = useCoinName()(coin.symbol);
  const present = phaseOf(coin.position);
  const state = coin.position?.state ?? coin.evaluation?.state ?? 'Watching';
  return (
    <TitledPanel
      title={t('autoTrades.cockpit.position', { coin: name })}
      count={t(`positionStates.${state}`)}
      actions={
        <Button size="xs" variant="ghost" color="fg.muted" onClick={() => setOpen(true)}>
          {t('autoTrades.lifecycle')}
        </Button>
      }
    >
      <Flex as="ol" listStyleType="none" pt="1">
        {PHASES.map((phase, index) => {
          const place = placeOf(phase, present);
          return (
            <Flex
              as="li"
              key={phase}
              direction="column"
              align="center"
              gap="5px"
              flex="1"
              position="relative"
              fontSize="11px"
              lineHeight="14px"
              aria-current={place === 'present' ? 'step' : undefined}
              color={place === 'present' ? 'fg' : 'fg.subtle'}
              fontWeight={place === 'present' ? '600' : '400'}
            >
              {index > 0 && (
                <Box
                  position="absolute"
                  top="4px"
                  insetStart="-50%"
                  w="100%"
                  h="2px"
                  bg={place === 'ahead' ? 'border' : 'fg.subtle'}
                  aria-hidden="true"
                />
              )}
              <chakra.i
                w="10px"
                h="10px"
                borderRadius="full"
                borderWidth="1.5px"
                zIndex="1"
                borderColor={place === 'present' ? 'brand.solid' : place === 'past' ? 'fg.subtle' : 'border.control'}
                bg={place === 'present' ? 'brand.solid' : place === 'past' ? 'fg.subtle' : 'bg.panel'}
                css={place === 'present' ? { boxShadow: '0 0 0 4px var(--chakra-colors-brand-muted)' } : undefined}
              />
              {t(`autoTrades.cockpit.phase.${phase}`)}
            </Flex>
          );
        })}
      </Flex>
      <Dialog open={open} title={t('autoTrades.lifecycle')} width={960} onClose={() => setOpen(false)}>
        <Flex direction="column" gap="5">
          {coin.position && (
            <Box as="section">
              <Heading as="h3" fontSize="14px" fontWeight="620" mb="2">
                {t('autoTrades.cockpit.position', { coin: name })}
              </Heading>
              <Lifecycle
                machine={autoTradePositionMachine}
                current={coin.position.machineState}
                title={coin.symbol}
                stateName={(each) => t(`positionStates.${shownName(each)}`)}
              />
            </Box>
          )}
          <Box as="section">
            <Heading as="h3" fontSize="14px" fontWeight="620" mb="2">
              {bot.name}
            </Heading>
            <Lifecycle
              machine={autoTradeMachine}
              current={bot.state.toLowerCase()}
              title={bot.name}
              stateName={(each) => t(`botStates.${shownName(each)}`)}
              // The keys hold dots themselves, so they are looked up with another separator.
              eventName={(event) => t(`botEvents/${event}`, { keySeparator: '/' })}
            />
          </Box>
        </Flex>
      </Dialog>
    </TitledPanel>
  );
});
