import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { type Choice, conflicts, merged } from '@pilotfish/core/auto-trades/config/setting-fields';
import { settingName, settingText, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, Segments } from '../../ui/controls.tsx';
import { Button } from '../../ui/primitives.tsx';

/** Somebody saved a newer version meanwhile: what it changed, and which value the draft goes on with. */
export function ConflictPanel({
  base,
  mine,
  theirs,
  words,
  onResolved,
}: {
  base: AutoTradeConfig;
  mine: BotDraft;
  theirs: AutoTrade;
  words: Words;
  onResolved: (draft: BotDraft) => void;
}) {
  const { t } = useTranslation();
  const found = conflicts(base, mine, theirs.config);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Choice>>(new Map());
  // What only they changed is taken over unless somebody says otherwise; what both changed stays as written here.
  const choiceOf = (path: string, isMine: boolean): Choice => chosen.get(path) ?? (isMine ? 'mine' : 'theirs');
  const all = (choice: Choice) => setChosen(new Map(found.map(({ path }) => [path, choice])));
  return (
    <Box mb="5" role="alert">
      <Notice tone="warning" live={false} title={t('autoTrades.conflict.title', { version: theirs.configVersion })}>
        <Text color="fg.muted">{t(found.length === 0 ? 'autoTrades.conflict.same' : 'autoTrades.conflict.lead')}</Text>
        <Flex as="ul" direction="column" listStyleType="none" mt="2">
          {found.map(({ path, after, mine: own, isMine }) => (
            <chakra.li key={path} py="2" borderTopWidth="1px" borderColor="border">
              <Text fontWeight="600" mb="1">
                {settingName(path, words.t)}
              </Text>
              <Segments
                label={settingName(path, words.t)}
                value={choiceOf(path, isMine)}
                options={[
                  { value: 'mine' as const, label: t('autoTrades.conflict.mine', { value: settingText(path, own, words) }) },
                  { value: 'theirs' as const, label: t('autoTrades.conflict.theirs', { value: settingText(path, after, words) }) },
                ]}
                onChange={(choice) => setChosen(new Map(chosen).set(path, choice))}
              />
            </chakra.li>
          ))}
        </Flex>
        <Flex gap="2" mt="3" wrap="wrap">
          <Button
            type="button"
            size="sm"
            colorPalette="brand"
            onClick={() =>
              onResolved(merged(mine, theirs.config, new Map(found.map(({ path, isMine }) => [path, choiceOf(path, isMine)]))))
            }
          >
            {t('autoTrades.conflict.goOn')}
          </Button>
          {found.length > 1 && (
            <>
              <Button type="button" size="sm" variant="outline" color="fg" onClick={() => all('mine')}>
                {t('autoTrades.conflict.allMine')}
              </Button>
              <Button type="button" size="sm" variant="outline" color="fg" onClick={() => all('theirs')}>
                {t('autoTrades.conflict.allTheirs')}
              </Button>
            </>
          )}
        </Flex>
      </Notice>
    </Box>
  );
}
