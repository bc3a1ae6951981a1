import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { masked } from '@pilotfish/core/fields/input-masks';
import type { Client } from '@pilotfish/core/http/client';
import type { Contract } from '@pilotfish/core/http/contract';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import { digits, isLess, isNothing } from '@pilotfish/core/money/figure';
import { formatChange, formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { useOnce } from '../platform/use-once.ts';
import { useRefusal } from '../platform/use-trading.tsx';
import type { Recalculation } from '../positions/detail/recalculation-diff.tsx';
import { usePairs } from '../prices/use-prices.ts';
import { LinkButton, Notice, Segments, TextField } from '../ui/controls.tsx';
import { DecimalField } from '../ui/fields/decimal-field.tsx';
import { fieldMoment, fieldTime } from '../ui/fields/field-time.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText, showToast } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { readCandidates, type TypedTrade } from './gap-draft.ts';
import type { Gap } from './use-migration.ts';

type Body = Omit<NonNullable<Parameters<Client<Contract>['addMigrationTrades']>[0]>['body'], 'exchange' | 'asset' | 'dryRun'>;
const WAYS = ['holding', 'trade', 'found'] as const;
type Way = (typeof WAYS)[number];
const CHANGED = [
  'migration',
  'positions-overview',
  'positions-monthly',
  'positions-open',
  'positions-closed',
  'positions-sync',
  'position',
];

/** The ways to explain a difference; each shows first what it would change. */
export function GapForms({ gap, onDone }: { gap: Gap; onDone: (diff: Recalculation | undefined) => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const found = readCandidates(gap.trades);
  const isMissing = isLess(gap.difference);
  const ways = WAYS.filter((way) => (way === 'found' ? found.length > 0 : way === 'holding' ? !isMissing : true));
  const [chosen, setChosen] = useState<Way>();
  const way = chosen ?? (found.length > 0 ? 'found' : (ways[0] ?? 'trade'));
  const [body, setBody] = useState<Body>();
  const [preview, setPreview] = useState<Gap>();
  const { busy: running, problem, run, forget: forgetProblem } = useAction();
  const once = useOnce();
  const refusal = useRefusal('trade-import');
  const forget = () => {
    setPreview(undefined);
    setBody(undefined);
    forgetProblem();
  };
  const call = { exchange: 'Binance', asset: gap.asset } as const;
  const ask = (next: Body) => {
    setBody(next);
    void run(() => client.addMigrationTrades({ body: { ...call, dryRun: true, ...next } }, { quiet: true }), {
      onDone: setPreview,
      onFailed: () => setPreview(undefined),
    });
  };
  const add = async (given: Body) => {
    await once(given, (idempotencyKey) =>
      client.addMigrationTrades({ body: { ...call, dryRun: false, ...given } }, { quiet: true, idempotencyKey }),
    );
    void showToast('success', t('gaps.added', { asset: gap.asset }));
    forget();
    // Trades may make a position whose figures are then told; units without a pair make none.
    return client.buildMigrationPosition({ body: call }, { quiet: true }).catch(() => undefined);
  };
  return (
    <Flex direction="column" gap="4">
      {isMissing && <Text color="fg.muted">{t('gaps.missingLead', { asset: gap.asset })}</Text>}
      <Flex gap="3" wrap="wrap" align="center">
        {ways.length > 1 && (
          <Segments
            label={t('gaps.ways')}
            value={way}
            options={ways.map((value) => ({ value, label: t(`gaps.way.${value}`) }))}
            onChange={(next) => {
              setChosen(next);
              forget();
            }}
          />
        )}
        <LinkButton to="/positions/import" size="sm" variant="ghost" color="brand.fg">
          {t('positions.importFile')}
        </LinkButton>
      </Flex>
      {way === 'holding' && <HoldingForm gap={gap} problem={problem} running={running} onChange={forget} onAsk={(next) => ask(next)} />}
      {way === 'trade' && <TradeForm gap={gap} problem={problem} running={running} onChange={forget} onAsk={(next) => ask(next)} />}
      {way === 'found' && <FoundForm trades={found} running={running} onChange={forget} onAsk={(next) => ask(next)} />}
      {problem && (
        <Notice tone="error">
          {problem.fields && problem.fields.length > 0 ? problem.fields.map(({ message }) => message).join(' ') : problemText(problem, t)}
        </Notice>
      )}
      {preview && (
        <Box p="4" borderWidth="1px" borderColor="brand.solid" borderRadius="control" role="status">
          <Text fontWeight="600" mb="1">
            {t('gaps.wouldBe')}
          </Text>
          <Text css={{ fontVariantNumeric: 'tabular-nums' }}>
            {t('gaps.knownChange', {
              before: formatQuantity(gap.known),
              after: formatQuantity(preview.known),
              asset: gap.asset,
            })}
          </Text>
          <Text css={{ fontVariantNumeric: 'tabular-nums' }}>
            {!isNothing(preview.difference)
              ? t('gaps.differenceChange', { before: formatChange(gap.difference), after: formatChange(preview.difference) })
              : t('gaps.differenceGone', { before: formatChange(gap.difference) })}
          </Text>
          <Flex gap="2" mt="3" wrap="wrap">
            <Button
              colorPalette="brand"
              disabled={running}
              {...refusal}
              onClick={() => void (body && run(() => add(body), { stale: CHANGED, onDone }))}
            >
              {t('gaps.add')}
            </Button>
            <Button variant="ghost" color="fg" onClick={forget}>
              {t('ui.cancel')}
            </Button>
          </Flex>
        </Box>
      )}
    </Flex>
  );
}

type FormProps = { gap: Gap; problem: ShownProblem | undefined; running: boolean; onChange: () => void; onAsk: (body: Body) => void };

function Ask({ disabled, children }: { disabled: boolean; children: ReactNode }) {
  const refusal = useRefusal('trade-import');
  return (
    <Flex>
      <Button type="submit" variant="outline" color="fg" disabled={disabled} {...refusal}>
        {children}
      </Button>
    </Flex>
  );
}

const fieldError = (problem: ShownProblem | undefined, path: RegExp) => problem?.fields?.find((field) => path.test(field.path))?.message;

/** "I hold 0.5 BTC that cost 20,000 USDT." */
function HoldingForm({ gap, problem, running, onChange, onAsk }: FormProps) {
  const { t } = useTranslation();
  const app = useApp();
  const [quantity, setQuantity] = useState(isNothing(gap.difference) ? '' : digits(gap.difference));
  const [cost, setCost] = useState('');
  const [at, setAt] = useState(() => fieldTime(app.browser.now()));
  const when = fieldMoment(at);
  return (
    <Flex
      as="form"
      direction="column"
      gap="3"
      onChange={onChange}
      onSubmit={(event) => {
        event.preventDefault();
        if (when !== undefined) onAsk({ trades: [], holding: { quantity, cost, at: when } });
      }}
    >
      <Text color="fg.muted">{t('gaps.holdingLead')}</Text>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' }} gap="3">
        <DecimalField
          label={t('gaps.hold')}
          unit={gap.asset}
          value={quantity}
          onChange={setQuantity}
          error={fieldError(problem, /holding\.quantity/)}
        />
        <DecimalField label={t('gaps.cost')} unit="USDT" value={cost} onChange={setCost} error={fieldError(problem, /holding\.cost/)} />
        <TextField
          label={t('gaps.since')}
          type="datetime-local"
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
          error={fieldError(problem, /holding\.at/)}
        />
      </Grid>
      <Ask disabled={running || cost === '' || !/[1-9]/.test(quantity) || when === undefined}>{t('gaps.show')}</Ask>
    </Flex>
  );
}

/** One trade as a person remembers it. */
function TradeForm({ gap, problem, running, onChange, onAsk }: FormProps) {
  const { t } = useTranslation();
  const app = useApp();
  const [trade, setTrade] = useState<TypedTrade>({
    symbol: `${gap.asset}USDT`,
    side: isLess(gap.difference) ? 'Sell' : 'Buy',
    price: '',
    quantity: isNothing(gap.difference) ? '' : digits(gap.difference).replace('-', ''),
    fee: '',
    at: fieldTime(app.browser.now()),
  });
  const change = (part: Partial<TypedTrade>) => {
    setTrade((held) => ({ ...held, ...part }));
    onChange();
  };
  const when = fieldMoment(trade.at);
  const error = (field: string) => fieldError(problem, new RegExp(`trades\\.0\\.${field}`));
  return (
    <Flex
      as="form"
      direction="column"
      gap="3"
      onSubmit={(event) => {
        event.preventDefault();
        const { symbol, side, price, quantity, fee } = trade;
        if (when !== undefined) onAsk({ trades: [{ symbol, side, price, quantity, at: when, ...(fee === '' ? {} : { fee }) }] });
      }}
    >
      <Grid templateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: 'repeat(3, minmax(0, 1fr))' }} gap="3">
        <TextField
          label={t('positions.pair')}
          value={trade.symbol}
          error={error('symbol')}
          autoCapitalize="characters"
          onChange={(event) => change({ symbol: masked('alphanumerics', event.currentTarget.value, 'upper') })}
        />
        <SelectField
          label={t('positions.side')}
          value={trade.side}
          options={(['Buy', 'Sell'] as const).map((side) => ({ value: side, label: t(`prices.side.${side}`) }))}
          onChange={(side) => change({ side: side === 'Sell' ? 'Sell' : 'Buy' })}
        />
        <TextField
          label={t('positions.time.name')}
          type="datetime-local"
          step={1}
          value={trade.at}
          error={error('at')}
          onChange={(event) => change({ at: event.currentTarget.value })}
        />
        <DecimalField label={t('positions.price')} value={trade.price} error={error('price')} onChange={(price) => change({ price })} />
        <DecimalField
          label={t('positions.quantity')}
          value={trade.quantity}
          error={error('quantity')}
          onChange={(quantity) => change({ quantity })}
        />
        <DecimalField label={t('gaps.fee')} value={trade.fee} error={error('fee')} onChange={(fee) => change({ fee })} />
      </Grid>
      <Ask disabled={running || !/[1-9]/.test(trade.price) || !/[1-9]/.test(trade.quantity) || trade.symbol === '' || when === undefined}>
        {t('gaps.show')}
      </Ask>
    </Flex>
  );
}

/** Trades the exchange tells of, to be confirmed. */
function FoundForm({
  trades,
  running,
  onChange,
  onAsk,
}: { trades: ReturnType<typeof readCandidates> } & Pick<FormProps, 'running' | 'onChange' | 'onAsk'>) {
  const { t } = useTranslation();
  const moment = useMoment();
  const pairs = usePairs();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const kept = trades.filter((_, index) => !left.has(index));
  return (
    <Flex
      as="form"
      direction="column"
      gap="3"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({ trades: kept });
      }}
    >
      <Text color="fg.muted">{t('gaps.foundLead', { count: trades.length })}</Text>
      <Flex as="fieldset" direction="column" maxH="280px" overflowY="auto">
        <chakra.legend className="visually-hidden">{t('gaps.way.found')}</chakra.legend>
        {trades.map((trade, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is as the server told it, equal trades included
          <chakra.label key={index} htmlFor={`found-${index}`} display="flex" gap="3" py="1.5" fontSize="13px" cursor="pointer">
            <input
              id={`found-${index}`}
              type="checkbox"
              checked={!left.has(index)}
              onChange={() => {
                const next = new Set(left);
                if (!next.delete(index)) next.add(index);
                setLeft(next);
                onChange();
              }}
              style={{ accentColor: 'var(--chakra-colors-brand-solid)' }}
            />
            <span>
              {moment(trade.at)} · {t(`prices.side.${trade.side}`)} {formatQuantity(trade.quantity)}{' '}
              <span translate="no">{trade.symbol}</span> · {formatPrice(trade.price, pairs?.get(trade.symbol)?.pricePrecision)}
            </span>
          </chakra.label>
        ))}
      </Flex>
      <Ask disabled={running || kept.length === 0}>{t('gaps.show')}</Ask>
    </Flex>
  );
}
