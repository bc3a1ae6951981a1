import type { TickTapeError } from '../backtest/tick-tape.ts';
import type { ComparedPosition, Comparison, Gap } from './comparison-contract.ts';

type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The parts of a gap in the order they are read, without its total. */
export const GAP_PARTS = ['entry', 'exit', 'fees', 'size', 'missed', 'rest'] as const satisfies readonly (keyof Gap)[];

/** Why a recording cannot be run, in words. `wrong` is what is missing; of a bad one `code` and `line` say the first fault. */
export function wrongWords(
  t: Translate,
  bot: string,
  problem:
    | { readonly wrong: 'noTape' | 'noPrices' }
    | { readonly wrong: 'badTape'; readonly code: TickTapeError['code']; readonly line: number },
): string {
  if (problem.wrong !== 'badTape') return t(`comparison.${problem.wrong}`, { bot });
  return t('comparison.badTape', { bot, reason: t(`comparison.tape.${problem.code}`, { line: problem.line }) });
}

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
