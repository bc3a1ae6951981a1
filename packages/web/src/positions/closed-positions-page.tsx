import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { FeaturePage } from '../ui/feature-page.tsx';

export default function ClosedPositionsPage() {
  const { t } = useTranslation();
  return (
    <FeaturePage
      feature="closedPositions"
      icon="positions"
      points={['one', 'two', 'three']}
      action={
        <LinkButton to="/user/exchange-connect" colorPalette="brand">
          {t('features.connectExchange')}
        </LinkButton>
      }
    />
  );
}
