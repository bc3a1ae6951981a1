import { Box, Flex, Text } from '@chakra-ui/react';
import { isName } from '@pilotfish/core/money/asset-name';
import { formatPrice } from '@pilotfish/core/money/format';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { NextStep } from '../app/next-step/next-step.tsx';
import { type Address, pageField, useAddress } from '../platform/use-address.ts';
import { NotPermitted, useRefusal } from '../platform/use-trading.tsx';
import { useMarket, usePairs } from '../prices/use-prices.ts';
import { Notice, Panel, Segments } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemHeadline } from '../ui/toasts.ts';
import { UnreadableItems, useUnreadable } from '../ui/unreadable-items.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { isActive } from './alert-distance.ts';
import { type AlertDraft, draftOf, EMPTY_DRAFT, withKind } from './alert-draft.ts';
import { AlertForm } from './alert-form.tsx';
import { AlertHistory } from './alert-history.tsx';
import { lineOf } from './alert-line.ts';
import { AlertLineField } from './alert-line-field.tsx';
import { AlertList } from './alert-list.tsx';
import { type EditorStart, useAlertEditor } from './use-alert-editor.ts';
import { useFiringWords, useLatestFiring, usePriceAlerts } from './use-price-alerts.ts';

const SHOWN = ['all', 'active', 'over'] as const;
const SHOW = {
  tab: z.enum(['alerts', 'history']).default('alerts'),
  show: z.enum(SHOWN).default('all'),
  pair: z.string().optional(),
  page: pageField,
};
/** What a link asks to be made, until it is saved. */
const ASKED = {
  alert: z.string().optional(),
  filter: z.string().optional(),
  bot: z.string().optional(),
  symbol: z.string().refine(isName).optional(),
};
const EXAMPLES = {
  en: ['BTC > 70k', 'eth drops 5% in 1h', 'sol rsi 14 1h < 30'],
  tr: ['BTC > 70 bin', 'eth 1s içinde %5 düşerse', 'sol rsi 14 1s < 30'],
};

/** What the address asks for: a line, a pair to begin with, or a filter or bot to be told of. */
function startOf({ alert, filter, bot, symbol }: Address<typeof ASKED>): EditorStart {
  if (alert !== undefined) return { line: alert.slice(0, 400) };
  if (filter !== undefined) return { line: '', draft: { ...withKind(EMPTY_DRAFT, 'screener'), coinFilterId: filter } };
  if (bot !== undefined) return { line: '', draft: { ...withKind(EMPTY_DRAFT, 'botEvent'), autoTradeId: bot } };
  return { line: symbol === undefined ? '' : `${symbol} ` };
}

export default function PriceAlertsPage() {
  const { t } = useTranslation();
  const [{ tab, show, pair, page }, change] = useAddress(SHOW);
  const [asked, changeAsked] = useAddress(ASKED);
  const [editing, setEditing] = useState<PriceAlert>();
  useMarket();
  const { data, hasFailed, problem, retry, isStale } = usePriceAlerts();
  const unreadable = useUnreadable('price-alert');
  const alerts = (data ?? []).filter(
    (alert) => (pair === undefined || alert.symbol === pair) && (show === 'all' || isActive(alert) === (show === 'active')),
  );
  return (
    <>
      <PageHeader title={t('routes.priceAlerts')} lead={t('alerts.page.lead')} />
      <NotPermitted permission="price-alerts" />
      <FiringNews />
      <NextStep after="alert" />
      <Flex direction="column" gap="5">
        <Create
          start={startOf(asked)}
          onSaved={() => changeAsked({ alert: undefined, symbol: undefined, filter: undefined, bot: undefined })}
        />
        <Flex gap="3" wrap="wrap" justify="space-between" align="center">
          <Segments
            label={t('alerts.page.views')}
            size="sm"
            value={tab}
            options={(['alerts', 'history'] as const).map((value) => ({ value, label: t(`alerts.page.tab.${value}`) }))}
            onChange={(next) => change({ tab: next })}
          />
          {tab === 'alerts' && (data?.length ?? 0) > 0 && (
            <Segments
              label={t('alerts.page.show')}
              value={show}
              options={SHOWN.map((value) => ({ value, label: t(`alerts.page.shown.${value}`) }))}
              onChange={(value) => change({ show: value })}
            />
          )}
        </Flex>
        {pair !== undefined && (
          <Flex gap="2" align="center">
            <Text>{t('alerts.page.onlyPair', { pair })}</Text>
            <Button size="xs" variant="outline" color="fg" onClick={() => change({ pair: undefined })}>
              <Icon name="close" size={14} />
              {t('alerts.page.allPairs')}
            </Button>
          </Flex>
        )}
        {tab === 'history' ? (
          <AlertHistory page={page} symbol={pair} onPage={(next) => change({ page: next })} />
        ) : !data ? (
          <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={5} height={56} />}</Panel>
        ) : (
          <>
            <UnreadableItems items={unreadable} />
            {isStale && <Notice tone="warning">{t('alerts.page.stale')}</Notice>}
            {alerts.length > 0 ? (
              <AlertList alerts={alerts} onEdit={setEditing} />
            ) : (
              <Panel>
                <EmptyState icon="alerts" title={t(data.length === 0 ? 'alerts.page.empty' : 'alerts.page.noneShown')}>
                  <Text>{t(data.length === 0 ? 'alerts.page.emptyLead' : 'alerts.page.noneShownLead')}</Text>
                </EmptyState>
              </Panel>
            )}
          </>
        )}
      </Flex>
      <Edit alert={editing} onClose={() => setEditing(undefined)} />
    </>
  );
}

/** A new alert, as a line; the form opens below it for whoever wants more. */
function Create({ start, onSaved }: { start: EditorStart; onSaved: () => void }) {
  const { t, i18n } = useTranslation();
  const refusal = useRefusal('price-alerts');
  const [open, setOpen] = useState(start.draft !== undefined);
  const editor = useAlertEditor(start, undefined, () => {
    setOpen(false);
    onSaved();
  });
  const examples = EXAMPLES[i18n.language === 'tr' ? 'tr' : 'en'];
  return (
    <Panel aria-label={t('alerts.page.new')}>
      <AlertLineField editor={editor} submit={t('alerts.page.create')} autoFocus={start.line !== ''} />
      <Flex gap="2" wrap="wrap" mt="3" align="center">
        <Button type="button" size="xs" variant="outline" color="fg" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'alerts.page.closeForm' : 'alerts.page.openForm')}
        </Button>
        {editor.line === '' && !open && (
          <>
            <Text fontSize="13px" color="fg.muted">
              {t('alerts.page.examples')}
            </Text>
            {examples.map((example) => (
              <Button key={example} type="button" size="xs" variant="ghost" color="brand.fg" onClick={() => editor.typeLine(example)}>
                {example}
              </Button>
            ))}
          </>
        )}
      </Flex>
      {open && (
        <Box mt="5" pt="5" borderTopWidth="1px" borderColor="border.subtle">
          <AlertForm editor={editor}>
            <Flex gap="2" justify="flex-end" wrap="wrap">
              <Button type="button" variant="ghost" color="fg" onClick={() => editor.reset()}>
                {t('alerts.page.clear')}
              </Button>
              <Button type="submit" colorPalette="brand" disabled={editor.saving} {...refusal}>
                {t('alerts.page.create')}
              </Button>
            </Flex>
          </AlertForm>
        </Box>
      )}
      {!open && editor.problem && (
        <Box mt="3">
          <Notice tone="error">
            {editor.problem.fields?.map(({ message }) => message).join(' ') || problemHeadline(editor.problem, t)}
          </Notice>
        </Box>
      )}
    </Panel>
  );
}

function Edit({ alert, onClose }: { alert: PriceAlert | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={alert !== undefined} title={t('alerts.page.editTitle')} onClose={onClose} width={820}>
      {alert && <EditForm key={alert.id} alert={alert} onClose={onClose} />}
    </Dialog>
  );
}

function EditForm({ alert, onClose }: { alert: PriceAlert; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const pairs = usePairs();
  const refusal = useRefusal('price-alerts');
  const draft: AlertDraft = { ...draftOf(alert), enabled: true };
  const editor = useAlertEditor({ line: lineOf(alert, i18n.language === 'tr' ? 'tr' : 'en'), draft }, alert, onClose);
  return (
    <Flex direction="column" gap="5">
      {pairs && <AlertLineField editor={editor} submit={t('alerts.page.save')} />}
      <AlertForm editor={editor}>
        <Text fontSize="13px" color="fg.muted">
          {t('alerts.page.editLead')}
        </Text>
        <Flex gap="2" justify="flex-end">
          <Button type="button" variant="ghost" color="fg" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" colorPalette="brand" disabled={editor.saving} {...refusal}>
            {t('alerts.page.save')}
          </Button>
        </Flex>
      </AlertForm>
    </Flex>
  );
}

/** Says aloud, and shows for a while, what fired while the screen is open. */
function FiringNews() {
  const { t } = useTranslation();
  const say = useFiringWords();
  const moment = useMoment();
  const firing = useLatestFiring();
  const pairs = usePairs();
  return (
    <div role="status">
      {firing && (
        <Box mb="4">
          <Notice tone="success" live={false} title={t('alerts.page.fired', { alert: say(firing) })}>
            {moment(firing.at)}
            {firing.price !== null && ` · ${formatPrice(firing.price, pairs?.get(firing.symbol ?? '')?.pricePrecision)}`}
            {firing.late && ` · ${t('alerts.page.late')}`}
          </Notice>
        </Box>
      )}
    </div>
  );
}
