import { Box, Flex, Text } from '@chakra-ui/react';
import { type PasswordVerdict, passwordVerdict } from '@pilotfish/core/auth/password-rules';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

export type Strength = { score: 0 | 1 | 2 | 3 | 4; verdict: PasswordVerdict };

/** Scores a password in the browser; the dictionaries (large) come with the first letter typed. */
export function useStrength(password: string, ownFields: readonly string[]): Strength | undefined {
  const [judged, setJudged] = useState<{ key: string; strength: Strength }>();
  const key = JSON.stringify([password, ownFields]);
  useEffect(() => {
    const [text, own] = JSON.parse(key) as [string, string[]];
    if (text === '') return;
    let current = true;
    void import('./password-score.ts').then(({ score }) => {
      if (!current) return;
      const points = score(text, own.filter(Boolean));
      setJudged({ key, strength: { score: points, verdict: passwordVerdict(text, points, own) } });
    });
    return () => {
      current = false;
    };
  }, [key]);
  // What was judged before stays until the next judgement, so that the bars do not flicker while typing.
  return password === '' ? undefined : judged?.strength;
}

/** Four bars and a word; the word is announced. The rule is left out where the field's own error says it. */
export function PasswordMeter({ strength, isRuleSaid = false }: { strength: Strength | undefined; isRuleSaid?: boolean }) {
  const { t } = useTranslation();
  const score = strength?.score ?? 0;
  const color = score >= 3 ? 'brand.solid' : score === 2 ? 'secondary.solid' : 'danger.solid';
  return (
    <Flex direction="column" gap="1.5" mt="-2">
      <Flex gap="1" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <Box key={bar} flex="1" h="4px" borderRadius="full" bg={strength && Math.max(score, 1) >= bar ? color : 'bg.raised'} />
        ))}
      </Flex>
      <Text fontSize="13px" color="fg.muted" role="status">
        {strength && `${t(`auth.strength.${strength.score}`)}. `}
        {strength?.verdict === 'own-field' ? t('auth.ownField') : strength?.verdict === 'ok' || isRuleSaid ? '' : t('auth.strengthRule')}
      </Text>
    </Flex>
  );
}
