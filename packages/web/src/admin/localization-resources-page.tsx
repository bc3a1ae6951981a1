import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { FeaturePage } from '../ui/feature-page.tsx';

export default function LocalizationResourcesPage() {
  const { t } = useTranslation();
  return (
    <FeaturePage
      feature="localization"
      icon="admin"
      points={['one', 'two', 'three']}
      action={
        <LinkButton to="/" colorPalette="brand">
          {t('features.openHome')}
        </LinkButton>
      }
    />
  );
}
