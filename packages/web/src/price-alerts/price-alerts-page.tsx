import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { FeaturePage } from '../ui/feature-page.tsx';

export default function PriceAlertsPage() {
  const { t } = useTranslation();
  return (
    <FeaturePage
      feature="priceAlerts"
      icon="alerts"
      points={['one', 'two', 'three']}
      action={
        <LinkButton to="/prices" colorPalette="brand">
          {t('features.openPrices')}
        </LinkButton>
      }
    />
  );
}
