import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { settingName } from '@pilotfish/core/auto-trades/config/setting-words';
import type { ComparedPosition, Comparison, RunComparison, RunPosition } from '@pilotfish/core/comparison/comparison-contract';
import { GAP_PARTS, reasonWords, wrongWords } from '@pilotfish/core/comparison/comparison-words';
import { isLess, isNothing, type Money, type Price } from '@pilotfish/core/money/figure';
import { formatPercent, formatPrice, formatResult, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '../platform/use-query.ts';
import { usePairs } from '../prices/use-prices.ts';
import { Notice, Panel } from '../ui/controls.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { type Column, PagedTable } from '../ui/tables/paged-table.tsx';
import { toneOf } from '../ui/theme/tone.ts';
import { useMoment } from '../ui/use-moment.ts';
import { useRecording } from './use-recording.ts';

const PAGE_SIZE = 20;
const TABULAR = { fontVariantNumeric: 'tabular-nums' } as const;
type Run = 'real' | 'other';
/** Chosen in place of another bot: the backtest of the bot's own recording. */
const RECORDING = 'recording';
const LATENCIES = [0, 50, 100, 250, 500, 1000, 3000] as const;

/** A bot beside another, or beside the backtest of its recording, position by position: how far both were apart, and why. */
export function ComparisonPanel({ id }: { id: string }) {
  const { t } = useTranslation();
  const [against, setAgainst] = useState<string>();
  const { data, hasFailed, problem, retry, isStale } = useQuery(
    `comparison:${id}`,
    (client, params: { against?: string }, signal) => client.compareAutoTrade({ params: { id }, query: params }, { signal }),
    against === undefined || against === RECORDING ? {} : { against },
  );
  if (!data) return <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={6} height={30} />}</Panel>;
  const { real, other, comparison, candidates } = data;
  if (against === RECORDING)
    return <RecordingPanel id={id} name={(real.id === id ? real : (other ?? real)).name} candidates={candidates} onChoose={setAgainst} />;
  if (!other || !comparison)
    return (
      <Panel>
        <EmptyState icon="bots" title={t('autoTrades.tab.compare')}>
          <Text mb="4">{t('comparison.none', { currency: data.currency })}</Text>
          <Button onClick={() => setAgainst(RECORDING)}>{t('comparison.withRecording')}</Button>
        </EmptyState>
      </Panel>
    );
  // The one that was asked about may stand on either side: the choice is of the other one.
  const chosen = real.id === id ? other.id : real.id;
  return (
    <Flex direction="column" gap="5" opacity={isStale ? 0.6 : 1}>
      <Head title={t('comparison.title', { real: real.name, other: other.name })} lead={t('comparison.lead', { other: other.name })}>
        {{
          note:
            other.differs.length === 0
              ? t('comparison.same')
              : t('comparison.differs', {
                  names: other.differs.map((path) => settingName(path, (key, values) => t(key, values ?? {}))).join(', '),
                }),
          choice: <Choice candidates={candidates} chosen={chosen} onChoose={setAgainst} />,
        }}
      </Head>
      <Sums document={data} comparison={comparison} />
      <Positions key={`${real.id} ${other.id}`} document={data} comparison={comparison} />
    </Flex>
  );
}

type ChoiceProps = { readonly candidates: Comparison['candidates']; readonly onChoose: (id: string) => void };

/** What the bot is compared with: another one, or the backtest of its recording. */
function Choice({ candidates, chosen, onChoose }: ChoiceProps & { chosen: string }) {
  const { t } = useTranslation();
  const bots = candidates.map(({ id: value, name, mode }) => ({ value, label: `${name} · ${t(`autoTrades.mode.${mode}`)}` }));
  const options = [...bots, { value: RECORDING, label: t('comparison.withRecording') }];
  return <SelectField label={t('comparison.with')} value={chosen} options={options} onChange={onChoose} />;
}

function Head({ title, lead, children }: { title: string; lead: string; children: { note?: string; choice: ReactNode } }) {
  return (
    <Panel>
      <Flex gap="5" wrap="wrap" justify="space-between" align="flex-start">
        <Box flex="1 1 420px" minW="0">
          <Heading as="h2" fontSize="16px" fontWeight="600" mb="2">
            {title}
          </Heading>
          <Text color="fg.muted" fontSize="13px">
            {lead}
          </Text>
          {children.note && (
            <Text color="fg.muted" fontSize="13px" mt="2">
              {children.note}
            </Text>
          )}
        </Box>
        <Flex direction="column" gap="3" flex="0 1 320px" minW="0" w="100%">
          {children.choice}
        </Flex>
      </Flex>
    </Panel>
  );
}

/** The bot beside a backtest of the prices that it was given, which runs here. */
function RecordingPanel({ id, name, candidates, onChoose }: ChoiceProps & { id: string; name: string }) {
  const { t } = useTranslation();
  const [latency, setLatency] = useState('0');
  const recording = t('comparison.recording');
  const { data, hasFailed, problem, retry, isLoading, isStale } = useRecording(id, Number(latency), recording);
  const document = data && 'comparison' in data ? data.comparison : undefined;
  return (
    <Flex direction="column" gap="5" opacity={isStale ? 0.6 : 1}>
      <Head title={t('comparison.title', { real: name, other: recording })} lead={t('comparison.lead', { other: recording })}>
        {{
          note: t('comparison.recordingNote'),
          choice: (
            <>
              <Choice candidates={candidates} chosen={RECORDING} onChoose={onChoose} />
              <SelectField
                label={t('comparison.latency')}
                value={latency}
                options={LATENCIES.map((ms) => ({ value: String(ms), label: `${ms} ms` }))}
                onChange={setLatency}
              />
            </>
          ),
        }}
      </Head>
      {hasFailed && <ErrorPanel problem={problem} onRetry={retry} />}
      {isLoading && (
        <Panel>
          <Skeleton rows={6} height={30} />
        </Panel>
      )}
      {data && 'wrong' in data && <Notice tone="info" title={wrongWords((key, values) => t(key, values ?? {}), name, data)} />}
      {document?.comparison && (
        <>
          <Sums document={document} comparison={document.comparison} />
          <Positions document={document} comparison={document.comparison} />
        </>
      )}
    </Flex>
  );
}

function Sums({ document, comparison }: { document: Comparison; comparison: RunComparison }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { currency, real, other } = document;
  const { gap, open } = comparison;
  const sums = (bot: string, { positions, result, resultPct }: RunComparison[Run]) =>
    t('comparison.sums', {
      bot,
      count: positions,
      result: formatResult(result, currency),
      pct: resultPct === null ? UNKNOWN : formatPercent(resultPct),
    });
  // Before one of them has sold there is nothing to judge.
  const isJudged = comparison.real.positions + comparison.other.positions > 0;
  const verdict = isNothing(gap.total) ? 'equal' : isLess(gap.total) ? 'worse' : 'better';
  return (
    <Panel>
      <Text color="fg.muted" fontSize="13px">
        {t('comparison.since', {
          time: moment(comparison.since),
        })}
      </Text>
      <Text mt="2">{sums(real.name, comparison.real)}</Text>
      <Text>{sums(other?.name ?? '', comparison.other)}</Text>
      {isJudged && (
        <>
          <Heading as="h3" fontSize="15px" fontWeight="600" mt="4" mb="2">
            {t(`comparison.${verdict}`, { bot: other?.name ?? '' })}{' '}
            {verdict !== 'equal' && (
              <Text as="span" className={toneOf(gap.total)} css={TABULAR}>
                {formatResult(gap.total, currency, 'fine')}
              </Text>
            )}
          </Heading>
          <chakra.dl display="grid" gridTemplateColumns={{ base: '1fr 1fr', md: 'repeat(6, minmax(0, 1fr))' }} gap="3">
            {GAP_PARTS.map((part) => (
              <Box key={part} minW="0">
                <Text as="dt" color="fg.muted" fontSize="12px">
                  {t(`comparison.part.${part}`)}
                </Text>
                <Text as="dd" className={toneOf(gap[part])} fontWeight="600" css={TABULAR}>
                  {formatSigned(gap[part], currency, 'fine')}
                </Text>
              </Box>
            ))}
          </chakra.dl>
        </>
      )}
      {open > 0 && (
        <Text mt="3" color="fg.muted" fontSize="13px">
          {t('comparison.open', { count: open })}
        </Text>
      )}
    </Panel>
  );
}

function Positions({ document, comparison }: { document: Comparison; comparison: RunComparison }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const [page, setPage] = useState(1);
  const { currency, real, other } = document;
  const moment = useMoment();
  const price = (symbol: string, value: Price | null | undefined) =>
    value == null ? UNKNOWN : formatPrice(value, pairs?.get(symbol)?.pricePrecision);
  const money = (value: Money | null | undefined) =>
    value == null ? (
      UNKNOWN
    ) : (
      <Text as="span" className={toneOf(value)} css={TABULAR}>
        {formatSigned(value, currency)}
      </Text>
    );
  /** What both came to, the real one above. */
  const both = (cell: (run: RunPosition | null) => ReactNode) => (row: ComparedPosition) => (
    <Flex direction="column" css={TABULAR}>
      {(['real', 'other'] as const).map((run) => (
        <span key={run}>{cell(row[run])}</span>
      ))}
    </Flex>
  );
  const names = [real.name, other?.name ?? ''].join(' / ');
  const columns: Column<ComparedPosition>[] = [
    {
      key: 'pair',
      label: t('comparison.column.pair'),
      head: true,
      cell: ({ symbol }) => (
        <Text as="span" fontWeight="600" lang="en" translate="no">
          {symbol}
        </Text>
      ),
    },
    { key: 'time', label: t('comparison.column.time'), cell: both((run) => (run ? moment(run.enteredAt) : UNKNOWN)) },
    {
      key: 'entry',
      label: t('comparison.column.entry', { bot: names }),
      align: 'end',
      cell: (row) => both((run) => price(row.symbol, run?.entryPrice))(row),
    },
    {
      key: 'exit',
      label: t('comparison.column.exit', { bot: names }),
      align: 'end',
      cell: (row) => both((run) => price(row.symbol, run?.exitPrice))(row),
    },
    { key: 'result', label: t('comparison.column.result', { bot: names }), align: 'end', cell: both((run) => money(run?.result)) },
    { key: 'gap', label: t('comparison.column.gap'), align: 'end', cell: ({ gap }) => money(gap?.total) },
    {
      key: 'reasons',
      label: t('comparison.column.reasons'),
      cell: (row) => reasonWords((key, values) => t(key, values ?? {}), row, document) || UNKNOWN,
    },
  ];
  const all = comparison.positions;
  const since = moment(comparison.since);
  return (
    <Panel>
      <PagedTable
        label={t('comparison.title', { real: real.name, other: other?.name ?? '' })}
        columns={columns}
        rowKey={({ real: one, other: two }) => `${one?.positionId ?? ''} ${two?.positionId ?? ''}`}
        query={{
          data: { items: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), page, pageSize: PAGE_SIZE, total: all.length },
          hasFailed: false,
          isStale: false,
          problem: undefined,
          retry: () => undefined,
        }}
        onPage={setPage}
        empty={t('comparison.empty', { time: since })}
      />
    </Panel>
  );
}
