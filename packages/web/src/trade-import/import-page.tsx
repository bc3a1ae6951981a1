import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { formatFixed } from '@pilotfish/core/money/format';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { NextStep } from '../app/next-step/next-step.tsx';
import { NotPermitted } from '../platform/use-trading.tsx';
import { PositionsFrame } from '../positions/positions-tabs.tsx';
import { ProgressBar } from '../positions/sync-panel.tsx';
import { Notice, Panel } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { CarryOverPanel } from './carry-over-panel.tsx';
import { DropZone } from './drop-zone.tsx';
import { ImportPreview } from './import-preview.tsx';
import { MappingForm, OperationsForm, ZoneForm } from './import-questions.tsx';
import { PastImports } from './past-imports.tsx';
import { type TradeImportActor, useTradeImport } from './use-trade-import.ts';

/** Files of the exchange into positions: read, shown, and only then stored. */
export default function ImportPage() {
  const { t } = useTranslation();
  const actor = useTradeImport();
  return (
    <PositionsFrame title={t('routes.tradeImport')} note={t('imports.lead')} needsExchange={false}>
      <NotPermitted permission="trade-import" />
      <Grid gap="5" templateColumns="minmax(0, 1fr)">
        <CurrentImport actor={actor} />
        <CarryOverPanel />
        <PastImports />
      </Grid>
    </PositionsFrame>
  );
}

export function CurrentImport({ actor }: { actor: TradeImportActor }) {
  const { t } = useTranslation();
  const snapshot = useSelector(actor, (each) => each);
  const { file, answer, problem, progress } = snapshot.context;
  const choose = (chosen: File) => actor.send({ type: 'file.chosen', file: chosen });
  const isBusy = snapshot.hasTag('busy');
  const leave = snapshot.can({ type: 'import.left' }) && (
    <Button
      variant={isBusy ? 'outline' : 'ghost'}
      size={isBusy ? 'sm' : undefined}
      color="fg"
      onClick={() => actor.send({ type: 'import.left' })}
    >
      {t(isBusy ? 'ui.cancel' : 'imports.otherFile')}
    </Button>
  );
  const sentence = problem && (problem.fields?.map(({ message }) => message).join(' ') || problemText(problem, t));
  if (snapshot.matches('idle'))
    return (
      <Panel>
        {sentence && (
          <Box mb="4">
            <Notice tone="error" title={t('imports.refused')}>
              {sentence}
            </Notice>
          </Box>
        )}
        <DropZone onFile={choose} />
      </Panel>
    );
  return (
    <Panel display="flex" flexDirection="column" gap="4" aria-busy={isBusy}>
      <Flex justify="space-between" gap="3" align="baseline" wrap="wrap">
        <Text fontWeight="600" overflowWrap="anywhere">
          {file?.name}
        </Text>
        <Text color="fg.muted" fontSize="13px">
          {file && t('imports.size', { size: formatFixed((file.size / 1024).toFixed(1), file.size < 10_240 ? 1 : 0) })}
        </Text>
      </Flex>
      {isBusy && (
        <Box>
          <Flex justify="space-between" fontSize="13px" mb="1.5" role="status">
            <Text>
              {t(
                snapshot.matches('undoing')
                  ? 'imports.phase.undoing'
                  : `imports.phase.${progress?.phase ?? (snapshot.matches('committing') ? 'storing' : 'reading')}`,
              )}
            </Text>
            <Text color="fg.muted" css={{ fontVariantNumeric: 'tabular-nums' }}>
              {progress &&
                (progress.total === null
                  ? t('imports.rowsDone', { done: formatFixed(String(progress.done), 0) })
                  : t('imports.rowsOf', { done: formatFixed(String(progress.done), 0), total: formatFixed(String(progress.total), 0) }))}
            </Text>
          </Flex>
          <ProgressBar
            label={file?.name ?? t('ui.loading')}
            share={progress?.total ? Math.round((progress.done / progress.total) * 100) : undefined}
          />
          {leave && (
            <Flex mt="3" justify="flex-end">
              {leave}
            </Flex>
          )}
        </Box>
      )}
      {snapshot.matches('zone') && <ZoneForm onZone={(zone) => actor.send({ type: 'zone.given', zone })}>{leave}</ZoneForm>}
      {snapshot.matches('mapping') && answer && (
        <MappingForm columns={answer.columns} onMapping={(mapping) => actor.send({ type: 'mapping.given', mapping })}>
          {leave}
        </MappingForm>
      )}
      {snapshot.matches('operations') && answer && (
        <OperationsForm
          key={answer.operations.map(({ name }) => name).join()}
          operations={answer.operations}
          onMeanings={(operations) => actor.send({ type: 'operations.given', operations })}
        >
          {leave}
          <Button variant="outline" color="fg" onClick={() => actor.send({ type: 'operations.passed' })}>
            {t('imports.operations.pass')}
          </Button>
        </OperationsForm>
      )}
      {snapshot.can({ type: 'retry.asked' }) && (
        <>
          <Notice tone="error" title={t(snapshot.matches('failed') ? 'imports.refused' : 'imports.notStored')}>
            <Text>{sentence}</Text>
            <Text color="fg.muted">{t(snapshot.matches('failed') ? 'imports.nothingStored' : 'imports.retrySafe')}</Text>
          </Notice>
          <Flex gap="2" justify="flex-end" wrap="wrap">
            {leave}
            <Button colorPalette="brand" onClick={() => actor.send({ type: 'retry.asked' })}>
              {t('ui.retry')}
            </Button>
          </Flex>
        </>
      )}
      {snapshot.matches('preview') && answer && (
        <ImportPreview
          answer={answer}
          canCommit={(acceptPartial) => snapshot.can({ type: 'commit.asked', acceptPartial })}
          onCommit={(acceptPartial) => actor.send({ type: 'commit.asked', acceptPartial })}
          onMeanings={(operations) => actor.send({ type: 'operations.given', operations })}
        >
          {leave}
        </ImportPreview>
      )}
      {snapshot.matches('done') && answer && (
        <>
          <Notice tone="success" title={t('imports.done', { count: answer.counts.imported })} />
          {sentence && <Notice tone="error">{sentence}</Notice>}
          <NextStep after="import" />
          <Flex gap="2" wrap="wrap">
            {snapshot.can({ type: 'undo.asked' }) && (
              <Button variant="outline" color="fg" onClick={() => actor.send({ type: 'undo.asked' })}>
                {t('imports.undo')}
              </Button>
            )}
            {leave}
          </Flex>
        </>
      )}
    </Panel>
  );
}
