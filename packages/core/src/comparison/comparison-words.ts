import type { ComparedPosition, Comparison, Gap } from './comparison-contract.ts';

type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The parts of a gap in the order they are read, without its total. */
export const GAP_PARTS = ['entry', 'exit', 'fees', 'size', 'missed', 'rest'] as const satisfies readonly (keyof Gap)[];

/** Why two bots differ about a position, in words; nothing where they do not. */
export function reasonWords(t: Translate, { real, other, reasons }: ComparedPosition, bots: Pick<Comparison, 'real' | 'other'>): string {
  const exit = (reason: string | null | undefined) => (reason ? t(`exitReasons.${reason}`) : '–');
  const values = {
    // Who lacks the position, where one of them does.
    bot: (real === null ? bots.real.name : bots.other?.name) ?? '',
    real: exit(real?.exitReason),
    other: exit(other?.exitReason),
    realBuys: real?.buys ?? 0,
    otherBuys: other?.buys ?? 0,
  };
  return reasons.map((reason) => t(`comparison.reason.${reason}`, values)).join(' · ');
}
