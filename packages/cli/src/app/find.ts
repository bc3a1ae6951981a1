import { EXIT } from './exit-codes.ts';
import { LocalFailure } from './failure.ts';

type Named = { readonly id: string; readonly name: string };

const NO_SUCH = { bot: 'noSuchBot', wallet: 'noSuchWallet', filter: 'noSuchFilter', template: 'noSuchTemplate' } as const;

/**
 * The one thing meant by a name, an id or the beginning of an id.
 * @throws LocalFailure `noSuchThing` (7), or `ambiguous` (2) naming what it could be
 */
export function findByName<Thing extends Named>(kind: keyof typeof NO_SUCH, things: readonly Thing[], wanted: string): Thing {
  const exact = things.filter(({ id, name }) => name === wanted || id === wanted);
  const same = (text: string) => text.toLocaleLowerCase('en');
  const loose =
    exact.length > 0
      ? exact
      : things.filter(({ id, name }) => same(name) === same(wanted) || (wanted.length >= 4 && id.startsWith(wanted)));
  const [found, ...others] = loose;
  if (found && others.length === 0) return found;
  const names = (found ? loose : things).map(({ name }) => name).join(', ');
  throw found
    ? new LocalFailure('ambiguous', { wanted, names }, { exit: EXIT.usage })
    : new LocalFailure(NO_SUCH[kind], { wanted, names: names || '–' }, { exit: EXIT.notFound });
}
