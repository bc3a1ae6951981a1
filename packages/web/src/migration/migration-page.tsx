import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { asset } from '@pilotfish/core/http/wire';
import { formatChange, formatQuantity } from '@pilotfish/core/money/format';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../platform/use-address.ts';
import { NotPermitted } from '../platform/use-trading.tsx';
import { type Recalculation, RecalculationDiff } from '../positions/detail/recalculation-diff.tsx';
import { PositionsFrame, WhenConnected } from '../positions/positions-tabs.tsx';
import { SyncPanel } from '../positions/sync-panel.tsx';
import { usePositionNews, useSync } from '../positions/use-positions.ts';
import { LinkButton, Notice, Panel } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { GapForms } from './gap-forms.tsx';
import { type Gap, useMigration } from './use-migration.ts';

/** The coin whose gap is explained. */
const CHOSEN = { asset: asset.optional() };

/** How far the history is read, and what the account holds beyond it: a list that empties as it is explained. */
export default function MigrationPage() {
  const { t } = useTranslation();
  const moment = useMoment();
  usePositionNews();
  const query = useMigration();
  const differences = useSync().data?.differences;
  // The balances are compared for the page. Where they cannot be, those of the last comparison still differ, as far as is known.
  const data =
    query.data ?? (query.hasFailed ? differences?.map((each): Gap => ({ ...each, exchange: 'Binance', trades: [] })) : undefined);
  const [{ asset: chosen }, change] = useAddress(CHOSEN);
  // Its units are explained, by a deposit for one, but nobody said what they cost.
  const isAsked = chosen !== undefined && data !== undefined && !data.some(({ asset }) => asset === chosen);
  // Outlives the row it came from, which leaves the list.
  const [built, setBuilt] = useState<{ asset: string; diff: Recalculation }>();
  const done = (asset: string) => (diff: Recalculation | undefined) => {
    change({ asset: undefined });
    if (diff) setBuilt({ asset, diff });
  };
  useEffect(() => {
    if (chosen && data) document.getElementById(`gap-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, data]);
  return (
    <PositionsFrame title={t('routes.migration')} note={t('gaps.lead')}>
      <NotPermitted permission="trade-import" />
      <Flex direction="column" gap="3">
        <WhenConnected>
          <SyncPanel />
        </WhenConnected>
        {query.isStale && query.loadedAt !== undefined && (
          <Notice tone="warning">{t('positions.stale', { time: moment(query.loadedAt, 'second') })}</Notice>
        )}
        {query.hasFailed && query.problem?.code !== 'not-connected' && (
          <Panel>
            <ErrorPanel problem={query.problem} onRetry={query.retry} />
          </Panel>
        )}
        {data === undefined ? (
          !query.hasFailed && (
            <Panel>
              <Skeleton rows={4} height={48} />
            </Panel>
          )
        ) : data.length > 0 || isAsked ? (
          <>
            <Text role="status" color="fg.muted" px="1">
              {data.length === 0 ? t('gaps.noneTitle') : t('gaps.count', { count: data.length })}
            </Text>
            {isAsked && <CostPanel key={chosen} asset={chosen} onDone={done(chosen)} />}
            <Flex
              as="ul"
              direction="column"
              gap="3"
              listStyleType="none"
              className={query.isStale || query.hasFailed ? 'stale' : undefined}
            >
              {data.map((gap) => (
                <li key={gap.asset} id={`gap-${gap.asset}`}>
                  <GapPanel
                    gap={gap}
                    onDone={done(gap.asset)}
                    isOpen={chosen === gap.asset}
                    onToggle={() => change({ asset: chosen === gap.asset ? undefined : gap.asset })}
                  />
                </li>
              ))}
            </Flex>
          </>
        ) : (
          !query.hasFailed && <NothingLeft />
        )}
      </Flex>
      <Dialog open={built !== undefined} title={t('gaps.built', { asset: built?.asset ?? '' })} onClose={() => setBuilt(undefined)}>
        {built && <RecalculationDiff diff={built.diff} currency="USDT" />}
      </Dialog>
    </PositionsFrame>
  );
}

function NothingLeft() {
  const { t } = useTranslation();
  return (
    <Panel>
      <EmptyState
        icon="check"
        title={t('gaps.noneTitle')}
        action={
          <LinkButton to="/positions" colorPalette="brand">
            {t('imports.toPositions')}
          </LinkButton>
        }
      >
        {t('gaps.noneLead')}
      </EmptyState>
    </Panel>
  );
}

/** The cost of units that are known to have come. */
function CostPanel({ asset, onDone }: { asset: string; onDone: (diff: Recalculation | undefined) => void }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <Heading as="h2" textStyle="title" lang="en" translate="no" mb="1">
        {asset}
      </Heading>
      <Text color="fg.muted" mb="4">
        {t('gaps.costOnly', { asset })}
      </Text>
      <GapForms gap={{ exchange: 'Binance', asset, balance: '0', known: '0', difference: '0', trades: [], reasons: [] }} onDone={onDone} />
    </Panel>
  );
}

function GapPanel({
  gap,
  isOpen,
  onToggle,
  onDone,
}: {
  gap: Gap;
  isOpen: boolean;
  onToggle: () => void;
  onDone: (diff: Recalculation | undefined) => void;
}) {
  const { t } = useTranslation();
  const id = `forms-${gap.asset}`;
  return (
    <Panel>
      <Flex justify="space-between" gap="4" wrap="wrap">
        <Box flex="1 1 260px" minW="0">
          <Heading as="h2" textStyle="title" lang="en" translate="no">
            {gap.asset}
          </Heading>
          {gap.reasons.map((reason) => (
            <Text key={reason} color="fg.muted" fontSize="13px">
              {reason}
            </Text>
          ))}
        </Box>
        <Grid
          as="dl"
          templateColumns="repeat(3, minmax(0, auto))"
          gapX={{ base: 3, sm: 5 }}
          textAlign="end"
          overflowWrap="anywhere"
          css={{ fontVariantNumeric: 'tabular-nums' }}
        >
          {(
            [
              ['balance', formatQuantity(gap.balance)],
              ['known', formatQuantity(gap.known)],
              ['difference', formatChange(gap.difference)],
            ] as const
          ).map(([key, value]) => (
            <Box key={key}>
              <Text as="dt" color="fg.muted" fontSize="12px">
                {t(`gaps.${key}`)}
              </Text>
              <Text as="dd" fontWeight={key === 'difference' ? '650' : '450'}>
                {value}
              </Text>
            </Box>
          ))}
        </Grid>
      </Flex>
      <chakra.button
        type="button"
        mt={{ base: '1', md: '3' }}
        minH={{ base: '44px', md: 'auto' }}
        color="brand.fg"
        fontWeight="550"
        cursor="pointer"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
      >
        {t(isOpen ? 'gaps.hide' : 'gaps.explain', { asset: gap.asset })}
      </chakra.button>
      <Box id={id} hidden={!isOpen} mt="4" pt="4" borderTopWidth="1px" borderColor="border.subtle">
        {isOpen && <GapForms gap={gap} onDone={onDone} />}
      </Box>
    </Panel>
  );
}
