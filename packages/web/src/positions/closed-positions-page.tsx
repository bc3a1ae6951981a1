import { useTranslation } from 'react-i18next';
import { ClosedPanel } from './closed-panel.tsx';
import { HistorySentence } from './history-sentence.tsx';
import { PositionsFrame } from './positions-tabs.tsx';
import { usePositionNews } from './use-positions.ts';

/** What was bought and sold again. */
export default function ClosedPositionsPage() {
  const { t } = useTranslation();
  usePositionNews();
  return (
    <PositionsFrame title={t('routes.closedPositions')} note={<HistorySentence />}>
      <ClosedPanel mode="live" />
    </PositionsFrame>
  );
}
