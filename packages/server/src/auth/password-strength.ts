import { passwordVerdict } from '@pilotfish/core/auth/password-rules';
import { AppError } from '@pilotfish/core/http/problem';

/** Longer passwords are judged by their beginning: the estimate's cost grows faster than their length (32: 5 ms, 64: 25 ms). */
const JUDGED_LENGTH = 32;

type Estimate = (password: string, ownFields: string[]) => number;
let estimate: Promise<Estimate> | undefined;

/** The dictionaries are large, so they are read at the first password, not at start. */
const loadEstimate = async (): Promise<Estimate> => {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  // The lists that attackers try first; the others would double the memory for the rare name or title.
  const dictionary = {
    passwords: common.dictionary['passwords-common'],
    commonWords: english.dictionary['commonWords-en'],
    firstnames: english.dictionary['firstnames-en'],
  };
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs });
  return (password, ownFields) => zxcvbn.check(password.slice(0, JUDGED_LENGTH), ownFields).score;
};

/** @throws AppError `weak-password`, pointing at `field` */
export async function requireStrongPassword(password: string, ownFields: string[], field: string): Promise<void> {
  estimate ??= loadEstimate();
  const score = (await estimate)(password, ownFields);
  const verdict = passwordVerdict(password, score, ownFields);
  if (verdict !== 'ok')
    throw new AppError('weak-password', {
      fields: [{ path: field, code: verdict === 'weak' ? 'weak_password' : 'own_field', message: '' }],
    });
}
