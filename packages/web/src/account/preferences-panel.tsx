import { Flex, Heading, Text } from '@chakra-ui/react';
import { DEFAULT_PREFERENCES, type Preferences, START_SCREENS } from '@pilotfish/core/account/preferences';
import { shownProblem } from '@pilotfish/core/http/problem';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp, useServices, useStore } from '../platform/app-context.tsx';
import { entryOf } from '../platform/route-table.ts';
import { isLanguage } from '../platform/texts.ts';
import { Panel, Segments } from '../ui/controls.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { deviceTimeZone } from '../ui/time-zone.ts';
import { showToast, toastText } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';

/** The one that is held comes along: another device may know it by a name that this browser does not list. */
const zones = (held: string): string[] => [...new Set(['UTC', held, ...Intl.supportedValuesOf('timeZone')])];

/** How the product looks and speaks, on every device of the account. */
export function PreferencesPanel() {
  const { t, i18n } = useTranslation();
  const app = useApp();
  const { appearance, setLanguage, preferences } = useServices();
  const theme = useStore(appearance.theme);
  const palette = useStore(appearance.palette);
  const held = useStore(preferences.held) ?? { ...DEFAULT_PREFERENCES, updatedAt: null };
  const change = (body: Partial<Preferences>) => {
    // What the device shows now goes along, or a first choice would bring the defaults of everything else with it.
    const shown = held.updatedAt === null ? { theme, palette, language: isLanguage(i18n.language) ? i18n.language : 'en' } : {};
    app.busy.during(preferences.change({ ...shown, ...body } as Partial<Preferences>)).then(
      () => app.queries.invalidate('audit-log'),
      (thrown: unknown) => void showToast('error', toastText(shownProblem(thrown), t)),
    );
  };
  // An account without one counts in UTC.
  const [zone, device] = [held.timeZone ?? 'UTC', deviceTimeZone()];
  const [opened] = useState(app.browser.now);
  const moment = useMoment()(opened, 'clock');
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="1">
        {t('account.appearance')}
      </Heading>
      <Text color="fg.muted" fontSize="13px" mb="4">
        {t('account.everyDevice')}
      </Text>
      <Flex direction="column" gap="5">
        <SelectField
          label={t('ui.language')}
          hint={t('account.languageHint')}
          value={i18n.language}
          options={[
            { value: 'en', label: 'English' },
            { value: 'tr', label: 'Türkçe' },
          ]}
          onChange={(language) => {
            if (!isLanguage(language)) return;
            setLanguage(language);
            change({ language });
          }}
        />
        <Flex direction="column" gap="2">
          <Text textStyle="label">{t('account.theme')}</Text>
          <Segments
            label={t('account.theme')}
            size="sm"
            value={theme}
            options={[
              { value: 'dark', label: t('account.dark') },
              { value: 'light', label: t('account.light') },
            ]}
            onChange={(next) => {
              appearance.setTheme(next);
              change({ theme: next });
            }}
          />
        </Flex>
        <SelectField
          label={t('account.timeZone')}
          hint={zone === device ? t('account.timeZoneHint', { time: moment }) : t('account.otherZoneHint', { time: moment, device })}
          value={zone}
          options={zones(zone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          onChange={(timeZone) => change({ timeZone })}
        />
        <Flex direction="column" gap="2">
          <Text textStyle="label">{t('account.density')}</Text>
          <Segments
            label={t('account.density')}
            size="sm"
            value={held.density}
            options={[
              { value: 'comfortable', label: t('account.comfortable') },
              { value: 'compact', label: t('account.compact') },
            ]}
            onChange={(density) => change({ density })}
          />
        </Flex>
        <Flex direction="column" gap="2">
          <Text textStyle="label">{t('account.palette')}</Text>
          <Segments
            label={t('account.palette')}
            size="sm"
            value={palette}
            options={[
              { value: 'green-red', label: t('account.greenRed') },
              { value: 'blue-orange', label: t('account.blueOrange') },
            ]}
            onChange={(next) => {
              appearance.setPalette(next);
              change({ palette: next });
            }}
          />
          <Flex gap="4" className="figure" fontWeight="600">
            <span className="gain">▲ +2.40%</span>
            <span className="loss">▼ −1.15%</span>
          </Flex>
        </Flex>
        <SelectField
          label={t('account.startScreen')}
          hint={t('account.startHint')}
          value={held.startScreen}
          options={START_SCREENS.map((path) => ({ value: path, label: t(`routes.${entryOf(path).page}`) }))}
          onChange={(path) => {
            const startScreen = START_SCREENS.find((each) => each === path);
            if (startScreen) change({ startScreen });
          }}
        />
      </Flex>
    </Panel>
  );
}
