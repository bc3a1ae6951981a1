import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { Quantity } from '@pilotfish/core/money/figure';
import { formatFixed, formatPrice, formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import { countsInWords } from '@pilotfish/core/trade-import/import-counts';
import { type ImportAnswer, ROW_RESULTS, type RowResult, WARNING_CODES } from '@pilotfish/core/trade-import/trade-import-contract';
import type { ImportMeanings } from '@pilotfish/core/trade-import/trade-import-machine';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, Panel } from '../ui/controls.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { OperationsForm } from './import-questions.tsx';

const COUNTED = ROW_RESULTS;

/** What a file would bring, row by row, before anything of it is stored. */
export function ImportPreview({
  answer,
  canCommit,
  onCommit,
  onMeanings,
  children,
}: {
  answer: ImportAnswer;
  canCommit: (acceptPartial: boolean) => boolean;
  onCommit: (acceptPartial: boolean) => void;
  onMeanings: (meanings: ImportMeanings) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const [partial, setPartial] = useState(false);
  const { counts, needs } = answer;
  const day = (iso: string) => moment(iso, 'day');
  return (
    <>
      <Text color="fg.muted">
        {t(`imports.format.${answer.format}`, { defaultValue: answer.format })}
        {answer.zone && ` · ${answer.zone}`}
        {answer.period && ` · ${day(answer.period.from)} – ${day(answer.period.to)}`}
      </Text>
      <Grid as="dl" templateColumns="repeat(auto-fit, minmax(120px, 1fr))" gap="3">
        {COUNTED.filter((result) => result !== 'question' || counts.question > 0).map((result) => (
          <Panel key={result} bg="bg" p="3" as="div">
            <Text as="dt" color="fg.muted" fontSize="12px">
              {t(`imports.result.${result}`)}
            </Text>
            <Text as="dd" fontSize="20px" fontWeight="650" color={result === 'error' && counts.error > 0 ? 'danger.fg' : 'fg'}>
              {formatFixed(String(counts[result]), 0)}
            </Text>
          </Panel>
        ))}
      </Grid>
      <Text>{countsInWords(answer, t)}</Text>
      {counts.imported === 0 && <Notice tone="info">{t(counts.error > 0 ? 'imports.nothingReadable' : 'imports.nothingNew')}</Notice>}
      {WARNING_CODES.map((code) => {
        const warnings = answer.warnings.filter((each) => each.code === code);
        if (warnings.length === 0) return null;
        const title = t(`imports.warning.${code}.title`);
        return (
          <Notice key={code} tone="warning">
            <Text mb="1">{title}</Text>
            <Box as="ul" ps="4" maxH="160px" overflowY="auto" tabIndex={0} aria-label={title}>
              {warnings.map(({ asset, at, amount }) => (
                <li key={`${asset} ${at}`}>
                  {t(`imports.warning.${code}.asset`, { asset, amount: formatQuantity(amount), day: day(at) })}
                </li>
              ))}
            </Box>
          </Notice>
        );
      })}
      {answer.operations.length > 0 && (
        <chakra.details open={needs === 'operations'}>
          <chakra.summary cursor="pointer" fontWeight="600" mb="3">
            {t('imports.operations.answered')}
          </chakra.summary>
          <OperationsForm operations={answer.operations} onMeanings={onMeanings} />
        </chakra.details>
      )}
      {answer.rows.length > 0 && <RowList rows={answer.rows} counts={counts} />}
      {answer.preview.length > 0 && <FirstRows rows={answer.preview} />}
      {needs !== null && counts.imported > 0 && (
        <SwitchField
          label={t('imports.partial', { count: counts.error + counts.question })}
          hint={t('imports.partialHint')}
          checked={partial}
          onChange={setPartial}
        />
      )}
      <Flex gap="2" justify="flex-end" wrap="wrap">
        {children}
        <Button colorPalette="brand" disabled={!canCommit(partial)} onClick={() => onCommit(partial)}>
          {t('imports.commit', { count: counts.imported })}
        </Button>
      </Flex>
    </>
  );
}

const ROW = 44;
const LIST = 264;

/** The rows that are not imported, each with its reason in words; a thousand of them scroll as easily as ten. */
function RowList({ rows, counts }: { rows: readonly RowResult[]; counts: ImportAnswer['counts'] }) {
  const { t } = useTranslation();
  const [only, setOnly] = useState<RowResult['result']>();
  const shown = only === undefined ? rows : rows.filter(({ result }) => result === only);
  const present = COUNTED.filter((result) => rows.some((row) => row.result === result));
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the list is drawn here and nowhere else
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => ROW, overscan: 8 });
  const total = counts.rows - counts.imported;
  return (
    <Box as="section">
      <Flex justify="space-between" gap="3" wrap="wrap" mb="2" align="center">
        <Heading as="h2" fontSize="16px" fontWeight="600">
          {t('imports.notImported')}
        </Heading>
        <Flex gap="1" wrap="wrap" role="group" aria-label={t('positions.filters')}>
          {present.length > 1 &&
            present.map((result) => (
              <Button
                key={result}
                size="xs"
                variant="outline"
                bg={only === result ? 'brand.muted' : undefined}
                color={only === result ? 'brand.fg' : 'fg.muted'}
                aria-pressed={only === result}
                onClick={() => setOnly(only === result ? undefined : result)}
              >
                {t(`imports.result.${result}`)}
              </Button>
            ))}
        </Flex>
      </Flex>
      <chakra.section
        ref={box}
        tabIndex={0}
        aria-label={t('imports.notImported')}
        overflowY="auto"
        maxH={`${LIST}px`}
        borderWidth="1px"
        borderColor="border.subtle"
        borderRadius="control"
      >
        <ul style={{ height: virtual.getTotalSize(), position: 'relative', listStyle: 'none' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = shown[index]!;
            return (
              <li
                key={`${row.row}:${row.code ?? row.result}`}
                aria-setsize={shown.length}
                aria-posinset={index + 1}
                style={{ position: 'absolute', insetInline: 0, top: start, height: ROW }}
              >
                <Flex gap="3" px="3" h="100%" align="center" fontSize="13px" borderBottomWidth="1px" borderColor="border.subtle">
                  <Text color="fg.muted" w="64px" flexShrink="0" css={{ fontVariantNumeric: 'tabular-nums' }}>
                    {t('imports.row', { row: row.row })}
                  </Text>
                  <Text minW="0" overflow="hidden" lineClamp="2" lineHeight="1.3">
                    <Text as="span" fontWeight="600" color={row.result === 'error' ? 'danger.fg' : 'fg'}>
                      {t(`imports.result.${row.result}`)}
                    </Text>
                    {row.code && `: ${t(`imports.code.${row.code}`)}`}
                    {row.value !== undefined && row.value !== '' && (
                      <Text as="span" color="fg.muted">
                        {' '}
                        ({row.column ? `${row.column}: ` : ''}
                        <span translate="no">{row.value.slice(0, 60)}</span>)
                      </Text>
                    )}
                  </Text>
                </Flex>
              </li>
            );
          })}
        </ul>
      </chakra.section>
      {rows.length < total && (
        <Text color="fg.muted" fontSize="12px" mt="1">
          {t('imports.rowsShown', { shown: rows.length, total })}
        </Text>
      )}
    </Box>
  );
}

function FirstRows({ rows }: { rows: ImportAnswer['preview'] }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const head = { px: '2', py: '1.5', textAlign: 'end', fontWeight: '550', color: 'fg.muted', fontSize: '12px' } as const;
  const cell = { px: '2', py: '1.5', textAlign: 'end', borderTopWidth: '1px', borderColor: 'border.subtle' } as const;
  const number = (text: Quantity | null) => (text === null ? '–' : formatQuantity(text));
  return (
    <Box as="section">
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="2">
        {t('imports.firstRows', { count: rows.length })}
      </Heading>
      <chakra.section
        tabIndex={0}
        aria-label={t('imports.firstRows', { count: rows.length })}
        overflow="auto"
        position="relative"
        maxH="320px"
      >
        <chakra.table
          w="100%"
          fontSize="13px"
          css={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap', borderCollapse: 'collapse' }}
        >
          <thead>
            <tr>
              {(['row', 'time', 'kind', 'pair', 'quantity', 'price', 'total', 'fee'] as const).map((column, index) => (
                <chakra.th
                  key={column}
                  scope="col"
                  {...head}
                  textAlign={index < 4 ? 'start' : 'end'}
                  position="sticky"
                  top="0"
                  bg="bg.panel"
                >
                  {t(`imports.column.${column}`)}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.row}>
                <chakra.td {...cell} textAlign="start" color="fg.muted">
                  {row.row}
                </chakra.td>
                <chakra.td {...cell} textAlign="start">
                  {moment(row.at, 'second')}
                </chakra.td>
                <chakra.td {...cell} textAlign="start">
                  {row.side === null ? t(`positions.kinds.${row.kind}`, { defaultValue: row.kind }) : t(`prices.side.${row.side}`)}
                </chakra.td>
                <chakra.td {...cell} textAlign="start" fontWeight="600" lang="en" translate="no">
                  {row.symbol}
                </chakra.td>
                <chakra.td {...cell}>{number(row.quantity)}</chakra.td>
                <chakra.td {...cell}>{row.price === null ? UNKNOWN : formatPrice(row.price, undefined)}</chakra.td>
                <chakra.td {...cell}>{number(row.total)}</chakra.td>
                <chakra.td {...cell}>
                  {number(row.fee)} {row.feeAsset ?? ''}
                </chakra.td>
              </tr>
            ))}
          </tbody>
        </chakra.table>
      </chakra.section>
    </Box>
  );
}
