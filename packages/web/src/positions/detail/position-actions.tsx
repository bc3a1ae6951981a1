import { chakra, Flex, Text, Textarea } from '@chakra-ui/react';
import { formatPrice, formatQuantity, formatResult } from '@pilotfish/core/money/format';
import type { PositionAction } from '@pilotfish/core/positions/positions-contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/use-action.ts';
import { usePairs, useTicker } from '../../prices/use-prices.ts';
import { Field } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Decision, Dialog } from '../../ui/dialogs/dialog.tsx';
import { NotDone } from '../../ui/dialogs/not-done.tsx';
import { useConfirming } from '../../ui/dialogs/use-confirming.ts';
import { Icon } from '../../ui/icons.tsx';
import { Menu, MenuButton } from '../../ui/kit/menu.tsx';
import { Button } from '../../ui/primitives.tsx';
import { showToast } from '../../ui/toasts.ts';
import { Amount } from '../amounts.tsx';
import { closingPreview, liveFigures } from '../open/live-figures.ts';
import { type AnyPosition, usePositionChange } from '../use-positions.ts';
import { type Recalculation, RecalculationDiff } from './recalculation-diff.tsx';

type Asking = Exclude<PositionAction, 'calculate' | 'target'>;
const BUTTONS = ['close', 'reopen', 'split', 'break', 'mend', 'exclude', 'include'] as const satisfies readonly Asking[];

/** What will change. */
function whatOf(action: Exclude<Asking, 'close'>, position: AnyPosition) {
  if (action === 'reopen' && position.kind === 'closed' && position.closedBy !== 'hand') return 'positions.ask.reopen.joins';
  if (action === 'mend' && position.broken.length > 1) return 'positions.ask.mend.others';
  return `positions.ask.${action}.what` as const;
}

/** What can be done to a position; each says what it will change before it does. @param most buttons; what is more is behind dots */
export function PositionActions({ position, most }: { position: AnyPosition; most?: number }) {
  const { t } = useTranslation();
  const change = usePositionChange();
  const [asking, setAsking] = useState<Asking>();
  const [diff, setDiff] = useState<Recalculation>();
  const [note, setNote] = useState('');
  const calculating = useAction();
  const params = { id: position.id };
  const calculate = () => calculating.run(() => change((client) => client.calculatePosition({ params })), { onDone: setDiff });
  const send = (action: Exclude<Asking, 'close'>) =>
    change((client): Promise<unknown> => {
      switch (action) {
        case 'reopen':
          return client.setPositionOpen({ params });
        case 'split':
          return client.setPositionClosed({ params, body: { remainder: 'split' } });
        case 'break':
          return client.setPositionBroken({ params, body: { broken: true, ...(note.trim() ? { text: note.trim() } : {}) } });
        case 'mend':
          return client.setPositionBroken({ params, body: { broken: false } });
        case 'exclude':
        case 'include':
          return client.setPositionExcluded({ params, body: { excluded: action === 'exclude' } });
      }
    });
  const said = (action: Asking) => void showToast('success', t(`positions.done.${action}`));
  const close = () => setAsking(undefined);
  const asked = asking === 'close' ? undefined : asking;
  const offered = BUTTONS.filter((action) => position.allowed.includes(action));
  const isCalculated = position.allowed.includes('calculate');
  const room = most === undefined ? offered.length : most - (isCalculated ? 1 : 0);
  const shown = offered.length <= room ? offered : offered.slice(0, room);
  const rest = offered.slice(shown.length);
  return (
    <Flex gap="2" wrap="wrap">
      {isCalculated && (
        <Button size="sm" colorPalette="brand" disabled={calculating.busy} onClick={() => void calculate()}>
          <Icon name="refresh" size={16} />
          {t('positions.action.calculate')}
        </Button>
      )}
      {shown.map((action) => (
        <Button key={action} size="sm" variant="outline" color="fg" disabled={calculating.busy} onClick={() => setAsking(action)}>
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
                disabled={calculating.busy}
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
          onConfirm={(remainder) => change((client) => client.setPositionClosed({ params, body: { remainder } })).then(() => said('close'))}
        />
      )}
      <ConfirmDialog
        open={asked !== undefined}
        title={asked ? t(`positions.ask.${asked}.title`, { symbol: position.symbol }) : ''}
        confirm={asked ? t(`positions.action.${asked}`) : ''}
        onConfirm={async () => asked && send(asked).then(() => said(asked))}
        onClose={close}
      >
        <Text>
          {asked && t(whatOf(asked, position))}
          {(asked === 'exclude' || asked === 'include') &&
            position.realised !== null &&
            ` ${t('positions.ask.amount', { amount: formatResult(position.realised, position.quoteAsset) })}`}
        </Text>
        {asked === 'break' && (
          <Field label={t('positions.note')} hint={t('positions.noteHint')}>
            {(control) => (
              <Textarea {...control} value={note} maxLength={500} rows={3} onChange={(event) => setNote(event.currentTarget.value)} />
            )}
          </Field>
        )}
      </ConfirmDialog>
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
        <Decision
          confirm={t(problem ? 'ui.retry' : 'positions.action.close')}
          disabled={busy || (remainder === 'at-market' && live.price === null)}
          onConfirm={() => confirm(() => onConfirm(remainder))}
          onCancel={close}
        />
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
