import { Box, chakra, Flex, Heading } from '@chakra-ui/react';
import type { AutoTradeDetail, BotAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useRefusal } from '../../../platform/use-trading.tsx';
import { LinkButton } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Menu, MenuButton, MenuLink } from '../../../ui/kit/menu.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { actionText } from '../../action-text.ts';
import { BotButton, duplicateOf, type OfferedActions } from '../../bot-actions.tsx';
import { BotMode, BotSentence, BotStatus } from '../../bot-marks.tsx';
import { useSaveAsTemplate } from '../../templates/template-dialogs.tsx';
import type { BotBanner } from './banner-kind.ts';
import type { Cockpit } from './use-cockpit.ts';

/** What lets it look for entries again, or stops that: the one that stands in the header. */
const MAIN: readonly BotAction[] = ['resume', 'acknowledge', 'enable', 'unfreeze', 'disable'];

/** Each action stands in one place: the banner's there, one in the header, the kill switch at its end, the others in the menu. */
export function placesOf(offered: readonly BotAction[], inBanner: BotAction | undefined) {
  const left = offered.filter((action) => action !== inBanner);
  // A halted bot enters nothing: there is nothing to pause.
  const main = MAIN.find((action) => left.includes(action) && (action !== 'disable' || !offered.includes('acknowledge')));
  return { main, stop: left.includes('halt'), menu: left.filter((action) => action !== main && action !== 'halt') };
}

type Actions = { readonly bot: AutoTradeDetail; readonly actions: OfferedActions; readonly inBanner: BotAction | undefined };

/** One line: which bot, whose money, what it does and does next, and what may be asked of it. */
export function BotHeader({
  cockpit,
  actions,
  banner,
  inBanner,
  isPhone,
}: Omit<Actions, 'bot'> & { cockpit: Cockpit; banner: BotBanner | undefined; isPhone: boolean }) {
  const { t } = useTranslation();
  const { bot, figures } = cockpit;
  const { main, stop, menu } = placesOf(actions.offered, inBanner);
  return (
    <>
      <PageTitle>
        <chakra.span className="rings-inside" color="fg.muted" fontWeight="500" display={{ base: 'none', md: 'inline' }}>
          <Link to="/auto-trade">{t('routes.autoTrades')}</Link> /{' '}
        </chakra.span>
        {bot.name}
      </PageTitle>
      <Flex as="section" aria-label={bot.name} align="center" gap="2.5" minH="9" px="0.5" wrap={{ base: 'wrap', lg: 'nowrap' }}>
        {/* On a phone the bar of the app has room for a few letters of it. */}
        <Heading
          as="h2"
          textStyle="title"
          fontSize={{ base: '16px', md: undefined }}
          flexShrink={{ base: '1', lg: '0' }}
          maxW={{ base: '100%', lg: '360px' }}
          overflowWrap="anywhere"
        >
          {bot.name}
        </Heading>
        <Flex gap="2.5" align="center" flexShrink="0">
          <BotMode mode={bot.mode} />
          <BotStatus bot={bot} />
        </Flex>
        <Box fontSize="13px" minW="0" flex={{ base: '1 0 100%', lg: '1 1 0' }} lineHeight="18px">
          {/* The banner says why it rests; here stands what it holds. */}
          <BotSentence bot={banner ? { ...bot, stateReason: null, unreadPair: null } : bot} figures={figures} />
        </Box>
        {!isPhone && (
          <Flex gap="1.5" align="center" flexShrink="0">
            {main && (
              <BotButton action={main} {...actions.propsOf(main)}>
                {main === 'disable' && <Icon name="pause" size={15} />}
              </BotButton>
            )}
            <LinkButton to={`/auto-trade/detail/${bot.id}/edit`} size="sm" variant="outline" color="fg">
              <Icon name="edit" size={15} />
              {t('autoTrades.edit')}
            </LinkButton>
            <MoreOfBot bot={bot} actions={actions} menu={menu} />
            {stop && (
              <BotButton action="halt" {...actions.propsOf('halt')}>
                <Icon name="stop" size={14} />
              </BotButton>
            )}
          </Flex>
        )}
      </Flex>
      {actions.why}
    </>
  );
}

/** What is asked for less often: the other actions of the bot, and the ways to its settings and tests. */
export function MoreOfBot({
  bot,
  actions,
  menu,
  large = false,
  withEdit = false,
}: Omit<Actions, 'inBanner'> & { menu: readonly BotAction[]; large?: boolean; withEdit?: boolean }) {
  const { t } = useTranslation();
  const at = `/auto-trade/detail/${bot.id}`;
  const refusal = useRefusal('bots');
  const template = useSaveAsTemplate(bot);
  return (
    <>
      <Menu
        label={t('autoTrades.cockpit.more')}
        {...(large ? { h: '11', w: '11' } : {})}
        items={(close) => (
          <>
            {withEdit && <MenuLink to={`${at}/edit`}>{t('autoTrades.edit')}</MenuLink>}
            <MenuLink to={duplicateOf(bot)}>{t('autoTrades.duplicate')}</MenuLink>
            <MenuButton
              {...refusal}
              onClick={() => {
                close();
                template.ask();
              }}
            >
              {t('autoTrades.templates.save')}
            </MenuButton>
            <MenuLink to={`${at}?tab=compare`}>{t('autoTrades.tab.compare')}</MenuLink>
            <MenuLink to={`${at}/backtest`}>{t('backtest.open')}</MenuLink>
            {menu.map((action) => {
              const { onClick, ...props } = actions.propsOf(action);
              return (
                <MenuButton
                  key={action}
                  color={action === 'halt' || action === 'delete' ? 'danger.fg' : undefined}
                  {...props}
                  onClick={() => {
                    close();
                    onClick();
                  }}
                >
                  {t(actionText(bot, action))}
                </MenuButton>
              );
            })}
          </>
        )}
      />
      {template.dialog}
    </>
  );
}
