import { Box, chakra } from '@chakra-ui/react';
import { formatSigned } from '@pilotfish/core/money/format';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TextLink } from '../ui/controls.tsx';
import type { KeyFigure } from '../ui/kit/key-figures.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import type { Words } from './use-words.ts';

/** Where each cause is explained and can be mended. */
const EXPLAINED = {
  'cost-unknown': '/positions/migration',
  excluded: '/positions/closed-positions',
  'no-rate': '/positions/closed-positions',
  unread: '/positions',
} as const;

/**
 * @param data of a backtest without a mode
 * @param others key figures that the row above has no room for
 */
export function MorePanel({
  data,
  words,
  others,
}: {
  data: Pick<Performance, 'currency' | 'leftOut' | 'more'> & { readonly mode?: Performance['mode'] };
  words: Words;
  others: readonly KeyFigure[];
}) {
  const { t, i18n } = useTranslation();
  const { more, currency, mode } = data;
  const day = (of: typeof more.best) =>
    of === null ? <Unknown reason={t('performance.unknown.noExits')} /> : `${formatSigned(of.net, currency)} · ${words.day(of.day)}`;
  const hold =
    more.averageHoldMs === null ? <Unknown reason={t('performance.unknown.hold')} /> : formatSpan(more.averageHoldMs, i18n.language);
  const rows: [key: string, label: ReactNode, figure: ReactNode][] = [
    ...others.map(({ label, figure, note }): [string, ReactNode, ReactNode] => [
      label,
      label,
      <>
        {figure}
        {note && (
          <chakra.span display="block" fontSize="12px" fontWeight="400" color="fg.muted">
            {note}
          </chakra.span>
        )}
      </>,
    ]),
    ['hold', t('performance.averageHold'), hold],
    ['run', t('performance.losingRun'), t('performance.exits', { count: more.longestLosingRun })],
    ['gain', t('performance.daysWithGain'), t('performance.daysOf', { gain: more.daysWithGain, all: more.daysWithExit })],
    ['best', t('performance.bestDay'), day(more.best)],
    ['worst', t('performance.worstDay'), day(more.worst)],
    ...data.leftOut.map(({ cause, count }): [string, ReactNode, ReactNode] => [
      cause,
      // On paper all of it is of bots.
      <TextLink key={cause} to={mode === 'paper' ? '/auto-trade' : EXPLAINED[cause]}>
        {t(`performance.leftOut.${cause}`, { currency })}
      </TextLink>,
      count,
    ]),
  ];
  return (
    <TitledPanel title={t('performance.moreFigures')}>
      <Box as="dl" fontSize="13px">
        {rows.map(([key, label, figure]) => (
          <chakra.div
            key={key}
            display="flex"
            justifyContent="space-between"
            alignItems="center"
            gap="3"
            minH={{ base: '44px', md: '27px' }}
          >
            <chakra.dt color="fg.muted">{label}</chakra.dt>
            <chakra.dd fontWeight="580" textAlign="end" css={{ fontVariantNumeric: 'tabular-nums' }}>
              {figure}
            </chakra.dd>
          </chakra.div>
        ))}
      </Box>
    </TitledPanel>
  );
}
