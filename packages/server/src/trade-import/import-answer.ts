import type { ImportDraft } from '@pilotfish/core/trade-import/import-draft';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';

/** Rows shown as they would be stored. */
export const PREVIEW = 50;
/** Rows that are told one by one; the counts tell of all. */
export const PROBLEMS_TOLD = 1000;

/** `UTC`, `UTC+3`, `UTC-05:30`. */
export function zoneText(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

export function previewOf(draft: ImportDraft): ImportAnswer['preview'][number] {
  const common = { row: draft.row, at: new Date(draft.at).toISOString() };
  if (draft.kind === 'trade') {
    const { symbol, side, quantity, price, quoteQuantity, fee, feeAsset, feeUnknown } = draft;
    return {
      ...common,
      kind: 'trade',
      symbol,
      side,
      quantity,
      price,
      total: quoteQuantity,
      fee: feeUnknown ? null : fee,
      feeAsset: feeUnknown ? null : feeAsset,
    };
  }
  const nothing = { side: null, price: null, fee: null, feeAsset: null };
  if (draft.kind === 'transfer')
    return { ...common, ...nothing, kind: draft.transfer, symbol: draft.asset, quantity: draft.change, total: null };
  return {
    ...common,
    ...nothing,
    kind: draft.kind,
    symbol: `${draft.from.asset} → ${draft.to.asset}`,
    quantity: draft.to.quantity,
    total: draft.from.quantity,
  };
}
