import { Box, chakra, Heading, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, negate } from '@pilotfish/core/money/decimal';
import { formatCurrency, formatResult } from '@pilotfish/core/money/format';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CompactSelect } from '../../prices/screener/compact-select.tsx';
import { Panel } from '../../ui/controls.tsx';
import { Skeleton } from '../../ui/state-panels.tsx';
import { useStayingChoice } from '../../ui/use-staying-choice.ts';
import { LadderChart } from './ladder-chart.tsx';
import { LadderTable } from './ladder-table.tsx';
import type { Validation } from './use-bot-form.ts';

type Ladder = AutoTradeDetail['ladder'];

/** What enabling would buy at present prices, where it would sell, and the most it could tie up. */
export function LadderPreview({ validation: { ladder, settled, valid, isLadderOld, errors } }: { validation: Validation }) {
  const { t } = useTranslation();
  return (
    <Panel
      position={{ xl: 'sticky' }}
      top={{ xl: '76px' }}
      maxH={{ xl: 'calc(100dvh - 92px)' }}
      overflowY={{ xl: 'auto' }}
      tabIndex={0}
      aria-label={t('autoTrades.ladder.title')}
      aria-busy={!settled}
    >
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="1">
        {t('autoTrades.ladder.title')}
      </Heading>
      <Text color="fg.muted" fontSize="13px" mb="3">
        {t('autoTrades.ladder.lead')}
      </Text>
      {ladder && ladder.rungs.length > 0 ? (
        <Box>
          {settled && isLadderOld && (
            <Text fontSize="13px" color="secondary.fg" mb="2">
              {t('autoTrades.ladder.old')}
            </Text>
          )}
          <LadderOf ladder={ladder} />
        </Box>
      ) : settled ? (
        <Text color="fg.muted">{t('autoTrades.ladder.none')}</Text>
      ) : (
        <Skeleton rows={4} height={20} />
      )}
      <Text role="status" fontSize="13px" mt="3" color={settled && valid ? 'brand.fg' : 'fg.muted'}>
        {!settled
          ? t('autoTrades.form.checking')
          : valid
            ? t('autoTrades.form.fine')
            : t('autoTrades.form.notYet', { count: Math.max(1, errors.size) })}
      </Text>
    </Panel>
  );
}

/** One coin's plan on its chart and as a table, as it stands after a chosen step; the sums are of all coins. */
export function LadderOf({ ladder }: { ladder: Ladder }) {
  const { t } = useTranslation();
  const symbols = [...new Set(ladder.rungs.map(({ symbol }) => symbol))];
  const [coin, setCoin] = useStayingChoice(symbols[0]);
  const symbol = coin !== undefined && symbols.includes(coin) ? coin : (symbols[0] ?? '');
  const [level, setLevel] = useState(0);
  const rungs = useMemo(() => ladder.rungs.filter((rung) => rung.symbol === symbol), [ladder.rungs, symbol]);
  // Of a plan that has become shorter the last step that is left.
  const chosen = rungs.find((rung) => rung.level === level) ?? rungs.at(-1);
  if (!chosen) return null;
  return (
    <>
      <Sums ladder={ladder} />
      <LadderChart
        symbol={symbol}
        coin={
          symbols.length > 1 ? (
            <Box flex="0 1 220px" minW="0">
              <CompactSelect
                label={t('autoTrades.ladder.coin')}
                value={symbol}
                options={symbols.map((value) => ({ value, label: value }))}
                onChange={setCoin}
              />
            </Box>
          ) : (
            <Text fontWeight="600" lang="en" translate="no">
              {symbol}
            </Text>
          )
        }
        rungs={rungs}
        chosen={chosen}
        currency={ladder.currency}
      />
      <Box mt="2">
        <LadderTable
          ladder={ladder}
          exits={ladder.exits.filter((exit) => exit.symbol === symbol)}
          rungs={rungs}
          chosen={chosen}
          onChoose={setLevel}
        />
      </Box>
    </>
  );
}

/** Of all coins, before anything else: what the bot can tie up, and lose. */
function Sums({ ladder: { worstCaseTotal, worstLoss, currency } }: { ladder: Ladder }) {
  const { t } = useTranslation();
  return (
    <chakra.dl display="grid" gridTemplateColumns="repeat(2, minmax(0, 1fr))" gap="3" mb="3">
      <Sum label={t('autoTrades.ladder.worst')}>{formatCurrency(worstCaseTotal, currency)}</Sum>
      <Sum label={t('autoTrades.ladder.worstLoss')}>
        {worstLoss === null ? (
          <chakra.span color="fg.muted">{t('autoTrades.ladder.noStop')}</chakra.span>
        ) : (
          <span className="loss">{formatResult(negate(decimal(worstLoss)), currency)}</span>
        )}
      </Sum>
    </chakra.dl>
  );
}

const Sum = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box minW="0">
    <Text as="dt" fontSize="12px" lineHeight="16px" color="fg.muted">
      {label}
    </Text>
    <Text as="dd" fontSize="17px" lineHeight="24px" fontWeight="620" overflowWrap="anywhere" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {children}
    </Text>
  </Box>
);
