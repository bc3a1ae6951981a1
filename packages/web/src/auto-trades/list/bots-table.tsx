import { Box, chakra, Flex, Table } from '@chakra-ui/react';
import type { Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SortHead } from '../../ui/tables/sort-head.tsx';
import { Cell, HeadCell, RowHead } from '../../ui/tables/table-cells.tsx';
import {
  BotCurve,
  BotMoney,
  BotName,
  Drawdown,
  InUse,
  LastEvent,
  NeedAction,
  ProfitFactor,
  RowSentence,
  RowState,
  Slots,
  WinRate,
} from './bot-cells.tsx';
import { BotMenu } from './bot-menu.tsx';
import { type Column, nextSort, type Sort, type SortKey } from './bot-order.ts';
import type { BotRow } from './bot-rows.ts';

const END: ReadonlySet<Column> = new Set(['open', 'today', 'total', 'winRate', 'profitFactor', 'drawdown', 'lastEvent']);

const Check = chakra('input', { base: { w: '4', h: '4', accentColor: 'brand.solid', cursor: 'pointer', verticalAlign: 'middle' } });

type Choice = { chosen: ReadonlySet<string>; onToggle: (id: string) => void };

/** Bots side by side: a row of two lines each, which is as high as its sentence needs. */
export function BotsTable({
  rows,
  columns,
  words,
  sort,
  onSort,
  chosen,
  onToggle,
  onAll,
}: Choice & {
  rows: readonly BotRow[];
  columns: readonly Column[];
  words: Words;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onAll: (on: boolean) => void;
}) {
  const { t } = useTranslation();
  const hasUnits = new Set(rows.map(({ bot }) => bot.currency)).size > 1;
  const every = rows.length > 0 && rows.every(({ bot }) => chosen.has(bot.id));
  const head = (key: SortKey, end: boolean) => (
    <SortHead
      key={key}
      label={t(`autoTrades.list.columns.${key}`)}
      textAlign={end ? 'end' : undefined}
      sorted={sort.key === key ? (sort.falls ? 'descending' : 'ascending') : undefined}
      onSort={() => onSort(nextSort(sort, key))}
    />
  );
  return (
    <Box
      overflowX="auto"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border.subtle"
      borderRadius="panel"
      className="rings-inside"
      role="region"
      aria-label={t('routes.autoTrades')}
      tabIndex={0}
    >
      <Table.Root
        css={{
          // Twelve columns share 1440 px.
          '& :is(th, td):not(:first-child, :last-child)': { paddingInline: '8px' },
        }}
      >
        <thead>
          <tr>
            <HeadCell w="34px" pe="0 !important">
              <Check
                type="checkbox"
                aria-label={t('autoTrades.list.chooseAll')}
                checked={every}
                onChange={(event) => onAll(event.currentTarget.checked)}
              />
            </HeadCell>
            {head('bot', false)}
            {columns.map((column) =>
              column === 'curve' ? (
                <HeadCell key={column} scope="col">
                  <span className="visually-hidden">{t('autoTrades.list.columns.curve')}</span>
                </HeadCell>
              ) : (
                head(column, END.has(column))
              ),
            )}
            <HeadCell scope="col">
              <span className="visually-hidden">{t('autoTrades.list.columns.action')}</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.bot.id}
              row={row}
              columns={columns}
              words={words}
              hasUnits={hasUnits}
              isChosen={chosen.has(row.bot.id)}
              onToggle={onToggle}
            />
          ))}
        </tbody>
      </Table.Root>
    </Box>
  );
}

function cellOf(column: Column, row: BotRow, hasUnits: boolean): ReactNode {
  switch (column) {
    case 'state':
      return (
        <>
          <Flex align="center" gap="2" wrap="wrap">
            <RowState row={row} />
            <Slots row={row} />
          </Flex>
          <Box fontSize="12px" lineHeight="16px" overflowWrap="anywhere">
            <RowSentence row={row} />
          </Box>
        </>
      );
    case 'open':
    case 'today':
    case 'total':
      return <BotMoney row={row} value={row.figures?.[column]} unit={hasUnits} />;
    case 'curve':
      return <BotCurve row={row} />;
    case 'winRate':
      return <WinRate row={row} />;
    case 'profitFactor':
      return <ProfitFactor row={row} />;
    case 'drawdown':
      return <Drawdown row={row} />;
    case 'inUse':
      return <InUse row={row} />;
    case 'lastEvent':
      return <LastEvent row={row} />;
  }
}

const Row = memo(function Row({
  row,
  columns,
  words,
  hasUnits,
  isChosen,
  onToggle,
}: {
  row: BotRow;
  columns: readonly Column[];
  words: Words;
  hasUnits: boolean;
  isChosen: boolean;
  onToggle: (id: string) => void;
}) {
  const { t } = useTranslation();
  const { bot } = row;
  return (
    <chakra.tr
      data-row={bot.id}
      bg={isChosen ? 'color-mix(in srgb, var(--chakra-colors-brand-solid) 7%, transparent)' : undefined}
      _hover={{ bg: 'bg.raised' }}
      _focusWithin={{ bg: 'bg.raised' }}
    >
      <Cell w="34px" pe="0 !important">
        <Check
          type="checkbox"
          aria-label={t('autoTrades.list.choose', { name: bot.name })}
          checked={isChosen}
          onChange={() => onToggle(bot.id)}
        />
      </Cell>
      <RowHead minW="184px" ps="2.5" whiteSpace="normal" py="1.5">
        <BotName bot={bot} words={words} />
      </RowHead>
      {columns.map((column) => (
        <Cell
          key={column}
          textAlign={END.has(column) ? 'end' : undefined}
          {...(column === 'state' ? { minW: '240px', w: '40%', whiteSpace: 'normal', py: '1.5' } : {})}
          fontWeight={column === 'total' ? '600' : undefined}
          color={column === 'lastEvent' ? 'fg.muted' : undefined}
        >
          {cellOf(column, row, hasUnits)}
        </Cell>
      ))}
      <Cell textAlign="end">
        <Flex gap="1" justify="flex-end" align="center">
          <NeedAction row={row} />
          <BotMenu bot={bot} />
        </Flex>
      </Cell>
    </chakra.tr>
  );
});
