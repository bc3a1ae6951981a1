import { Box, MenuSeparator } from '@chakra-ui/react';
import { type AutoTrade, type BotAction, botAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefusal, WhyDisabled } from '../../platform/use-trading.tsx';
import { Menu, MenuButton, MenuLink } from '../../ui/kit/menu.tsx';
import { actionText } from '../action-text.ts';
import { BotDialogs, duplicateOf, isDanger, offeredActions, STARTS } from '../bot-actions.tsx';
import { useSaveAsTemplate } from '../templates/template-dialogs.tsx';

/** Freezing and halting have room for what they mean on the bot's own page. */
const IN_LISTS: readonly BotAction[] = botAction.options.filter((action) => action !== 'freeze' && action !== 'halt');

/** What can be done with one bot of a list: what its machine allows, and what is done with its settings. */
export function BotMenu({ bot }: { bot: AutoTrade }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<BotAction>();
  const template = useSaveAsTemplate(bot);
  const refusal = useRefusal('bots');
  const whyId = useId();
  const of = (action: string) => t('autoTrades.actionOf', { action, name: bot.name });
  const offered = offeredActions(bot, IN_LISTS);
  const withheld = offered.find((each) => each.withheld !== undefined)?.withheld;
  const dangers = offered.filter(({ action }) => isDanger(action));
  const actionOf = ({ action, withheld: why }: (typeof offered)[number], close: () => void) => (
    <MenuButton
      key={action}
      color={isDanger(action) ? 'danger.fg' : undefined}
      disabled={why !== undefined}
      aria-describedby={why === undefined ? undefined : whyId}
      {...(STARTS.has(action) ? refusal : {})}
      aria-label={of(t(actionText(bot, action)))}
      onClick={() => {
        close();
        setAsking(action);
      }}
    >
      {t(actionText(bot, action))}
    </MenuButton>
  );
  const link = (to: string, text: string) =>
    refusal.disabled ? (
      <MenuButton {...refusal}>{text}</MenuButton>
    ) : (
      <MenuLink to={to} label={of(text)}>
        {text}
      </MenuLink>
    );
  return (
    <>
      <Menu
        label={t('autoTrades.list.menuOf', { name: bot.name })}
        size="xs"
        variant="ghost"
        color="fg.muted"
        items={(close) => (
          <>
            {offered.filter(({ action }) => !isDanger(action)).map((each) => actionOf(each, close))}
            <MenuSeparator />
            {link(duplicateOf(bot), t('autoTrades.duplicate'))}
            <MenuButton
              {...refusal}
              aria-label={of(t('autoTrades.templates.save'))}
              onClick={() => {
                close();
                template.ask();
              }}
            >
              {t('autoTrades.templates.save')}
            </MenuButton>
            {link(`/auto-trade/detail/${bot.id}/edit`, t('autoTrades.edit'))}
            {/* What cannot be undone is last: between others a finger presses it by mistake. */}
            {dangers.length > 0 && <MenuSeparator />}
            {dangers.map((each) => actionOf(each, close))}
            {withheld !== undefined && (
              <Box px="2.5" py="1">
                <WhyDisabled id={whyId} reason={withheld} link={MenuLink} />
              </Box>
            )}
          </>
        )}
      />
      <BotDialogs bot={bot} asking={asking} onClose={() => setAsking(undefined)} />
      {template.dialog}
    </>
  );
}
