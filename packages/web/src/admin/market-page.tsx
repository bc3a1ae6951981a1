import { chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { type MarketChoice, marketTroubleText } from '@pilotfish/core/admin/market-choice-contract';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { useSelector } from '@xstate/react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Badge, LinkButton, Notice } from '../ui/controls.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemHeadline } from '../ui/toasts.ts';
import { ManagementFrame } from './management-frame.tsx';
import { LeaveMarketDialog } from './market-leave-dialog.tsx';
import { useRestText } from './market-rest-text.ts';
import { MARKET_PATH, useMarketChoice } from './use-market-choice.ts';

const CONNECT_PATH = '/user/exchange-connect';
type Option = MarketSource | 'key';
const OPTIONS = [
  ['simulated', 'bots'],
  ['binance', 'prices'],
  ['key', 'key'],
] as const satisfies readonly (readonly [Option, IconName])[];
const OTHERS = ['binance-demo', 'binance-testnet'] as const satisfies readonly Option[];
const FIXED_ID = 'market-is-fixed';

/** The question of the first run, and later the change of the market. */
export default function MarketPage() {
  return <MarketPanel {...useMarketChoice()} />;
}

/** What is known of the choice, and what its machine takes now. */
export function MarketPanel({ actor, choose }: ReturnType<typeof useMarketChoice>) {
  const { t } = useTranslation();
  const snapshot = useSelector(actor, (each) => each);
  const { choice, problem, wanted } = snapshot.context;
  const reload = () => actor.send({ type: 'reload.requested' });
  if (choice === undefined)
    return (
      <>
        <PageHeader title={t('routes.market')} />
        {snapshot.matches('unknown') ? <ErrorPanel problem={problem} onRetry={reload} /> : <Skeleton rows={3} height={120} />}
      </>
    );
  const next = snapshot.matches('restarting') ? wanted : (choice.changingTo ?? undefined);
  const content = snapshot.matches('unknown') ? (
    <ErrorPanel problem={problem} onRetry={reload} />
  ) : next !== undefined ? (
    <Restarting market={next} />
  ) : (
    <Flex direction="column" gap="5">
      {problem && (
        <Notice tone="error" title={t('ui.notDone')}>
          {problemHeadline(problem, t)}
        </Notice>
      )}
      {!choice.reachable && choice.market !== 'simulated' && (
        <Unreachable choice={choice} onRetry={reload} onSimulated={() => choose('simulated', MARKET_PATH)} />
      )}
      <Choices choice={choice} isBusy={snapshot.hasTag('busy')} onChoose={choose} />
    </Flex>
  );
  return (
    <>
      {choice.decidedBy === 'default' ? (
        <>
          <PageHeader title={t('marketChoice.question')} lead={t('marketChoice.lead')} />
          {content}
          <Flex justify="flex-end" mt="5">
            <LinkButton to="/" variant="ghost" color="fg">
              {t('marketChoice.later')}
            </LinkButton>
          </Flex>
        </>
      ) : (
        <ManagementFrame title={t('routes.market')} lead={t('marketChoice.lead')}>
          {content}
        </ManagementFrame>
      )}
      <LeaveMarketDialog
        choice={choice}
        wanted={snapshot.matches('confirming') ? wanted : undefined}
        onConfirm={() => actor.send({ type: 'change.confirmed' })}
        onClose={() => actor.send({ type: 'change.cancelled' })}
      />
    </>
  );
}

/** Calm: that the server is away is what was asked for. */
function Restarting({ market }: { market: MarketSource }) {
  const { t } = useTranslation();
  return (
    <Notice tone="info" title={t('marketChoice.restarting', { market: t(`exchange.${market}.name`) })}>
      {t('marketChoice.restartingText')}
    </Notice>
  );
}

function Unreachable({ choice, onRetry, onSimulated }: { choice: MarketChoice; onRetry: () => void; onSimulated: () => void }) {
  const { t } = useTranslation();
  const isFixed = choice.decidedBy === 'environment';
  return (
    <Notice tone="warning" title={t('marketChoice.unreachable', { market: t(`exchange.${choice.market}.name`) })}>
      <Text>
        {t(marketTroubleText(choice.trouble))} {t('marketChoice.unreachableText')}
      </Text>
      <Flex gap="2" wrap="wrap" mt="3">
        <Button size="sm" variant="outline" colorPalette="brand" color="fg" onClick={onRetry}>
          <Icon name="refresh" size={16} />
          {t('ui.retry')}
        </Button>
        {!isFixed && (
          <Button size="sm" variant="outline" colorPalette="brand" color="fg" onClick={onSimulated}>
            {t('marketChoice.toSimulated')}
          </Button>
        )}
      </Flex>
    </Notice>
  );
}

function Choices({
  choice,
  isBusy,
  onChoose,
}: {
  choice: MarketChoice;
  isBusy: boolean;
  onChoose: (market: MarketSource, to: string) => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isFixed = choice.decidedBy === 'environment';
  const isFirst = choice.decidedBy === 'default';
  const pick = (option: Option) => {
    if (option !== 'key') onChoose(option, isFirst ? '/' : MARKET_PATH);
    else if (choice.market === 'binance' && !isFirst) void navigate(CONNECT_PATH);
    else onChoose('binance', CONNECT_PATH);
  };
  const card = (option: Option, icon?: IconName) => {
    const isPresent = !isFirst && option === choice.market;
    // A key can be connected where Binance is the market already.
    const isOff = isPresent || (isFixed && !(option === 'key' && choice.market === 'binance'));
    return (
      <OptionCard
        key={option}
        option={option}
        icon={icon}
        choice={choice}
        isPresent={isPresent}
        isFixed={isFixed && isOff}
        disabled={isOff || isBusy}
        dimmed={isOff && !isPresent}
        onChoose={() => pick(option)}
      />
    );
  };
  return (
    <>
      {isFixed && (
        <div id={FIXED_ID}>
          <Notice tone="info" live={false}>
            {t('errors.not-possible-now.detail_market_fixed')}
          </Notice>
        </div>
      )}
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' }} gap="4">
        {OPTIONS.map(([option, icon]) => card(option, icon))}
      </Grid>
      <chakra.details open={OTHERS.some((option) => option === choice.market)}>
        <chakra.summary cursor="pointer" minH="24px" fontWeight="550">
          {t('marketChoice.others')}
        </chakra.summary>
        <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }} gap="4" mt="3">
          {OTHERS.map((option) => card(option))}
        </Grid>
      </chakra.details>
    </>
  );
}

/** All of it can be pressed: the title is the button and lies over the rest, which describes it. */
function OptionCard({
  option,
  icon,
  choice,
  isPresent,
  isFixed,
  disabled,
  dimmed,
  onChoose,
}: {
  option: Option;
  icon: IconName | undefined;
  choice: MarketChoice;
  isPresent: boolean;
  isFixed: boolean;
  disabled: boolean;
  /** It stays disabled: a call that runs for a moment changes no looks. */
  dimmed: boolean;
  onChoose: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const rest = useRestText()(choice.rests.find(({ market }) => market === option));
  return (
    <Flex
      position="relative"
      direction="column"
      gap="3"
      p={icon ? { base: 4, md: 5 } : '4'}
      minW="0"
      bg={dimmed ? 'transparent' : 'bg.panel'}
      color={dimmed ? 'fg.muted' : 'fg'}
      borderWidth="1px"
      borderColor={isPresent ? 'brand.solid' : 'border'}
      borderRadius="panel"
      {...(!disabled && { _hover: { bg: 'bg.raised', borderColor: 'brand.solid' } })}
    >
      {icon && (
        <Flex
          w="11"
          h="11"
          align="center"
          justify="center"
          borderRadius="full"
          {...(dimmed ? { bg: 'bg.raised' } : { bg: 'brand.subtle', color: 'brand.fg' })}
        >
          <Icon name={icon} size={22} />
        </Flex>
      )}
      <Flex gap="2" align="center" wrap="wrap">
        <Heading as="h2" fontWeight="650" fontSize={icon ? '18px' : '16px'} lineHeight="1.3">
          <chakra.button
            type="button"
            disabled={disabled}
            aria-describedby={isFixed ? `${id} ${FIXED_ID}` : id}
            aria-current={isPresent || undefined}
            onClick={onChoose}
            textAlign="start"
            cursor="pointer"
            _disabled={{ cursor: 'not-allowed' }}
            _after={{ content: '""', position: 'absolute', inset: '0', borderRadius: 'panel' }}
            _focusVisible={{ outline: 'none', _after: { outline: '2px solid', outlineColor: 'brand.solid', outlineOffset: '2px' } }}
          >
            {t(`marketChoice.options.${option}.title`)}
          </chakra.button>
        </Heading>
        {isPresent && (
          <Badge tone="brand">
            <Icon name="check" size={14} />
            {t('marketChoice.present')}
          </Badge>
        )}
      </Flex>
      <Flex id={id} direction="column" gap="3">
        <Text color="fg.muted">{t(`marketChoice.options.${option}.text`)}</Text>
        {rest !== '' && <Text fontSize="13px">{t('marketChoice.rest', { what: rest })}</Text>}
      </Flex>
    </Flex>
  );
}
