import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { FeaturePage } from '../ui/feature-page.tsx';

export default function OpenPositionsPage() {
  const { t } = useTranslation();
  return (
    <FeaturePage
      feature="openPositions"
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
