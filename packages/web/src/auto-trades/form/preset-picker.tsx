import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { applyPreset, type BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { PRESETS, type Preset } from '@pilotfish/core/auto-trades/config/presets';
import { settingChanges } from '@pilotfish/core/auto-trades/config/setting-fields';
import type { Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { Button } from '../../ui/primitives.tsx';
import { SettingDiff } from '../setting-list.tsx';

/** Settings to start from. Each says what it would change before it fills anything in. */
export function PresetPicker({ draft, words, onApply }: { draft: BotDraft; words: Words; onApply: (draft: BotDraft) => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<Preset>();
  return (
    <Flex direction="column" gap="2" mb="6">
      <Text textStyle="label">{t('autoTrades.form.presets')}</Text>
      <Grid templateColumns={{ base: '1fr', sm: 'repeat(3, 1fr)' }} gap="2">
        {PRESETS.map((preset) => (
          <chakra.button
            key={preset}
            type="button"
            onClick={() => setAsking(preset)}
            display="flex"
            flexDirection="column"
            alignItems="flex-start"
            textAlign="start"
            p="3"
            borderWidth="1px"
            borderColor="border"
            borderRadius="panel"
            cursor="pointer"
            _hover={{ borderColor: 'brand.fg', bg: 'bg.raised' }}
          >
            <Text fontWeight="600">{t(`autoTrades.preset.${preset}.name`)}</Text>
            <Text fontSize="13px" color="fg.muted">
              {t(`autoTrades.preset.${preset}.lead`)}
            </Text>
          </chakra.button>
        ))}
      </Grid>
      <Dialog
        open={asking !== undefined}
        title={asking ? t(`autoTrades.preset.${asking}.name`) : ''}
        onClose={() => setAsking(undefined)}
        actions={
          <>
            <Button variant="ghost" color="fg" type="button" onClick={() => setAsking(undefined)}>
              {t('ui.cancel')}
            </Button>
            <Button
              colorPalette="brand"
              type="button"
              onClick={() => {
                if (asking) onApply(applyPreset(draft, asking));
                setAsking(undefined);
              }}
            >
              {t('autoTrades.form.fillIn')}
            </Button>
          </>
        }
      >
        <Text color="fg.muted" mb="3">
          {t('autoTrades.form.presetLead')}
        </Text>
        {asking && <SettingDiff changes={settingChanges(draft, applyPreset(draft, asking))} words={words} />}
      </Dialog>
    </Flex>
  );
}
