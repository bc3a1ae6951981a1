import { UNKNOWN } from '@pilotfish/core/money/format';

/** A dash that says why it is one, to the eye that hovers and to the ear. */
export const Unknown = ({ reason }: { reason: string }) => (
  <span title={reason}>
    <span aria-hidden="true">{UNKNOWN}</span>
    <span className="visually-hidden">{reason}</span>
  </span>
);
