import { Box } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { applyPreset, applySettings, type BotDraft, draftOf, newDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import type { BotSettings } from '@pilotfish/core/auto-trades/config/bot-settings';
import { copyName } from '@pilotfish/core/auto-trades/config/copy-name';
import { PRESETS } from '@pilotfish/core/auto-trades/config/presets';
import { isName } from '@pilotfish/core/money/asset-name';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useCoinFilters } from '../../coin-filters/use-coin-filters.ts';
import { useAccount } from '../../platform/use-session.ts';
import { Notice, Panel } from '../../ui/controls.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { useMoney } from '../../wallets/use-money.ts';
import { notStartedState } from '../not-started-state.ts';
import { useBotTemplates } from '../templates/use-templates.ts';
import { useAutoTrades, useWallets } from '../use-auto-trades.ts';
import { BotForm } from './bot-form.tsx';

/** What a new bot begins with, as the address says: a preset or a template, a coin, a wallet; or all the settings of another bot. */
function begunDraft(
  query: URLSearchParams,
  wallets: readonly Wallet[],
  copied: BotDraft | undefined,
  template: BotSettings | undefined,
): BotDraft {
  if (copied) return copied;
  const symbol = query.get('symbol');
  const draft = newDraft(
    wallets.find(({ id }) => id === query.get('wallet'))?.id ?? wallets[0]?.id ?? '',
    symbol && isName(symbol) ? [symbol] : [],
  );
  if (template) return applySettings(draft, template);
  const preset = PRESETS.find((each) => each === query.get('preset'));
  return preset ? applyPreset(draft, preset) : draft;
}

export default function AutoTradeCreatePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const wallets = useWallets();
  const account = useAccount();
  const from = query.get('from');
  const bots = useAutoTrades({ enabled: from !== null });
  const chosen = query.get('template');
  const templates = useBotTemplates({ enabled: chosen !== null });
  const template = templates.data?.find(({ id }) => id === chosen);
  const original = bots.data?.find(({ id }) => id === from);
  const names = bots.data?.map(({ name }) => name) ?? [];
  const copied = original && { ...draftOf(original.config), name: copyName(original.name, names, t('autoTrades.copySuffix')) };
  const wanted = [wallets, ...(from === null ? [] : [bots]), ...(chosen === null ? [] : [templates])];
  const waiting = wanted.find(({ data }) => data === undefined) ?? wallets;
  return (
    <>
      <PageHeader title={t('routes.autoTradeCreate')} lead={t('autoTrades.form.lead')} />
      {original && wallets.data && <CopyNotice original={original} />}
      {from !== null && bots.data && !original && (
        <Box mb="4">
          <Notice tone="warning">{t('autoTrades.copy.gone')}</Notice>
        </Box>
      )}
      {chosen !== null && templates.data && wallets.data && <TemplateNotice template={template} />}
      {wallets.data && account && wanted.every(({ data }) => data !== undefined) ? (
        <BotForm
          key={query.toString()}
          // A draft of settings that were replaced since is not that of the template any more.
          begun={[account.username, query.toString(), ...(template ? [template.updatedAt] : [])].join(':')}
          template={template}
          initial={begunDraft(query, wallets.data, copied, template?.settings ?? undefined)}
          onSaved={(bot, notStarted) => void navigate(`/auto-trade/detail/${bot.id}`, notStartedState(notStarted))}
        />
      ) : (
        <Panel>
          {waiting.hasFailed ? <ErrorPanel problem={waiting.problem} onRetry={waiting.retry} /> : <Skeleton rows={8} height={30} />}
        </Panel>
      )}
    </>
  );
}

/** What the form was filled in with; or why it was not. */
function TemplateNotice({ template }: { template: BotTemplate | undefined }) {
  const { t } = useTranslation();
  return (
    <Box mb="4">
      {template?.settings ? (
        <Notice tone="info" title={t('autoTrades.templates.from', { name: template.name })} live={false}>
          {t('autoTrades.templates.fromLead')}
        </Notice>
      ) : (
        <Notice tone="warning">
          {template ? t('autoTrades.templates.unreadableForm', { name: template.name }) : t('autoTrades.templates.gone')}
        </Notice>
      )}
    </Box>
  );
}

/** Whose settings these are, whose money a copy would move, and what of the original is not in it. */
function CopyNotice({ original }: { original: AutoTrade }) {
  const { t } = useTranslation();
  const money = useMoney()(original.mode);
  const filters = useCoinFilters().data;
  const lost =
    filters === undefined ? 0 : original.config.coins.coinFilterIds.filter((id) => !filters.some((each) => each.id === id)).length;
  return (
    <Box mb="4">
      <Notice tone="info" title={t('autoTrades.copy.title', { name: original.name })} live={false}>
        {t(`autoTrades.copy.money.${money}`, { wallet: original.walletName })} {t('autoTrades.copy.notCopied')}
        {lost > 0 && ` ${t('autoTrades.copy.lostFilters', { count: lost })}`}
      </Notice>
    </Box>
  );
}
