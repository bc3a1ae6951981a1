import { NOTHING_SAID, type PositionContext, type PositionEvent } from '../src/positions/position-machine.ts';

export const closing = { at: 5000, remainder: 'at-cost', price: '0' } as const;

/** What can happen to a position of its owner, with the payloads that make a difference. */
export const positionCases: Record<PositionEvent['type'], readonly object[]> = {
  'position.soldOut': [{ at: 4000 }],
  'position.bought': [{}],
  'target.set': [{ price: '120' }],
  'target.cleared': [{}],
  'position.closed': [{ closing }],
  'position.reopened': [{}],
  'reopening.undone': [{}],
  'position.marked': [{ text: 'odd' }],
  'mark.reworded': [{ text: 'very odd' }],
  'position.mended': [{}],
  'position.excluded': [{}],
  'position.included': [{}],
  'calculation.started': [{}],
  'calculation.ended': [{}],
};

export const openPosition: PositionContext = {
  closedAt: null,
  closedBy: null,
  holds: true,
  laterOpen: false,
  reasons: [],
  calculating: false,
  word: NOTHING_SAID,
};

export const positionIdentity = ({ word, holds }: PositionContext) => [
  holds,
  word.targetPrice,
  word.closing !== null,
  word.reopenedUntil,
  word.excluded,
  word.brokenText !== null,
];
