import { Text } from '@chakra-ui/react';
import { digits } from '@pilotfish/core/money/figure';
import { formatMoney } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { heldPath } from '../auto-trades/detail/cockpit/chosen-coin.ts';
import type { useHeld } from '../auto-trades/use-auto-trades.ts';
import type { Whole } from '../positions/open/held-cells.tsx';
import { HeldCards, HeldTable } from '../positions/open/held-table.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { useMedia } from '../ui/use-media.ts';

const SHOWN = 5;
const COLUMNS = ['price', 'value', 'result', 'levels', 'atRisk', 'days'] as const;

/** What is held, by bots and by hand, largest first: its price between its levels, its result, and what its stop would cost. */
export function HeldPanel({ held, whole }: { held: ReturnType<typeof useHeld>; whole: Whole | undefined }) {
  const { t } = useTranslation();
  const isWide = useMedia('(min-width: 768px)');
  const { data } = held;
  const rows = [...(data?.items ?? [])].sort((a, b) => Number(digits(b.value ?? '0')) - Number(digits(a.value ?? '0'))).slice(0, SHOWN);
  const sums = data?.totals.map(({ value, currency }) => `${formatMoney(value, currency)} ${currency}`).join(' · ');
  return (
    <TitledPanel
      title={t('overview.held')}
      count={data && data.items.length > 0 ? `${data.items.length} · ${sums}` : undefined}
      actions={
        <LinkButton to="/positions" size="xs" variant="ghost" color="fg.muted">
          {t('overview.allPositions')} →
        </LinkButton>
      }
      query={held}
      rows={5}
      flush
      empty={data?.items.length === 0 ? <Text color="fg.muted">{t('overview.noPositions')}</Text> : undefined}
    >
      {isWide ? (
        <HeldTable rows={rows} pathOf={heldPath} columns={COLUMNS} whole={whole} below="share" />
      ) : (
        <HeldCards rows={rows} pathOf={heldPath} />
      )}
    </TitledPanel>
  );
}
