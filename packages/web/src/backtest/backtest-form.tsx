import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { conditionProblems } from '@pilotfish/core/backtest/backtest-conditions';
import type { Interval } from '@pilotfish/core/http/wire';
import { formatFixed } from '@pilotfish/core/money/format';
import { intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel, Segments } from '../ui/controls.tsx';
import { DecimalField } from '../ui/fields/decimal-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { BacktestProblems } from './backtest-problems.tsx';
import type { BacktestPlan } from './backtest-run.ts';

const DAY_MS = 86_400_000;
/** Days back from now, and the candles that suit them: more than enough for the rules, few enough to fetch while one waits. */
const PERIODS = { '7': '1m', '30': '5m', '90': '15m', '365': '1h' } as const satisfies Record<string, Interval>;
type Period = keyof typeof PERIODS;
const PERIOD_KEYS = Object.keys(PERIODS) as Period[];
const INTERVALS = ['1m', '5m', '15m', '1h', '4h'] as const satisfies readonly Interval[];
const ALL = 'all';

type Props = {
  config: AutoTradeConfig;
  pairs: readonly Pair[];
  isBusy: boolean;
  onStart: (plan: BacktestPlan) => void;
};

/** Which coins, how far back, how fine, with how much money. */
export function BacktestForm({ config, pairs, isBusy, onStart }: Props) {
  const { t } = useTranslation();
  const [coin, setCoin] = useState<string>(ALL);
  const [period, setPeriod] = useState<Period>('30');
  const [interval, setInterval] = useState<Interval>(PERIODS['30']);
  const [balance, setBalance] = useState('1000');
  const chosen = coin === ALL ? pairs : pairs.filter(({ symbol }) => symbol === coin);
  const length = intervalLength(interval) ?? 60_000;
  const count = Math.round((Number(period) * DAY_MS) / length) * chosen.length;
  const problems = conditionProblems(config, length);
  const hasBalance = Number(balance) > 0;
  const start = () => {
    const to = Math.floor(Date.now() / length) * length;
    onStart({ config, pairs: chosen, interval, from: to - Number(period) * DAY_MS, to, startBalance: balance });
  };
  return (
    <Panel
      as="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (hasBalance && !isBusy && problems.length === 0) start();
      }}
    >
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' }} gap="4">
        <SelectField
          label={t('backtest.form.coins')}
          value={coin}
          onChange={setCoin}
          options={[
            ...(pairs.length > 1 ? [{ value: ALL, label: t('backtest.form.allCoins', { count: pairs.length }) }] : []),
            ...pairs.map(({ symbol }) => ({ value: pairs.length > 1 ? symbol : ALL, label: symbol })),
          ]}
        />
        <SelectField
          label={t('backtest.form.interval')}
          value={interval}
          onChange={(next) => setInterval(next as Interval)}
          options={INTERVALS.map((value) => ({ value, label: value }))}
        />
        <DecimalField
          label={t('backtest.form.balance')}
          value={balance}
          onChange={setBalance}
          unit={pairs[0]?.quoteAsset ?? ''}
          error={hasBalance ? undefined : t('backtest.form.noBalance')}
        />
      </Grid>
      {problems.length > 0 && (
        <Box mt="4">
          <BacktestProblems problems={problems} />
        </Box>
      )}
      <Flex mt="4" gap="3" wrap="wrap" align="center" justify="space-between">
        <Segments
          label={t('backtest.form.period')}
          value={period}
          options={PERIOD_KEYS.map((value) => ({ value, label: t('backtest.form.days', { count: Number(value) }) }))}
          onChange={(next) => {
            setPeriod(next);
            setInterval(PERIODS[next]);
          }}
        />
        <Flex gap="3" align="center" wrap="wrap">
          <Text color="fg.muted" fontSize="13px">
            {t('backtest.form.candles', { count, shown: formatFixed(String(count), 0) })}
          </Text>
          <Button type="submit" disabled={isBusy || !hasBalance || problems.length > 0}>
            {t('backtest.form.run')}
          </Button>
        </Flex>
      </Flex>
    </Panel>
  );
}
