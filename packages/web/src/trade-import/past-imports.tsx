import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { CARRY_OVER_FORMAT } from '@pilotfish/core/trade-import/carry-over-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { Panel } from '../ui/controls.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { CHANGED, useImports } from './use-trade-import.ts';

/** Every file that was imported and every cost carried over; each can be taken back with everything it brought. */
export function PastImports() {
  const { t } = useTranslation();
  const moment = useMoment();
  const { client } = useApp();
  const deed = useDeed();
  const query = useImports();
  const [asking, setAsking] = useState<NonNullable<typeof query.data>[number]>();
  const [running, setRunning] = useState<string>();
  const day = (iso: string) => moment(iso, 'day');
  const undo = async (batch: { id: string; fileName: string }) => {
    setRunning(batch.id);
    const work = client.undoImport({ params: { exchange: 'Binance', id: batch.id } });
    await deed(work, CHANGED, t('imports.undone', { file: batch.fileName })).finally(() => setRunning(undefined));
  };
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('imports.past')}
      </Heading>
      {query.hasFailed ? (
        <ErrorPanel problem={query.problem} onRetry={query.retry} />
      ) : !query.data ? (
        <Skeleton rows={3} height={40} />
      ) : query.data.length === 0 ? (
        <Text color="fg.muted">{t('imports.noPast')}</Text>
      ) : (
        <Flex as="ul" direction="column" listStyleType="none">
          {query.data.map((batch) => (
            <Flex
              as="li"
              key={batch.id}
              justify="space-between"
              align="center"
              gap="3"
              py="3"
              borderTopWidth="1px"
              borderColor="border.subtle"
              wrap="wrap"
            >
              <Box minW="0" flex="1 1 240px">
                <Text fontWeight="600" overflowWrap="anywhere">
                  {batch.fileName}
                </Text>
                <Text color="fg.muted" fontSize="13px">
                  {t(`imports.format.${batch.format}`, { defaultValue: batch.format })} · {moment(batch.at)}
                </Text>
                <Text color="fg.muted" fontSize="13px">
                  {batch.format === CARRY_OVER_FORMAT
                    ? batch.period && day(batch.period.from)
                    : `${t('imports.rows', { count: batch.counts.imported })}${batch.period ? ` · ${day(batch.period.from)} – ${day(batch.period.to)}` : ''}`}
                </Text>
              </Box>
              <Button
                size="sm"
                variant="outline"
                color="fg"
                disabled={running === batch.id}
                aria-label={t('imports.undoOf', { file: batch.fileName })}
                onClick={() => setAsking(batch)}
              >
                <Icon name="back" size={16} />
                {t('imports.undo')}
              </Button>
            </Flex>
          ))}
        </Flex>
      )}
      <ConfirmDialog
        open={asking !== undefined}
        title={t('imports.ask.title', { file: asking?.fileName ?? '' })}
        confirm={t('imports.undo')}
        danger
        onConfirm={async () => asking && undo(asking)}
        onClose={() => setAsking(undefined)}
      >
        <Text>
          {asking?.format === CARRY_OVER_FORMAT
            ? t('imports.ask.carryOver')
            : t('imports.ask.what', { count: asking?.counts.imported ?? 0 })}
        </Text>
      </ConfirmDialog>
    </Panel>
  );
}
