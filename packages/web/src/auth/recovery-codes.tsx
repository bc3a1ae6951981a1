import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';

/** Ten codes, shown once: to download, print or copy, and to confirm before going on. */
export function RecoveryCodes({ codes, username, onSaved }: { codes: readonly string[]; username: string; onSaved: () => void }) {
  const { t } = useTranslation();
  const [kept, setKept] = useState(false);
  const id = useId();
  const download = () => {
    const text = `${t('auth.recovery.fileTitle', { username })}\n\n${codes.join('\n')}\n`;
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: 'pilotfish-recovery-codes.txt' });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Flex direction="column" gap="4">
      <Notice tone="warning" live={false}>
        {t('auth.recovery.once')}
      </Notice>
      <Grid
        as="ul"
        templateColumns="1fr 1fr"
        gap="2"
        p="4"
        bg="bg.raised"
        borderRadius="panel"
        listStyleType="none"
        aria-label={t('auth.recovery.title')}
      >
        {codes.map((code) => (
          <chakra.li key={code} fontFamily="mono" fontSize="14px" lang="en" translate="no" textAlign="center">
            {code}
          </chakra.li>
        ))}
      </Grid>
      <Flex gap="2" wrap="wrap">
        <Button size="sm" variant="outline" color="fg" onClick={download}>
          <Icon name="down" size={16} />
          {t('auth.recovery.download')}
        </Button>
        <Button size="sm" variant="outline" color="fg" onClick={() => window.print()}>
          {t('auth.recovery.print')}
        </Button>
        <Button size="sm" variant="outline" color="fg" onClick={() => void navigator.clipboard?.writeText(codes.join('\n'))}>
          <Icon name="copy" size={16} />
          {t('ui.copy')}
        </Button>
      </Flex>
      <Flex gap="3" align="flex-start">
        <chakra.input
          id={id}
          type="checkbox"
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
          mt="3px"
          w="18px"
          h="18px"
          accentColor="var(--chakra-colors-brand-solid)"
        />
        <chakra.label htmlFor={id}>{t('auth.recovery.kept')}</chakra.label>
      </Flex>
      <Button colorPalette="brand" disabled={!kept} onClick={onSaved}>
        {t('auth.recovery.continue')}
      </Button>
      {!kept && (
        <Text fontSize="13px" color="fg.muted">
          {t('auth.recovery.why')}
        </Text>
      )}
    </Flex>
  );
}
