import { Box, Flex, Text } from '@chakra-ui/react';
import { formatFixed } from '@pilotfish/core/money/format';
import { formatSpan } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { Panel } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import type { RunState } from './backtest-run.ts';

type Props = { state: Extract<RunState, { at: 'loading' | 'running' }>; onCancel: () => void };

/** How far loading or running is, and how long it will take. */
export function BacktestProgress({ state, onCancel }: Props) {
  const { t, i18n } = useTranslation();
  const { done, left, at, candles } = state;
  const percent = Math.floor(done * 100);
  const name = t(`backtest.${at}`, { count: candles, shown: formatFixed(String(candles), 0) });
  return (
    <Panel>
      <Flex justify="space-between" gap="3" align="center" wrap="wrap">
        <Text>{name}</Text>
        <Flex gap="3" align="center">
          <Text className="figure" color="fg.muted" fontSize="13px">
            {percent}% {left !== undefined && t('backtest.left', { time: formatSpan(left * 1000, i18n.language, 1) })}
          </Text>
          <Button size="xs" variant="outline" color="fg" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        </Flex>
      </Flex>
      <Box
        mt="3"
        h="6px"
        bg="bg.raised"
        borderRadius="full"
        overflow="hidden"
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <Box h="full" bg="brand.solid" style={{ width: `${percent}%` }} />
      </Box>
    </Panel>
  );
}
