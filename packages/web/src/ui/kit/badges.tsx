import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const Edge = chakra('span', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    flexShrink: '0',
    gap: '5px',
    h: '18px',
    px: '7px',
    borderRadius: 'full',
    borderWidth: '1px',
    fontSize: '11px',
    lineHeight: '16px',
    fontWeight: '650',
    whiteSpace: 'nowrap',
  },
  variants: {
    of: {
      live: { bg: 'bg.raised', borderColor: 'border.control', color: 'fg' },
      inverse: { bg: 'fg', borderColor: 'fg', color: 'bg' },
      paper: { borderStyle: 'dashed', borderColor: 'border.control', color: 'fg.muted' },
      test: { borderStyle: 'dashed', borderColor: 'secondary.fg', color: 'secondary.fg' },
    },
  },
});
const Dot = chakra('i', { base: { w: '6px', h: '6px', borderRadius: 'full', bg: 'current' } });

/** Whose money moves, by its edge and its word: solid with a dot is real. Filled once on a page, where it speaks for all of it. */
export function ModeBadge({ money, filled = false }: { money: 'live' | 'paper' | 'test'; filled?: boolean }) {
  const { t } = useTranslation();
  return (
    <Edge of={money === 'live' && filled ? 'inverse' : money}>
      {money === 'live' && <Dot />}
      {t(`autoTrades.mode.${money}`)}
    </Edge>
  );
}

/** Why a position ended, or another short word about a row. The tone repeats what the result beside it says; the word stands alone. */
export const Tag = ({ tone, children }: { tone?: 'gain' | 'loss' | undefined; children: ReactNode }) => (
  <chakra.span
    className={tone}
    display="inline-flex"
    alignItems="center"
    h="18px"
    px="1.5"
    borderRadius="control"
    bg={tone === undefined ? 'bg.raised' : `color-mix(in srgb, var(--chakra-colors-${tone}) 12%, var(--chakra-colors-bg-panel))`}
    color={tone ?? 'fg.muted'}
    fontSize="11px"
    lineHeight="16px"
    fontWeight="600"
    whiteSpace="nowrap"
  >
    {children}
  </chakra.span>
);
