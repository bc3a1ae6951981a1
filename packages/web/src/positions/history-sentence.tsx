import { shareOfHistory } from '@pilotfish/core/overview/first-days';
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../platform/use-session.ts';
import { TextLink } from '../ui/controls.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { useSync } from './use-positions.ts';

const PAGE = '/positions/migration';
/** More assets than that are counted, not named. */
const MOST_NAMES = 3;

type Words = {
  /** What is said and asks for nothing. */
  readonly text: string;
  /** What needs the reader: a link to where it is put right. */
  readonly needed: string | undefined;
};

/** The state of the trade history in one or two sentences. @param moment writes a time as the reader does */
export function historyWords(sync: SyncStatus, t: TFunction, language: string, moment: (at: string) => string): Words {
  const { state, finishedAt, comparedAt, etaSeconds, differences, unread = [] } = sync;
  if (state === 'running') {
    const left = etaSeconds === null ? '' : ` ${t('positions.history.left', { time: formatDuration(etaSeconds * 1000, language, 1) })}`;
    return { text: t('positions.history.running', { share: shareOfHistory(sync) }) + left, needed: undefined };
  }
  if (state === 'failed') return { text: '', needed: t('positions.history.failed') };
  if (state === 'never' || finishedAt === null) return { text: '', needed: t('positions.history.never') };
  const text = [t('positions.history.upTo', { time: moment(finishedAt) })];
  const needed: string[] = [];
  if (comparedAt === null) text.push(t('positions.history.notCompared'));
  else if (differences.length === 0) text.push(t('positions.history.explained'));
  else if (differences.length > MOST_NAMES) needed.push(t('positions.history.several', { count: differences.length }));
  else {
    const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(differences.map(({ asset }) => asset));
    needed.push(t('positions.history.allBut', { names }));
  }
  if (unread.length > 0) needed.push(t('positions.history.unread', { count: unread.length }));
  return { text: text.join(' '), needed: needed.length > 0 ? needed.join(' ') : undefined };
}

/** How far the trade history is read and whether it explains the balances: nothing until that is known. */
export function HistorySentence() {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const account = useAccount();
  const sync = useSync();
  if (account?.exchanges.length === 0 || (sync.hasFailed && sync.problem?.code === 'not-connected'))
    return <>{t('positions.history.notConnected')}</>;
  const words: Words | undefined = sync.data
    ? historyWords(sync.data, t, i18n.language, moment)
    : sync.hasFailed
      ? { text: '', needed: t('positions.history.unknown') }
      : undefined;
  if (words === undefined) return null;
  return (
    <>
      {words.text}
      {words.text !== '' && words.needed !== undefined && ' '}
      {words.needed !== undefined && (
        <TextLink to={PAGE} color="inherit">
          {words.needed}
        </TextLink>
      )}
    </>
  );
}
