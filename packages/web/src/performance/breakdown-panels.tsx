import { Box, chakra, Table } from '@chakra-ui/react';
import type { Money, Percent, Ratio } from '@pilotfish/core/money/figure';
import { formatRatio, formatShare } from '@pilotfish/core/money/format';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Segments } from '../ui/controls.tsx';
import { BarList } from '../ui/kit/bar-list.tsx';
import { Result } from '../ui/kit/result.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import { Cell, HeadCell, RowHead } from '../ui/tables/table-cells.tsx';
import type { FilterProps } from './filter-chips.tsx';
import { toggled } from './performance-address.ts';

/** @template Field what a panel reads of the answer */
type Props<Field extends keyof Performance> = FilterProps & { data: Pick<Performance, Field | 'currency'> };

/** The name of a row, which takes the whole row for a click. */
const Pick = ({ pressed, onClick, children }: { pressed: boolean; onClick: () => void; children: ReactNode }) => (
  <chakra.button
    type="button"
    aria-pressed={pressed}
    minH={{ base: '44px', md: 'auto' }}
    cursor="pointer"
    maxW="100%"
    overflow="hidden"
    textOverflow="ellipsis"
    whiteSpace="nowrap"
    textAlign="start"
    css={{
      '&[aria-pressed=true]': { fontWeight: '650' },
      // Over its row, whose edges the panel cuts off.
      '&::after': { content: '""', position: 'absolute', inset: '0', borderRadius: '4px' },
      '&:hover::after': { background: 'color-mix(in srgb, var(--chakra-colors-fg) 6%, transparent)' },
      '&:focus-visible': { outline: 'none' },
      '&:focus-visible::after': { outline: '2px solid var(--chakra-colors-brand-solid)', outlineOffset: '-2px' },
    }}
    onClick={onClick}
  >
    {children}
  </chakra.button>
);

type Row = {
  key: string;
  name: ReactNode;
  exits: number;
  winRatePct: Percent | null;
  profitFactor: Ratio | null;
  net: Money;
};

/** By bot or by wallet; the last row is the sum of the others, and the net result above. */
export function BotsPanel({ data, address, words, onChange }: FilterProps & { data: Performance }) {
  const { t } = useTranslation();
  const [by, setBy] = useState<'bot' | 'wallet'>('bot');
  const rows: Row[] =
    by === 'bot'
      ? data.bots.map(({ id, ...tally }) => ({
          ...tally,
          key: id,
          name: (
            <Pick pressed={address.bots.includes(id)} onClick={() => onChange({ bots: toggled(address.bots, id) })}>
              {words.bot(id)}
            </Pick>
          ),
        }))
      : data.wallets.map(({ id, name, ...tally }) => ({ ...tally, key: id ?? 'hand', name: name ?? t('overview.byHand') }));
  return (
    <TitledPanel
      title={t(by === 'bot' ? 'performance.byBot' : 'performance.byWallet')}
      actions={
        <Segments
          size="chip"
          label={t('performance.byBot')}
          value={by}
          options={(['bot', 'wallet'] as const).map((value) => ({ value, label: t(`performance.${value}`) }))}
          onChange={setBy}
        />
      }
      flush
    >
      <TallyTable data={data} rows={rows} by={by} total={t(`performance.all.${data.mode}`)} />
    </TitledPanel>
  );
}

const edges = { px: '1.5', _first: { ps: { base: '3.5', md: '4' } }, _last: { pe: { base: '3.5', md: '4' } } } as const;
const dense = { ...edges, h: { base: '44px', md: '33px' }, css: { fontVariantNumeric: 'tabular-nums' } } as const;

function TallyTable({ data, rows, by, total }: { data: Performance; rows: readonly Row[]; by: 'bot' | 'wallet'; total: string }) {
  const { t } = useTranslation();
  const sizes = rows.map(({ net }) => Number(net));
  const [loss, gain] = [Math.max(0, ...sizes.map((size) => -size)), Math.max(0, ...sizes)];
  const zero = (loss / (loss + gain || 1)) * 100;
  const figures = ({ exits, winRatePct, profitFactor, net }: Omit<Row, 'key' | 'name'>, bar: ReactNode) => (
    <>
      <Cell {...dense} textAlign="end" color="fg.muted">
        {exits}
      </Cell>
      <Cell {...dense} textAlign="end">
        {winRatePct === null ? <Unknown reason={t('performance.unknown.noExits')} /> : formatShare(winRatePct, 0)}
      </Cell>
      <Cell {...dense} textAlign="end">
        {profitFactor === null ? (
          <Unknown reason={t(exits === 0 ? 'performance.unknown.noExits' : 'performance.unknown.noLoss')} />
        ) : (
          formatRatio(profitFactor)
        )}
      </Cell>
      <Cell {...dense} w="110px" display={{ base: 'none', sm: 'table-cell' }} aria-hidden="true">
        {bar}
      </Cell>
      <Cell {...dense} textAlign="end" fontWeight="600">
        <Result value={net} currency={data.currency} reason="" />
      </Cell>
    </>
  );
  return (
    <Box overflowX="auto">
      <Table.Root>
        <thead>
          <tr>
            <HeadCell scope="col" {...edges}>
              {t(`performance.${by}`)}
            </HeadCell>
            {(['exits', 'won', 'factor'] as const).map((column) => (
              <HeadCell key={column} scope="col" textAlign="end" {...edges}>
                {t(`performance.${column}`)}
              </HeadCell>
            ))}
            <HeadCell as="td" display={{ base: 'none', sm: 'table-cell' }} aria-hidden="true" />
            <HeadCell scope="col" textAlign="end" {...edges}>
              {t('performance.result')}
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, ...tally }) => {
            const size = Number(tally.net);
            const part = (Math.abs(size) / (loss + gain || 1)) * 100;
            return (
              <chakra.tr key={key} position="relative">
                <RowHead {...dense} maxW="150px" overflow="hidden" textOverflow="ellipsis">
                  {name}
                </RowHead>
                {figures(
                  tally,
                  <Box h="12px" position="relative">
                    <Box
                      position="absolute"
                      top="0"
                      h="12px"
                      borderRadius="2px"
                      bg={size < 0 ? 'chart.down' : 'chart.up'}
                      style={{
                        insetInlineStart: `${size < 0 ? zero - part : zero}%`,
                        width: `${part}%`,
                        minWidth: size === 0 ? '0' : '2px',
                      }}
                    />
                    <Box position="absolute" top="-8px" h="28px" w="1px" bg="border" style={{ insetInlineStart: `${zero}%` }} />
                  </Box>,
                )}
              </chakra.tr>
            );
          })}
          <tr>
            <RowHead {...dense} fontWeight="600">
              {total}
            </RowHead>
            {figures(data, null)}
          </tr>
        </tbody>
      </Table.Root>
    </Box>
  );
}

export function ReasonsPanel({ data, address, words, onChange }: Props<'exits' | 'reasons'>) {
  const { t } = useTranslation();
  return (
    <TitledPanel title={t('performance.byReason')} count={t('performance.exits', { count: data.exits })}>
      <BarList
        label={t('performance.byReason')}
        labelWidth={124}
        rows={data.reasons.map(({ reason, exits, net }) => ({
          key: reason,
          label: (
            <Pick pressed={address.reasons.includes(reason)} onClick={() => onChange({ reasons: toggled(address.reasons, reason) })}>
              {words.reason(reason)}
            </Pick>
          ),
          count: exits,
          size: Number(net),
          figure: <Result value={net} currency={data.currency} reason="" />,
        }))}
      />
    </TitledPanel>
  );
}

/** Rows that are always there; the rest when asked for. */
const FIRST_COINS = 8;

export function CoinsPanel({ data, address, onChange }: Omit<Props<'coins'>, 'words'>) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const hidden = data.coins.length - FIRST_COINS;
  // Not only the best ones: the losers stand at the end.
  const shown = all || hidden <= 0 ? data.coins : [...data.coins.slice(0, FIRST_COINS / 2), ...data.coins.slice(-FIRST_COINS / 2)];
  return (
    <TitledPanel title={t('performance.byCoin')}>
      <BarList
        label={t('performance.byCoin')}
        rows={shown.map(({ asset, exits, net }) => ({
          key: asset,
          label: (
            <Pick pressed={address.coins.includes(asset)} onClick={() => onChange({ coins: toggled(address.coins, asset) })}>
              <CoinIcon code={asset} />
              <span lang="en" translate="no">
                {asset}
              </span>
            </Pick>
          ),
          count: exits,
          size: Number(net),
          figure: <Result value={net} currency={data.currency} reason="" />,
        }))}
      />
      {hidden > 0 && !all && (
        <chakra.button
          type="button"
          mt="2"
          minH={{ base: '44px', md: '28px' }}
          color="brand.fg"
          fontSize="13px"
          cursor="pointer"
          onClick={() => setAll(true)}
        >
          {t('overview.more', { count: hidden })}
        </chakra.button>
      )}
    </TitledPanel>
  );
}
