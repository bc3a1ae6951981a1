import { Box, Flex } from '@chakra-ui/react';
import { formatMoney } from '@pilotfish/core/money/format';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useHeld } from '../../auto-trades/use-auto-trades.ts';
import { useEquity, useEvery } from '../../overview/use-overview.ts';
import { useAccount } from '../../platform/use-session.ts';
import { Result } from '../../ui/kit/result.tsx';
import { Unknown } from '../../ui/kit/unknown.tsx';

const MS = 15_000;

/**
 * How live money stands, on pages that do not say it themselves: the day, what is open, what is at risk; below 1024 px
 * only the day. Nothing for who has not connected an account, and nothing while a figure's source does not answer: a page that is
 * about something else is not the place to say so.
 */
export default function Pulse() {
  const account = useAccount();
  return account && account.exchanges.length > 0 ? <Figures /> : null;
}

function Figures() {
  const { t } = useTranslation();
  useEvery(MS, 'held', 'overview-equity');
  // As home asks for them, so that neither asks twice.
  const equity = useEquity('live', '30d');
  const held = useHeld('live');
  const unknown = t('overview.unknownYet');
  if (equity.data === undefined || equity.hasFailed) return null;
  const { currency, sinceMidnight } = equity.data;
  const totals = held.data?.totals.find((each) => each.currency === currency);
  // Of other quote currencies only: nothing of them may read as 0.00 of this one.
  const nothing = held.data?.items.length === 0 ? '0' : null;
  const atRisk = totals?.atRisk ?? nothing;
  const isStale = equity.isStale || held.isStale;
  return (
    <Flex
      as="dl"
      align="baseline"
      gap={{ base: 3, xl: 5 }}
      fontSize="13px"
      lineHeight="20px"
      flexShrink="0"
      className={isStale ? 'stale' : undefined}
      css={{ fontVariantNumeric: 'tabular-nums' }}
    >
      <Figure name={t('overview.today')}>
        <Result value={sinceMidnight?.change ?? null} currency={currency} reason={unknown} />
      </Figure>
      {held.data !== undefined && !held.hasFailed && (
        <>
          <Figure name={t('overview.openShort')} wide>
            <Result value={totals ? totals.result : nothing} currency={currency} reason={unknown} />
          </Figure>
          <Figure name={t('overview.atRisk')} wide>
            {atRisk === null ? <Unknown reason={unknown} /> : formatMoney(atRisk, currency)}
            {totals !== undefined && totals.withoutStop > 0 && (
              <Box as="span" color="warning" fontWeight="400" display={{ base: 'none', xl: 'inline' }}>
                {' · '}
                {t('overview.withoutStop', { count: totals.withoutStop })}
              </Box>
            )}
          </Figure>
        </>
      )}
    </Flex>
  );
}

/** @param wide only where the bar has room for it */
function Figure({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <Flex gap="1.5" align="baseline" whiteSpace="nowrap" display={{ base: wide ? 'none' : 'flex', lg: 'flex' }}>
      <Box as="dt" id={id} color="fg.muted">
        {name}
      </Box>
      <Box as="dd" aria-labelledby={id} fontWeight="600">
        {children}
      </Box>
    </Flex>
  );
}
