import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { authenticatorLink } from '@pilotfish/core/auth/auth-api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { QrCode } from '../ui/qr-code.tsx';

/** QR code for the phone beside this screen, link for the phone that is this screen, secret for everything else. */
export function Enrolment({ username, secretKey }: { username: string; secretKey: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const link = authenticatorLink(username, secretKey);
  return (
    <Flex direction="column" gap="4">
      <Flex gap="5" align="center" direction={{ base: 'column', sm: 'row' }}>
        <QrCode text={link} label={t('auth.qrLabel')} />
        <Flex direction="column" gap="3" minW="0" w="100%">
          <Box>
            <Text textStyle="label">{t('auth.secret')}</Text>
            <chakra.code display="block" mt="1" fontFamily="mono" fontSize="13px" overflowWrap="anywhere" lang="en" translate="no">
              {secretKey.match(/.{1,4}/g)?.join(' ')}
            </chakra.code>
          </Box>
          <Button
            size="sm"
            variant="outline"
            color="fg"
            onClick={() => {
              void navigator.clipboard?.writeText(secretKey);
              setCopied(true);
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={16} />
            {copied ? t('ui.copied') : t('auth.copySecret')}
          </Button>
          <Button asChild size="sm" variant="outline" color="fg">
            <a href={link}>
              <Icon name="external" size={16} />
              {t('auth.openAuthenticator')}
            </a>
          </Button>
        </Flex>
      </Flex>
    </Flex>
  );
}
