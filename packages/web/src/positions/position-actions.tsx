import { chakra, Flex, Text, Textarea } from '@chakra-ui/react';
import { formatPrice, formatQuantity, formatResult } from '@pilotfish/core/money/format';
import type { PositionAction } from '@pilotfish/core/positions/positions-contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs, useTicker } from '../prices/use-prices.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuButton } from '../ui/kit/menu.tsx';
import { NotDone } from '../ui/not-done.tsx';
import { Button } from '../ui/primitives.tsx';
import { showToast } from '../ui/toasts.ts';
import { useConfirming } from '../ui/use-confirming.ts';
import { Amount } from './amounts.tsx';
import { closingPreview, liveFigures } from './live-figures.ts';
import { type Recalculation, RecalculationDiff } from './recalculation-diff.tsx';
import { type AnyPosition, usePositionChange } from './use-positions.ts';

type Asking = Exclude<PositionAction, 'calculate' | 'target'>;
const BUTTONS = ['close', 'reopen', 'split', 'break', 'mend', 'exclude', 'include'] as const satisfies readonly Asking[];

/** What can be done to a position; each says what it will change before it does. @param most buttons; what is more is behind dots */
export function PositionActions({ position, most }: { position: AnyPosition; most?: number }) {
  const { t } = useTranslation();
  const change = usePositionChange();
  const [asking, setAsking] = useState<Asking>();
  const [diff, setDiff] = useState<Recalculation>();
  const [running, setRunning] = useState(false);
  const [note, setNote] = useState('');
  const params = { id: position.id };
  const run = async (work: () => Promise<unknown>, done: string) => {
    setRunning(true);
    try {
      await work();
      void showToast('success', t(`positions.done.${done}`));
    } finally {
      setRunning(false);
    }
  };
  const calculate = async () => {
    setRunning(true);
    try {
      setDiff(await change((client) => client.calculatePosition({ params })));
    } catch {
      // Said by the toast.
    } finally {
      setRunning(false);
    }
  };
  const close = () => setAsking(undefined);
  const offered = BUTTONS.filter((action) => position.allowed.includes(action));
  const isCalculated = position.allowed.includes('calculate');
  const room = most === undefined ? offered.length : most - (isCalculated ? 1 : 0);
  const shown = offered.length <= room ? offered : offered.slice(0, room);
  const rest = offered.slice(shown.length);
  return (
    <Flex gap="2" wrap="wrap">
      {isCalculated && (
        <Button size="sm" colorPalette="brand" disabled={running} onClick={() => void calculate()}>
          <Icon name="refresh" size={16} />
          {t('positions.action.calculate')}
        </Button>
      )}
      {shown.map((action) => (
        <Button key={action} size="sm" variant="outline" color="fg" disabled={running} onClick={() => setAsking(action)}>
          {t(`positions.action.${action}`)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Menu
          label={t('positions.panel.moreActions')}
          size="sm"
          items={(closeMenu) =>
            rest.map((action) => (
              <MenuButton
                key={action}
                disabled={running}
                onClick={() => {
                  closeMenu();
                  setAsking(action);
                }}
              >
                {t(`positions.action.${action}`)}
              </MenuButton>
            ))
          }
        />
      )}
      {position.kind === 'open' && (
        <CloseDialog
          position={position}
          open={asking === 'close'}
          onClose={close}
          onConfirm={(remainder) => run(() => change((client) => client.setPositionClosed({ params, body: { remainder } })), 'close')}
        />
      )}
      <ConfirmDialog
        open={asking === 'reopen'}
        title={t('positions.ask.reopen.title', { symbol: position.symbol })}
        confirm={t('positions.action.reopen')}
        onConfirm={() => run(() => change((client) => client.setPositionOpen({ params })), 'reopen')}
        onClose={close}
      >
        <Text>
          {t(position.kind === 'closed' && position.closedBy !== 'hand' ? 'positions.ask.reopen.joins' : 'positions.ask.reopen.what')}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'split'}
        title={t('positions.ask.split.title', { symbol: position.symbol })}
        confirm={t('positions.action.split')}
        onConfirm={() => run(() => change((client) => client.setPositionClosed({ params, body: { remainder: 'split' } })), 'split')}
        onClose={close}
      >
        <Text>{t('positions.ask.split.what')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'break'}
        title={t('positions.ask.break.title', { symbol: position.symbol })}
        confirm={t('positions.action.break')}
        onConfirm={() =>
          run(
            () =>
              change((client) =>
                client.setPositionBroken({ params, body: { broken: true, ...(note.trim() ? { text: note.trim() } : {}) } }),
              ),
            'break',
          )
        }
        onClose={close}
      >
        <Text>{t('positions.ask.break.what')}</Text>
        <Field label={t('positions.note')} hint={t('positions.noteHint')}>
          {(control) => (
            <Textarea {...control} value={note} maxLength={500} rows={3} onChange={(event) => setNote(event.currentTarget.value)} />
          )}
        </Field>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'mend'}
        title={t('positions.ask.mend.title', { symbol: position.symbol })}
        confirm={t('positions.action.mend')}
        onConfirm={() => run(() => change((client) => client.setPositionBroken({ params, body: { broken: false } })), 'mend')}
        onClose={close}
      >
        <Text>{t(position.broken.length > 1 ? 'positions.ask.mend.others' : 'positions.ask.mend.what')}</Text>
      </ConfirmDialog>
      {(['exclude', 'include'] as const).map((action) => (
        <ConfirmDialog
          key={action}
          open={asking === action}
          title={t(`positions.ask.${action}.title`, { symbol: position.symbol })}
          confirm={t(`positions.action.${action}`)}
          onConfirm={() =>
            run(() => change((client) => client.setPositionExcluded({ params, body: { excluded: action === 'exclude' } })), action)
          }
          onClose={close}
        >
          <Text>
            {t(`positions.ask.${action}.what`)}{' '}
            {position.realised !== null && t('positions.ask.amount', { amount: formatResult(position.realised, position.quoteAsset) })}
          </Text>
        </ConfirmDialog>
      ))}
      <Dialog open={diff !== undefined} title={t('positions.calculated')} onClose={() => setDiff(undefined)}>
        {diff && <RecalculationDiff diff={diff} currency={position.quoteAsset} symbol={position.symbol} />}
      </Dialog>
    </Flex>
  );
}

/** Asks what becomes of what is still held, and shows what each answer would book. */
function CloseDialog({
  position,
  open,
  onClose,
  onConfirm,
}: {
  position: Extract<AnyPosition, { kind: 'open' }>;
  open: boolean;
  onClose: () => void;
  onConfirm: (remainder: 'at-cost' | 'at-market') => Promise<unknown>;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [remainder, setRemainder] = useState<'at-cost' | 'at-market'>('at-cost');
  const { busy, problem, close, confirm } = useConfirming(onClose);
  const live = liveFigures(position, useTicker(position.symbol)?.price);
  const pair = usePairs()?.get(position.symbol);
  const preview = closingPreview({ ...position, value: live.value });
  const reason = t('positions.unknown.noResult');
  const choices = [
    { value: 'at-cost', result: preview.atCost },
    { value: 'at-market', result: preview.atMarket },
  ] as const;
  return (
    <Dialog
      open={open}
      title={t('positions.ask.close.title', { symbol: position.symbol })}
      onClose={close}
      actions={
        <>
          <Button variant="ghost" color="fg" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button
            colorPalette="brand"
            disabled={busy || (remainder === 'at-market' && live.price === null)}
            onClick={() => confirm(() => onConfirm(remainder))}
          >
            {t(problem ? 'ui.retry' : 'positions.action.close')}
          </Button>
        </>
      }
    >
      <Flex direction="column" gap="3">
        <Text color="fg.muted">
          {t('positions.ask.close.what', { quantity: formatQuantity(position.quantity), asset: position.baseAsset })}
        </Text>
        <Flex as="fieldset" direction="column" gap="2" role="radiogroup" aria-label={t('positions.ask.close.choose')}>
          {choices.map(({ value, result }) => (
            <chakra.label
              key={value}
              htmlFor={`${id}-${value}`}
              display="flex"
              gap="3"
              p="3"
              borderWidth="1px"
              borderColor={remainder === value ? 'brand.solid' : 'border'}
              borderRadius="control"
              cursor="pointer"
            >
              <input
                id={`${id}-${value}`}
                type="radio"
                name={id}
                checked={remainder === value}
                onChange={() => setRemainder(value)}
                style={{ accentColor: 'var(--chakra-colors-brand-solid)', marginTop: 3 }}
              />
              <span>
                <Text as="span" display="block" fontWeight="600">
                  {t(`positions.ask.close.${value}`)}
                </Text>
                <Text as="span" display="block" color="fg.muted" fontSize="13px">
                  {t(`positions.ask.close.${value}What`, {
                    price: live.price === null ? '–' : formatPrice(live.price, pair?.pricePrecision),
                  })}
                </Text>
                <Text as="span" display="block" fontSize="13px" mt="1">
                  {t('positions.ask.close.books')}{' '}
                  <b>
                    <Amount value={result} currency={position.quoteAsset} signed reason={reason} />
                  </b>
                </Text>
              </span>
            </chakra.label>
          ))}
        </Flex>
        <NotDone problem={problem} />
      </Flex>
    </Dialog>
  );
}
