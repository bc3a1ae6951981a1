import { Flex, Heading, Text } from '@chakra-ui/react';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/primitives.tsx';

/**
 * One feature may break; the frame and the others stay.
 * `instead` stands for a part too small to say so: a button of the frame whose code could not be loaded.
 */
export class ErrorBoundary extends Component<{ children: ReactNode; instead?: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error('screen failed', error, info.componentStack);
  }
  override render() {
    if (this.state.error === undefined) return this.props.children;
    if (this.props.instead !== undefined) return this.props.instead;
    return <Broken />;
  }
}

/** In place of a screen that cannot be shown: what is safe, and the way on. What went wrong is for the console. */
export function Broken() {
  const { t } = useTranslation();
  return (
    <Flex role="alert" direction="column" gap="3" align="flex-start" py="8">
      <Heading as="h1" textStyle="title">
        {t('ui.broken.title')}
      </Heading>
      <Text color="fg.muted">{t('ui.broken.detail')}</Text>
      <Button size="sm" colorPalette="brand" onClick={() => window.location.reload()}>
        {t('ui.broken.reload')}
      </Button>
    </Flex>
  );
}
