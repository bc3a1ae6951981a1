import { Text } from '@chakra-ui/react';
import type { ConditionProblem } from '@pilotfish/core/backtest/backtest-conditions';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/controls.tsx';

/** The rules of a bot that its candles cannot answer, and why. */
export function BacktestProblems({ problems }: { problems: readonly ConditionProblem[] }) {
  const { t } = useTranslation();
  return (
    <Notice tone="warning" title={t('backtest.problem.lead')}>
      {problems.map(({ code, column }) => (
        <Text key={`${code} ${column}`}>{t(`backtest.problem.${code}`, { column })}</Text>
      ))}
    </Notice>
  );
}
