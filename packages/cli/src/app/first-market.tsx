import { type MarketChoice, marketChoiceContract, marketTroubleText } from '@pilotfish/core/admin/market-choice-contract';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { ChoiceQuestion } from '../ui/choice-question.tsx';
import { ask, confirm } from '../ui/prompt.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { hanging } from '../ui/wrap.ts';
import type { Context } from './context.ts';
import { changeMarket } from './market-change.ts';

type Way = 'simulated' | 'binance' | 'key' | 'later';

/** The choice, where this account may make it and nobody has; undefined else. Nothing that goes wrong here ends a sign-in. */
async function openChoice(context: Context): Promise<MarketChoice | undefined> {
  const client = await context.client(marketChoiceContract);
  const choice = await client.getMarketChoice(undefined, { quiet: true }).catch(() => undefined);
  return choice?.decidedBy === 'default' ? choice : undefined;
}

/** One line for an Admin who signs in while the question of the first run is open. */
export async function hintAtMarket(context: Context): Promise<void> {
  const choice = await openChoice(context);
  if (!choice) return;
  const t = await context.texts();
  await context.say('cli.market.hint', { market: t(`exchange.${choice.market}.name`) });
}

/** The question of the first run, for the first Admin at a terminal: what the server works with. It can be left open. */
export async function askFirstMarket(context: Context): Promise<void> {
  if (!(await openChoice(context))) return;
  const t = await context.texts();
  context.stderr.write(`\n${hanging('', t('marketChoice.lead'), widthOf(context))}\n`);
  const way = await ask<Way>(context, ({ answer }) => (
    <ChoiceQuestion<Way>
      label={t('marketChoice.question')}
      options={[
        ...(['simulated', 'binance', 'key'] as const).map((value) => ({
          value,
          label: t(`marketChoice.options.${value}.title`),
          hint: t(`marketChoice.options.${value}.text`),
        })),
        { value: 'later', label: t('cli.market.later'), hint: t('cli.market.laterHint') },
      ]}
      onAnswer={answer}
      onCancel={() => answer('later')}
    />
  ));
  if (way === 'later') return context.say('cli.market.laterHint');
  const choice = await take(context, way === 'key' ? 'binance' : way);
  if (way !== 'key') return;
  if (choice.market === 'binance' && choice.reachable && (await confirm(context, 'cli.market.connectNow'))) {
    const { connect } = await import('../exchange-connection/exchange.ts');
    return connect(context, {});
  }
  await context.say('cli.market.connectLater');
}

/** Works with the market. Where its prices do not come, that is said and the person decides: nothing falls back by itself. */
async function take(context: Context, market: MarketSource): Promise<MarketChoice> {
  const t = await context.texts();
  const choice = await changeMarket(context, market, { isAgreed: true });
  const values = { market: t(`exchange.${choice.market}.name`) };
  if (choice.reachable || market === 'simulated') {
    await context.say('cli.market.chosen', values);
    return choice;
  }
  const isBack = await ask<boolean>(context, ({ answer }) => (
    <ChoiceQuestion<boolean>
      label={`${t(marketTroubleText(choice.trouble))} ${t('cli.market.noPrices', values)}`}
      options={[
        { value: true, label: t('marketChoice.options.simulated.title'), hint: t('marketChoice.options.simulated.text') },
        { value: false, label: t('cli.market.stay', values), hint: t('cli.market.stayHint') },
      ]}
      onAnswer={answer}
      onCancel={() => answer(false)}
    />
  ));
  if (isBack) return take(context, 'simulated');
  await context.say('cli.market.stays', values);
  return choice;
}
