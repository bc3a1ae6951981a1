import { Box, Flex } from '@chakra-ui/react';
import { type AutoTrade, type BotAction, botAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useRefusal, WhyDisabled } from '../../app/use-trading.tsx';
import { DropDown } from '../../ui/drop-down.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { actionText } from '../action-text.ts';
import { BotDialogs, duplicateOf, isDanger, offeredActions, STARTS } from '../bot-actions.tsx';
import { SaveTemplateDialog } from '../templates/template-dialogs.tsx';

/** Freezing and halting have room for what they mean on the bot's own page. */
const IN_LISTS: readonly BotAction[] = botAction.options.filter((action) => action !== 'freeze' && action !== 'halt');

const entry = { w: '100%', size: 'xs', variant: 'ghost', color: 'fg', justifyContent: 'flex-start', fontSize: '13px' } as const;

/** What can be done with one bot of a list: what its machine allows, and what is done with its settings. */
export function BotMenu({ bot }: { bot: AutoTrade }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<BotAction>();
  const [isSaving, setSaving] = useState(false);
  const refusal = useRefusal('bots');
  const whyId = useId();
  const of = (action: string) => t('autoTrades.actionOf', { action, name: bot.name });
  const offered = offeredActions(bot, IN_LISTS);
  const withheld = offered.find((each) => each.withheld !== undefined)?.withheld;
  const link = (to: string, text: string) =>
    refusal.disabled ? (
      <Button {...entry} {...refusal}>
        {text}
      </Button>
    ) : (
      <Button asChild {...entry}>
        <Link to={to} aria-label={of(text)}>
          {text}
        </Link>
      </Button>
    );
  return (
    <>
      <DropDown
        button={(props) => (
          <Button size="xs" px="0" variant="ghost" color="fg.muted" aria-label={t('autoTrades.list.menuOf', { name: bot.name })} {...props}>
            <Icon name="more" size={18} />
          </Button>
        )}
      >
        {(close) => (
          <Flex direction="column" gap="1px">
            {offered.map((each) => (
              <Button
                key={each.action}
                {...entry}
                color={isDanger(each.action) ? 'danger.fg' : 'fg'}
                disabled={each.withheld !== undefined}
                aria-describedby={each.withheld === undefined ? undefined : whyId}
                {...(STARTS.has(each.action) ? refusal : {})}
                aria-label={of(t(actionText(bot, each.action)))}
                onClick={() => {
                  close();
                  setAsking(each.action);
                }}
              >
                {t(actionText(bot, each.action))}
              </Button>
            ))}
            {withheld !== undefined && (
              <Box px="2.5" py="1">
                <WhyDisabled id={whyId} reason={withheld} />
              </Box>
            )}
            <Divider />
            {link(duplicateOf(bot), t('autoTrades.duplicate'))}
            <Button
              {...entry}
              {...refusal}
              aria-label={of(t('autoTrades.templates.save'))}
              onClick={() => {
                close();
                setSaving(true);
              }}
            >
              {t('autoTrades.templates.save')}
            </Button>
            {link(`/auto-trade/detail/${bot.id}/edit`, t('autoTrades.edit'))}
          </Flex>
        )}
      </DropDown>
      <BotDialogs bot={bot} asking={asking} onClose={() => setAsking(undefined)} />
      <SaveTemplateDialog
        open={isSaving}
        config={bot.config}
        currency={bot.currency}
        suggested={bot.name}
        onClose={() => setSaving(false)}
      />
    </>
  );
}

const Divider = (): ReactNode => <Box my="1" borderTopWidth="1px" borderColor="border.subtle" />;
