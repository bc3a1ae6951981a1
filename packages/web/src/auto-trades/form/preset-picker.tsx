import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { applySettings, type BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import type { BotSettingsInput } from '@pilotfish/core/auto-trades/config/bot-settings';
import { PRESET_SETTINGS, PRESETS } from '@pilotfish/core/auto-trades/config/presets';
import { settingChanges } from '@pilotfish/core/auto-trades/config/setting-fields';
import type { Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Button } from '../../ui/primitives.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { SettingDiff } from '../setting-list.tsx';
import { useBotTemplates } from '../templates/use-templates.ts';

type Start = {
  readonly key: string;
  readonly name: string;
  readonly lead: string;
  readonly settings: BotSettingsInput;
  readonly template?: BotTemplate;
};

/**
 * Settings to start from: presets, then templates, which load later and would push the presets down. Each says what it
 * would change before it fills anything in.
 */
export function PresetPicker({
  draft,
  words,
  onApply,
}: {
  draft: BotDraft;
  words: Words;
  onApply: (draft: BotDraft, template: BotTemplate | undefined) => void;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const templates = useBotTemplates().data ?? [];
  const [asking, setAsking] = useState<Start>();
  const own = templates.flatMap((template): Start[] => {
    const { id, name, settings, updatedAt } = template;
    const lead = t('autoTrades.templates.savedOn', { at: moment(updatedAt, 'day') });
    return settings ? [{ key: id, name, settings, lead, template }] : [];
  });
  const presets = PRESETS.map(
    (preset): Start => ({
      key: preset,
      name: t(`autoTrades.preset.${preset}.name`),
      lead: t(`autoTrades.preset.${preset}.lead`),
      settings: PRESET_SETTINGS[preset],
    }),
  );
  const next = asking && applySettings(draft, asking.settings);
  return (
    <Flex direction="column" gap="2" mb="6">
      <Text textStyle="label">{t('autoTrades.form.presets')}</Text>
      <Choices starts={presets} onChoose={setAsking} />
      {own.length > 0 && (
        <>
          <Text textStyle="label" mt="2">
            {t('autoTrades.templates.own')}
          </Text>
          <Choices starts={own} onChoose={setAsking} />
        </>
      )}
      <Dialog
        open={asking !== undefined}
        title={asking?.name ?? ''}
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
                if (next) onApply(next, asking.template);
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
        {next && <SettingDiff changes={settingChanges(draft, next)} words={words} />}
      </Dialog>
    </Flex>
  );
}

const Choices = ({ starts, onChoose }: { starts: readonly Start[]; onChoose: (start: Start) => void }) => (
  // Many templates scroll in their place: the first field stays near.
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' }}
    gap="2"
    maxH="232px"
    overflowY="auto"
    className="rings-inside"
  >
    {starts.map((start) => (
      <chakra.button
        key={start.key}
        type="button"
        onClick={() => onChoose(start)}
        display="flex"
        flexDirection="column"
        alignItems="flex-start"
        textAlign="start"
        p="3"
        minW="0"
        borderWidth="1px"
        borderColor="border"
        borderRadius="panel"
        cursor="pointer"
        _hover={{ borderColor: 'brand.fg', bg: 'bg.raised' }}
      >
        <Text fontWeight="600" dir="auto" w="100%" overflowWrap="anywhere">
          {start.name}
        </Text>
        <Text fontSize="13px" color="fg.muted">
          {start.lead}
        </Text>
      </chakra.button>
    ))}
  </Grid>
);
