import { Box, chakra, Flex, Grid, Heading } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { entryOf } from '../../platform/route-table.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { GO_KEYS } from './shortcut-keys.ts';

const Key = chakra('kbd', {
  base: {
    px: '2',
    py: '1px',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'control',
    bg: 'bg.raised',
    fontSize: '13px',
    fontFamily: 'inherit',
  },
});

/** Every key there is. */
export default function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const rows: [readonly string[], string][] = [
    [['Ctrl', 'K'], t('palette.open')],
    [['/'], t('palette.keys.search')],
    [['?'], t('palette.keys.sheet')],
    ...Object.entries(GO_KEYS).map(([key, path]): [string[], string] => [['g', key], t(`routes.${entryOf(path).page}`)]),
    [['['], t('nav.labels')],
    [['j', 'k'], t('autoTrades.list.keys.move')],
    [['Enter'], t('autoTrades.list.keys.open')],
    [['x'], t('autoTrades.list.keys.select')],
    [['c'], t('autoTrades.list.keys.compare')],
    [['Esc'], t('palette.keys.close')],
  ];
  /** Keys that one page has. */
  const ofBot: [readonly string[], string][] = [
    [['1', '…', '9'], t('palette.keys.coin')],
    [['E'], t('palette.keys.levels')],
    [['↑', '↓'], t('palette.keys.level')],
    [['Enter'], t('palette.keys.takeLevel')],
    [['Shift', '↑'], t('palette.keys.tick')],
    [['Esc'], t('palette.keys.discard')],
  ];
  const ofPerformance: [readonly string[], string][] = [
    [['←', '→'], t('palette.keys.month')],
    [['1', '…', '6'], t('palette.keys.range')],
  ];
  const ofMarkets: [readonly string[], string][] = [
    [['j', 'k'], t('palette.keys.pair')],
    [['a'], t('palette.keys.alert')],
    [['f'], t('palette.keys.favourite')],
    [['v'], t('palette.keys.view')],
  ];
  return (
    <Dialog open={open} title={t('palette.keys.title')} onClose={onClose} width={720}>
      {/* Where they do not fit, the keyboard has to reach what scrolls. */}
      <chakra.section tabIndex={0} aria-label={t('palette.keys.title')} className="rings-inside">
        <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }} gapX="6" gapY="5">
          <Rows rows={rows} />
          <div>
            <Of title={t('palette.keys.bot')} rows={ofBot} />
            <Of title={t('routes.performance')} rows={ofPerformance} />
            <Of title={t('routes.prices')} rows={ofMarkets} />
          </div>
        </Grid>
      </chakra.section>
    </Dialog>
  );
}

const Of = ({ title, rows }: { title: string; rows: readonly [readonly string[], string][] }) => (
  <Box mb="5">
    <Heading as="h3" fontSize="14px" fontWeight="620" mb="2.5">
      {title}
    </Heading>
    <Rows rows={rows} />
  </Box>
);

const Rows = ({ rows }: { rows: readonly [readonly string[], string][] }) => (
  <Grid as="dl" templateColumns="92px minmax(0, 1fr)" gapX="5" gapY="2.5" alignItems="center">
    {rows.map(([keys, meaning]) => (
      <chakra.div key={keys.join('')} display="contents">
        <Flex as="dt" gap="1">
          {keys.map((key) => (
            <Key key={key}>{key}</Key>
          ))}
        </Flex>
        <dd>{meaning}</dd>
      </chakra.div>
    ))}
  </Grid>
);
