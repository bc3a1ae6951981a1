import { chakra, Flex, Text } from '@chakra-ui/react';
import type { AutoTrade, BotAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type ShownProblem, shownProblem } from '@pilotfish/core/http/problem';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/controls.tsx';
import { Decision, Dialog } from '../../ui/dialogs/dialog.tsx';
import { useConfirming } from '../../ui/dialogs/use-confirming.ts';
import { problemText } from '../../ui/toasts.ts';
import { Spending } from '../bot-actions.tsx';
import { BotMode } from '../bot-marks.tsx';
import { ExposureNotice } from '../exposure-notice.tsx';
import { useBotAction } from '../use-auto-trades.ts';

/** What several bots are asked at once. */
export type Bulk = 'disable' | 'enable';

/**
 * What one of them is asked: what its machine takes now. A halted bot is enabled by itself, for that acknowledges why it was,
 * and has no entries to pause: it would stay halted, and its exits would not go on.
 */
export const askedOf = ({ allowed, state }: Pick<AutoTrade, 'allowed' | 'state'>, bulk: Bulk): BotAction | undefined => {
  if (state === 'Halted') return undefined;
  return (bulk === 'disable' ? (['disable'] as const) : (['enable', 'resume'] as const)).find((action) => allowed.includes(action));
};

type Failed = { readonly bot: AutoTrade; readonly problem: ShownProblem | undefined };

/**
 * Asks several bots one after the other, each by a call of its own. It stays until all have done it, and says which have not;
 * another try asks only those.
 * @param bots as they were when the question was opened
 */
export function BulkDialog({ bulk, bots, onClose }: { bulk: Bulk | undefined; bots: readonly AutoTrade[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { run } = useBotAction();
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const { busy, close, confirm } = useConfirming(() => {
    setFailed([]);
    onClose();
  });
  const asked = bulk === undefined ? [] : bots.filter((bot) => askedOf(bot, bulk) !== undefined);
  const left = bulk === undefined ? [] : bots.filter((bot) => askedOf(bot, bulk) === undefined);
  const ask = async (of: Bulk) => {
    const wrong: Failed[] = [];
    let first: unknown;
    for (const bot of failed.length > 0 ? failed.map((each) => each.bot) : asked) {
      const action = askedOf(bot, of);
      if (action === undefined) continue;
      try {
        await run(bot, action);
      } catch (thrown) {
        first ??= thrown;
        wrong.push({ bot, problem: shownProblem(thrown) });
      }
    }
    setFailed(wrong);
    if (wrong.length > 0) throw first;
  };
  return (
    <Dialog
      open={bulk !== undefined}
      title={bulk ? t(`autoTrades.list.bulk.${bulk}.title`, { count: asked.length }) : ''}
      width={520}
      onClose={close}
      actions={
        <Decision
          confirm={failed.length > 0 ? t('ui.retry') : bulk ? t(`autoTrades.action.${bulk}`) : ''}
          disabled={busy || asked.length === 0}
          onConfirm={() => bulk && confirm(() => ask(bulk))}
          onCancel={close}
        />
      }
    >
      <Flex direction="column" gap="3" color="fg.muted">
        <Text>{bulk && t(`autoTrades.list.bulk.${bulk}.what`)}</Text>
        <Flex as="ul" direction="column" gap="2" listStyleType="none" color="fg">
          {asked.map((bot) => (
            <li key={bot.id}>
              <Flex align="center" gap="2" wrap="wrap">
                <chakra.b fontWeight="600" overflowWrap="anywhere">
                  {bot.name}
                </chakra.b>
                <BotMode mode={bot.mode} />
              </Flex>
              {bulk === 'enable' && (
                <Flex direction="column" gap="2" mt="1" fontSize="13px">
                  <Spending bot={bot} />
                  <ExposureNotice mode={bot.mode} config={bot.config} />
                </Flex>
              )}
            </li>
          ))}
        </Flex>
        {left.length > 0 && bulk && (
          <Text>{t(`autoTrades.list.bulk.${bulk}.left`, { names: left.map(({ name }) => name).join(', ') })}</Text>
        )}
        {failed.length > 0 && (
          <Notice tone="error" title={t('ui.notDone')}>
            {failed.map(({ bot, problem }) => (
              <Text key={bot.id}>
                {bot.name}: {problemText(problem ?? { code: 'internal' }, t)}
              </Text>
            ))}
          </Notice>
        )}
      </Flex>
    </Dialog>
  );
}
