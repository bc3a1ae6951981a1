import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { FeaturePage } from '../ui/feature-page.tsx';

export default function TelegramConnectPage() {
  const { t } = useTranslation();
  return (
    <FeaturePage
      feature="telegram"
      icon="alerts"
      points={['one', 'two', 'three']}
      action={
        <LinkButton to="/user/my-account" colorPalette="brand">
          {t('features.openAccount')}
        </LinkButton>
      }
    />
  );
}
