import { Flex, Heading, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { settingChanges } from '@pilotfish/core/auto-trades/config/setting-fields';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton, Panel } from '../../ui/controls.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { LadderOf } from '../form/ladder-preview.tsx';
import { SettingDiff, SettingList } from '../setting-list.tsx';
import { useVersions } from '../use-auto-trades.ts';
import { useWords } from '../use-words.ts';

/** The settings in words, every earlier version of them, and what changed between any two. */
export function BotSettings({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const words = useWords(bot.currency);
  return (
    <Flex direction="column" gap="5">
      {bot.ladder.rungs.length > 0 && (
        <Panel>
          <Heading as="h2" fontSize="16px" fontWeight="600" mb="3">
            {t('autoTrades.ladder.title')}
          </Heading>
          <LadderOf ladder={bot.ladder} />
        </Panel>
      )}
      <Panel>
        <Flex justify="space-between" gap="3" mb="3" align="center" wrap="wrap">
          <Text color="fg.muted">{t('autoTrades.settings.lead', { version: bot.configVersion })}</Text>
          <LinkButton to={`/auto-trade/detail/${bot.id}/edit`} size="sm" variant="outline" color="fg">
            {t('autoTrades.edit')}
          </LinkButton>
        </Flex>
        <SettingList config={bot.config} words={words} />
      </Panel>
      <Versions bot={bot} />
    </Flex>
  );
}

function Versions({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const words = useWords(bot.currency);
  const { data, hasFailed, problem, retry } = useVersions(bot.id);
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({});
  const newest = data?.[0]?.version ?? 1;
  const to = chosen.to ?? newest;
  const from = chosen.from ?? Math.max(1, to - 1);
  const config = (version: number) => data?.find((each) => each.version === version)?.config;
  const [before, after] = [config(from), config(to)];
  const options = (data ?? []).map(({ version, createdAt }) => ({
    value: String(version),
    label: t('autoTrades.versions.option', {
      version,
      time: moment(createdAt),
    }),
  }));
  return (
    <Panel>
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="3">
        {t('autoTrades.versions.title')}
      </Heading>
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={3} height={22} />
      ) : data.length < 2 ? (
        <Text color="fg.muted">{t('autoTrades.versions.first')}</Text>
      ) : (
        <>
          <Flex gap="4" mb="3" direction={{ base: 'column', sm: 'row' }}>
            <SelectField
              label={t('autoTrades.versions.from')}
              value={String(from)}
              options={options}
              onChange={(value) => setChosen({ ...chosen, from: Number(value) })}
            />
            <SelectField
              label={t('autoTrades.versions.to')}
              value={String(to)}
              options={options}
              onChange={(value) => setChosen({ ...chosen, to: Number(value) })}
            />
          </Flex>
          {before && after && <SettingDiff changes={settingChanges(before, after)} words={words} />}
        </>
      )}
    </Panel>
  );
}
