import { chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { masked } from '@pilotfish/core/fields/input-masks';
import { AppError, shownProblem } from '@pilotfish/core/http/problem';
import { digits, isLess } from '@pilotfish/core/money/figure';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { HalfSwapRow } from '@pilotfish/core/trade-import/carry-over-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useOnce } from '../platform/use-once.ts';
import { useQuery } from '../platform/use-query.ts';
import { useRefusal } from '../platform/use-trading.tsx';
import { Panel, TextField } from '../ui/controls.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { DecimalField } from '../ui/fields/decimal-field.tsx';
import { fieldMoment, fieldTime } from '../ui/fields/field-time.ts';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { showToast } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { CHANGED } from './use-trade-import.ts';

/** A half that is carried over; null for a swap of which no side is known. */
type Asked = { readonly half: HalfSwapRow | null };

/** Swaps and renamings of which one side is known, and any other: their cost goes over to the new coin. */
export function CarryOverPanel() {
  const { t } = useTranslation();
  const refusal = useRefusal('trade-import');
  const query = useQuery('half-swaps', (client, _: null, signal) => client.listHalfSwaps(undefined, { signal, quiet: true }), null);
  const [asked, setAsked] = useState<Asked>();
  const { items = [], total = 0 } = query.data ?? {};
  const gone = items.filter(({ change }) => isLess(change));
  const came = items.filter(({ change }) => !isLess(change));
  const rows = (halves: readonly HalfSwapRow[]) => (
    <Flex as="ul" direction="column" listStyleType="none">
      {halves.map((half) => (
        <HalfRow key={half.id} half={half} onAsk={() => setAsked({ half })} />
      ))}
    </Flex>
  );
  return (
    <Panel>
      <Flex justify="space-between" align="baseline" gap="3" wrap="wrap" mb="1">
        <Heading as="h2" textStyle="title">
          {t('imports.carry.title')}
        </Heading>
        <Button size="sm" variant="outline" color="fg" {...refusal} onClick={() => setAsked({ half: null })}>
          {t('imports.carry.another')}
        </Button>
      </Flex>
      <Text color="fg.muted" mb="3">
        {t('imports.carry.lead')}
      </Text>
      {query.hasFailed ? (
        <ErrorPanel problem={query.problem} onRetry={query.retry} />
      ) : !query.data ? (
        <Skeleton rows={1} height={40} />
      ) : (
        <>
          {items.length === 0 && <Text color="fg.muted">{t('imports.carry.none')}</Text>}
          {rows(gone)}
          {came.length > 0 && (
            <chakra.details mt="2">
              <chakra.summary cursor="pointer" color="fg.muted">
                {t('imports.carry.cameTitle', { count: came.length })}
              </chakra.summary>
              {rows(came)}
            </chakra.details>
          )}
          {total > items.length && (
            <Text color="fg.muted" fontSize="12px">
              {t('imports.carry.more', { shown: items.length, total })}
            </Text>
          )}
        </>
      )}
      {asked && <CarryOverDialog key={asked.half?.id ?? ''} half={asked.half} onClose={() => setAsked(undefined)} />}
    </Panel>
  );
}

function HalfRow({ half, onAsk }: { half: HalfSwapRow; onAsk: () => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const refusal = useRefusal('trade-import');
  const { asset, at, change, proposal } = half;
  const isGone = isLess(change);
  const values = { asset, amount: formatQuantity(digits(change).replace('-', '')) };
  const day = moment(at, 'day');
  const other = isGone ? { asset: proposal.asset, amount: proposal.quantity } : undefined;
  return (
    <Flex as="li" justify="space-between" align="center" gap="3" py="3" borderTopWidth="1px" borderColor="border.subtle" wrap="wrap">
      <Text minW="0" flex="1 1 240px">
        {t(isGone ? 'imports.carry.went' : 'imports.carry.came', { ...values, day })}
        {other?.asset != null && other.amount !== null && (
          <Text as="span" color="fg.muted">
            {' '}
            {t('imports.carry.likely', { asset: other.asset, amount: formatQuantity(other.amount) })}
          </Text>
        )}
      </Text>
      <Button size="sm" variant="outline" color="fg" aria-label={t('imports.carry.actOf', values)} {...refusal} onClick={onAsk}>
        {t('imports.carry.act')}
      </Button>
    </Flex>
  );
}

type Path = 'fromAsset' | 'fromQuantity' | 'asset' | 'quantity' | 'at';
const PATHS: readonly Path[] = ['fromAsset', 'fromQuantity', 'asset', 'quantity', 'at'];

/** Both sides of the swap and its time; the side that is known stands fast. */
function CarryOverDialog({ half, onClose }: { half: HalfSwapRow | null; onClose: () => void }) {
  const { t } = useTranslation();
  const app = useApp();
  const once = useOnce();
  const proposal = half?.proposal;
  const [typed, setTyped] = useState(() => ({
    fromAsset: proposal?.fromAsset ?? '',
    fromQuantity: proposal?.fromQuantity == null ? '' : digits(proposal.fromQuantity),
    asset: proposal?.asset ?? '',
    quantity: proposal?.quantity == null ? '' : digits(proposal.quantity),
    at: fieldTime(proposal === undefined ? app.browser.now() : Date.parse(proposal.at)),
  }));
  const [proposedAt] = useState(typed.at);
  const [errors, setErrors] = useState<Partial<Record<Path, string>>>({});
  const isGone = half !== null && isLess(half.change);
  const change = (path: Path) => (value: string) => {
    setTyped((held) => ({ ...held, [path]: value }));
    setErrors((held) => ({ ...held, [path]: undefined }));
  };
  // The field has minutes: a time that is left as it is proposed is meant to the millisecond.
  const at = proposal !== undefined && typed.at === proposedAt ? proposal.at : fieldMoment(typed.at);
  const confirm = async () => {
    const missing = PATHS.filter((path) => (path === 'at' ? at === undefined : typed[path] === ''));
    if (missing.length > 0 || at === undefined) {
      setErrors(Object.fromEntries(missing.map((path) => [path, t('imports.carry.needed')])));
      throw new AppError('invalid');
    }
    try {
      const body = { ...typed, at };
      await once(body, (idempotencyKey) => app.busy.during(app.client.carryOver({ body }, { idempotencyKey, quiet: true })));
    } catch (thrown) {
      const fields = (shownProblem(thrown).fields ?? []).filter(({ path }) => PATHS.some((each) => each === path));
      setErrors(Object.fromEntries(fields.map(({ path, message }) => [path, message])));
      // Each stands at its field: once is enough.
      throw fields.length > 0 ? new AppError('invalid') : thrown;
    }
    const words = (amount: string, asset: string) => `${formatQuantity(amount)} ${asset}`;
    void showToast(
      'success',
      t('imports.carry.done', { from: words(typed.fromQuantity, typed.fromAsset), to: words(typed.quantity, typed.asset) }),
    );
    app.queries.invalidate(...CHANGED);
  };
  const coin = (path: 'fromAsset' | 'asset', isFixed: boolean) => (
    <TextField
      label={t(`imports.carry.${path}`)}
      value={typed[path]}
      disabled={isFixed}
      error={errors[path]}
      autoCapitalize="characters"
      onChange={(event) => change(path)(masked('alphanumerics', event.currentTarget.value, 'upper'))}
    />
  );
  const amount = (path: 'fromQuantity' | 'quantity', isFixed: boolean) => (
    <DecimalField label={t(`imports.carry.${path}`)} value={typed[path]} disabled={isFixed} error={errors[path]} onChange={change(path)} />
  );
  return (
    <ConfirmDialog open title={t('imports.carry.ask')} confirm={t('imports.carry.act')} onConfirm={confirm} onClose={onClose}>
      <Text>{t('imports.carry.what')}</Text>
      <Grid templateColumns="repeat(2, minmax(0, 1fr))" gap="3" color="fg">
        {coin('fromAsset', isGone)}
        {amount('fromQuantity', isGone)}
        {coin('asset', half !== null && !isGone)}
        {amount('quantity', half !== null && !isGone)}
      </Grid>
      <TextField
        label={t('imports.carry.at')}
        type="datetime-local"
        value={typed.at}
        error={errors.at}
        onChange={(event) => change('at')(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
