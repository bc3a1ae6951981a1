import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { FeaturePage } from '../ui/feature-page.tsx';

export default function PositionsPage() {
  const { t } = useTranslation();
  return (
    <FeaturePage
      feature="positions"
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
