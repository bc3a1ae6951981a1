import { chakra, Flex, Text } from '@chakra-ui/react';
import { isInUse, type SettingChange, settingsOf } from '@pilotfish/core/auto-trades/config/setting-fields';
import { settingName, settingText, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { useTranslation } from 'react-i18next';

/** What differs between two versions: the setting, what it was, what it is. */
export function SettingDiff({ changes, words }: { changes: readonly SettingChange[]; words: Words }) {
  const { t } = useTranslation();
  if (changes.length === 0) return <Text color="fg.muted">{t('autoTrades.versions.same')}</Text>;
  return (
    <Flex as="ul" direction="column" listStyleType="none" fontSize="13px">
      {changes.map(({ path, before, after }) => (
        <chakra.li key={path} py="2" borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
          <Text fontWeight="600">{settingName(path, words.t)}</Text>
          <Text overflowWrap="anywhere">
            <chakra.del color="fg.muted" me="2">
              {before === undefined ? '–' : settingText(path, before, words)}
            </chakra.del>
            <span aria-hidden="true">→ </span>
            <chakra.ins textDecoration="none" fontWeight="600">
              {settingText(path, after, words)}
            </chakra.ins>
          </Text>
        </chakra.li>
      ))}
    </Flex>
  );
}

/** Every setting in words, as a list of names and values. */
export function SettingList({ config, words }: { config: object; words: Words }) {
  return (
    <chakra.dl display="grid" gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} columnGap="8">
      {settingsOf(config)
        .filter(([path]) => isInUse(config, path))
        .map(([path, value]) => (
          <chakra.div
            key={path}
            display="flex"
            justifyContent="space-between"
            gap="4"
            py="1.5"
            borderTopWidth="1px"
            borderColor="border.subtle"
            fontSize="13px"
          >
            <chakra.dt color="fg.muted" minW="0">
              {settingName(path, words.t)}
            </chakra.dt>
            {/* A value keeps its line; only a long one breaks, between words. */}
            <chakra.dd
              textAlign="end"
              flexShrink="0"
              maxW={{ base: '70%', md: '55%' }}
              overflowWrap="anywhere"
              css={{ fontVariantNumeric: 'tabular-nums' }}
            >
              {settingText(path, value, words)}
            </chakra.dd>
          </chakra.div>
        ))}
    </chakra.dl>
  );
}
