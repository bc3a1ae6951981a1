import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { FeaturePage } from '../ui/feature-page.tsx';

export default function AdminPage() {
  const { t } = useTranslation();
  return (
    <FeaturePage
      feature="admin"
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
