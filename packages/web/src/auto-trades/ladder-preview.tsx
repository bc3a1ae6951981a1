import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { formatFixed, formatQuantity } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Panel } from '../ui/controls.tsx';
import { Skeleton } from '../ui/state-panels.tsx';
import type { Validation } from './use-bot-form.ts';

const SHOWN = 12;

/** What enabling would buy at present prices, and the most it could tie up. */
export function LadderPreview({ validation: { ladder, settled, valid } }: { validation: Validation }) {
  const { t } = useTranslation();
  const cell = { px: '2', py: '1.5', textAlign: 'end' } as const;
  return (
    <Panel position={{ lg: 'sticky' }} top={{ lg: '76px' }} aria-busy={!settled}>
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="1">
        {t('autoTrades.ladder.title')}
      </Heading>
      <Text color="fg.muted" fontSize="13px" mb="3">
        {t('autoTrades.ladder.lead')}
      </Text>
      {!ladder ? (
        settled ? (
          <Text color="fg.muted">{t('autoTrades.ladder.none')}</Text>
        ) : (
          <Skeleton rows={4} height={20} />
        )
      ) : (
        <Box opacity={settled ? 1 : 0.6}>
          {ladder.rungs.length === 0 ? (
            <Text color="fg.muted">{t('autoTrades.ladder.none')}</Text>
          ) : (
            <chakra.table w="100%" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums' }}>
              <thead>
                <chakra.tr color="fg.muted">
                  <chakra.th scope="col" {...cell} ps="0" textAlign="start" fontWeight="550">
                    {t('prices.column.symbol')}
                  </chakra.th>
                  <chakra.th scope="col" {...cell} fontWeight="550">
                    {t('autoTrades.ladder.price')}
                  </chakra.th>
                  <chakra.th scope="col" {...cell} pe="0" fontWeight="550">
                    {t('autoTrades.ladder.quote')}
                  </chakra.th>
                </chakra.tr>
              </thead>
              <tbody>
                {ladder.rungs.slice(0, SHOWN).map((rung) => (
                  <chakra.tr key={`${rung.symbol}${rung.level}`} borderTopWidth="1px" borderColor="border.subtle">
                    <chakra.th scope="row" {...cell} ps="0" textAlign="start" fontWeight="600" lang="en" translate="no">
                      {rung.symbol}
                    </chakra.th>
                    <chakra.td {...cell}>{formatQuantity(rung.price)}</chakra.td>
                    <chakra.td {...cell} pe="0">
                      {formatFixed(rung.quote, 2)}
                    </chakra.td>
                  </chakra.tr>
                ))}
              </tbody>
            </chakra.table>
          )}
          {ladder.rungs.length > SHOWN && (
            <Text color="fg.muted">{t('autoTrades.ladder.more', { count: ladder.rungs.length - SHOWN })}</Text>
          )}
          <Flex justify="space-between" mt="3" pt="3" borderTopWidth="1px" borderColor="border" fontWeight="600">
            <span>{t('autoTrades.ladder.worst')}</span>
            <span className="figure">
              {formatFixed(ladder.worstCaseTotal, 2)} {ladder.currency}
            </span>
          </Flex>
        </Box>
      )}
      <Text role="status" fontSize="13px" mt="3" color={settled && valid ? 'brand.fg' : 'fg.muted'}>
        {!settled ? t('autoTrades.form.checking') : valid ? t('autoTrades.form.fine') : t('autoTrades.form.notYet')}
      </Text>
    </Panel>
  );
}
