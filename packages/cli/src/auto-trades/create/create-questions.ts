import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { applyPreset, applySettings, type BotDraft, newDraft, setField } from '@pilotfish/core/auto-trades/config/bot-draft';
import { PRESETS } from '@pilotfish/core/auto-trades/config/presets';
import { labelKey } from '@pilotfish/core/auto-trades/config/setting-fields';
import { rebuysText, settingText, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { digits, type Figure } from '@pilotfish/core/money/figure';
import { formatCurrency } from '@pilotfish/core/money/format';
import type { CoinFilter, FilterGroup, FilterOptions } from '@pilotfish/core/prices/screener-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { Translate } from '../../app/texts.ts';
import { printFilter } from '../../screen/rule-printer.ts';
import { fieldError } from '../../screen/rule-problems.ts';
import { readConditions } from '../bot-conditions.ts';
import { takeProfitLevels } from '../bot-settings.ts';

/** The questions of every new bot, in this order; some lead to others. */
export const QUESTIONS = ['preset', 'name', 'wallet', 'coins', 'maxOpen', 'size', 'trigger', 'rebuys', 'takeProfit', 'stopLoss'] as const;
export type QuestionId = (typeof QUESTIONS)[number] | 'drop' | 'lookback' | 'conditions' | 'rebuyStep' | 'stopPct';

/** What is known of the account and its exchange while a bot is made. */
export type Facts = {
  readonly wallets: readonly Wallet[];
  readonly filters: readonly CoinFilter[];
  /** The account's own, to start from as from presets. */
  readonly templates: readonly BotTemplate[];
  /** Symbols of the exchange's pairs. */
  readonly pairs: ReadonlySet<string>;
  readonly options: FilterOptions;
  readonly words: Omit<Words, 't' | 'currency'>;
};

/** What an answer makes of the draft, and what is to be asked because of it; or why it is none. */
export type Taken = { readonly draft: BotDraft; readonly ask?: readonly QuestionId[] } | { readonly refusal: string };

export type Question = {
  readonly label: string;
  /** Where in the settings the answer goes, and complaints about it come from. */
  readonly path: string;
  readonly take: (answer: string) => Taken;
  /** One of these; else a line of text. */
  readonly options?: readonly { readonly value: string; readonly label: string; readonly hint?: string | undefined }[];
  /** What Enter alone answers. */
  readonly initial?: string | undefined;
};

/** Whole numbers as the contract has them; anything else as it was typed, for the server to refuse. */
const whole = (text: string) => (/^\d{1,7}$/.test(text) ? Number(text) : (text as unknown as number));
const currencyOf = (draft: BotDraft, { wallets }: Facts) => wallets.find(({ id }) => id === draft.walletId)?.currency ?? 'USDT';

/** `BTC` of a wallet in USDT is BTCUSDT, unless the exchange has a pair of that very name. */
function symbolOf(typed: string, currency: string, pairs: ReadonlySet<string>): string {
  const symbol = typed.toUpperCase().replace(/[/\s-]/g, '');
  return !pairs.has(symbol) && pairs.has(symbol + currency) ? symbol + currency : symbol;
}

const levelsTyped = ({ levels }: BotDraft['takeProfit']): string =>
  levels.map(({ gainPct, sellPct }) => (digits(sellPct) === '100' ? digits(gainPct) : `${digits(gainPct)}:${digits(sellPct)}`)).join(',') ||
  'none';

const TRIGGERS = ['drop', 'conditions', 'immediate', 'manual'] as const;
type Trigger = BotDraft['entry']['trigger'];
const triggerOf = (kind: (typeof TRIGGERS)[number], { trigger }: BotDraft['entry']): Trigger => {
  if (trigger.kind === kind) return trigger;
  if (kind === 'conditions') return { kind, rules: { match: 'all', rules: [] } } as Trigger;
  return kind === 'drop' ? newDraft('', []).entry.trigger : { kind };
};

const coins = (draft: BotDraft, facts: Facts, t: Translate): Question => ({
  label: t('cli.bots.wizard.coins'),
  path: 'coins',
  initial: draft.coins.symbols.join(', ') || undefined,
  take: (text) => {
    const named = text.split(',').map((each) => each.trim());
    const filterOf = (name: string) => facts.filters.find((each) => each.name.toLocaleLowerCase('en') === name.toLocaleLowerCase('en'));
    const filters = filterOf(text.trim()) ? [filterOf(text.trim())] : named.map(filterOf);
    const ids = filters.flatMap((filter) => (filter ? [filter.id] : []));
    if (ids.length === filters.length) return { draft: setField(draft, 'coins', { symbols: [], coinFilterIds: ids }) };
    const symbols = named.filter((each) => each !== '').map((each) => symbolOf(each, currencyOf(draft, facts), facts.pairs));
    return { draft: setField(draft, 'coins', { symbols: [...new Set(symbols)], coinFilterIds: [] }) };
  },
});

/** Conditions in one line; undefined while there are none. */
function conditionsTyped({ trigger }: BotDraft['entry']): string | undefined {
  if (trigger.kind !== 'conditions' || trigger.rules.rules.length === 0) return undefined;
  const { rules, any } = printFilter(trigger.rules as FilterGroup);
  return rules.join(any ? ' or ' : ' and ');
}

const conditions = (draft: BotDraft, { options }: Facts, t: Translate): Question => {
  const initial = conditionsTyped(draft.entry);
  return {
    label: t('cli.bots.wizard.conditions'),
    path: 'entry.trigger',
    initial,
    take: (text) => {
      // Those of a template stay as they are.
      if (text === initial) return { draft };
      const { group, wrong } = readConditions(text, options, '');
      if (wrong.length > 0) return { refusal: wrong.map((each) => fieldError(t, each).message).join(' ') };
      return { draft: setField(draft, 'entry.trigger.rules', group) };
    },
  };
};

const size = (draft: BotDraft, facts: Facts, t: Translate): Question => {
  const { mode, value } = draft.entry.size;
  return {
    label: t('cli.bots.wizard.size', { currency: currencyOf(draft, facts) }),
    path: 'entry.size',
    initial: mode === 'fixed' ? digits(value) : `${digits(value)}%`,
    take: (text) => {
      // Turkish writes the sign before the number.
      const share = /^%\s*(.*)$|^(.*?)\s*%$/.exec(text);
      const next = share ? { mode: 'percentOfWallet', value: share[1] ?? share[2] ?? '' } : { mode: 'fixed', value: text };
      return { draft: setField(draft, 'entry.size', next) };
    },
  };
};

const rebuys = (draft: BotDraft, t: Translate): Question => ({
  label: t('cli.bots.wizard.rebuys'),
  path: 'rebuys',
  initial: String(draft.rebuys.generator?.count ?? draft.rebuys.levels.length),
  take: (text) => {
    const { generator, levels } = draft.rebuys;
    // Levels of a template or preset, each of its own: steps beside them would be refused, in their place be others.
    if (generator === null && levels.length > 0 && text === String(levels.length)) return { draft };
    const without = setField(draft, 'rebuys.levels', []);
    if (text === '0') return { draft: setField(without, 'rebuys.generator', null) };
    const steps = generator ?? { stepPct: '3', stepScale: '1', sizeScale: '1' };
    return { draft: setField(without, 'rebuys.generator', { ...steps, count: whole(text) }), ask: ['rebuyStep'] };
  },
});

const takeProfit = (draft: BotDraft, t: Translate): Question => ({
  label: t('cli.bots.wizard.takeProfit'),
  path: 'takeProfit',
  initial: levelsTyped(draft.takeProfit),
  take: (text) => {
    if (/^none$/i.test(text)) return { draft: setField(draft, 'takeProfit.levels', []) };
    try {
      return { draft: setField(draft, 'takeProfit.levels', takeProfitLevels(text)) };
    } catch {
      return { refusal: t('cli.usage.levels', { value: text }) };
    }
  },
});

const stopLoss = (draft: BotDraft, t: Translate): Question => ({
  label: t('autoTrades.form.stopLoss'),
  path: 'stopLoss',
  options: [
    { value: 'percent', label: t('cli.bots.wizard.stopPercent') },
    { value: 'none', label: t('autoTrades.form.stopMode.none') },
  ],
  initial: draft.stopLoss.mode,
  take: (mode) =>
    mode === 'none'
      ? { draft: setField(draft, 'stopLoss', { mode }) }
      : {
          draft:
            draft.stopLoss.mode === 'percent'
              ? draft
              : // How much one accepts to lose has no default on purpose.
                setField(draft, 'stopLoss', { mode: 'percent', pct: '', basis: 'avgCost', confirmSec: 0 }),
          ask: ['stopPct'],
        },
});

/** One setting that is typed as it stands in the contract. */
const field = (
  draft: BotDraft,
  path: string,
  label: string,
  value: Figure | number | undefined,
  read: (text: string) => unknown = (text) => text,
): Question => ({
  label,
  path,
  initial: (typeof value === 'number' ? String(value) : digits(value ?? '')) || undefined,
  take: (text) => ({ draft: setField(draft, path, read(text)) }),
});

/** A question as it is asked of this draft. */
export function questionOf(id: QuestionId, draft: BotDraft, facts: Facts, t: Translate): Question {
  const { trigger } = draft.entry;
  switch (id) {
    case 'preset':
      return {
        label: t('autoTrades.form.presets'),
        path: '',
        options: [
          ...facts.templates.flatMap(({ id: value, name, settings }) =>
            settings ? [{ value, label: name, hint: t('autoTrades.templates.yours') }] : [],
          ),
          ...PRESETS.map((value) => ({
            value,
            label: t(`autoTrades.preset.${value}.name`),
            hint: t(`autoTrades.preset.${value}.lead`),
          })),
          { value: 'own', label: t('cli.bots.wizard.own'), hint: t('cli.bots.wizard.ownLead') },
        ],
        take: (value) => {
          const template = facts.templates.find((each) => each.id === value);
          if (template?.settings) return { draft: applySettings(draft, template.settings) };
          const preset = PRESETS.find((each) => each === value);
          return { draft: preset ? applyPreset(draft, preset) : draft };
        },
      };
    case 'name':
      return field(draft, 'name', t('autoTrades.form.name'), draft.name);
    case 'wallet':
      return {
        label: t('autoTrades.form.wallet'),
        path: 'walletId',
        options: facts.wallets.map(({ id: value, name, mode, free, currency }) => ({
          value,
          label: `${name} · ${t(`cli.modes.${mode}`)} · ${formatCurrency(free, currency)}`,
        })),
        initial: draft.walletId,
        take: (walletId) => ({ draft: setField(draft, 'walletId', walletId) }),
      };
    case 'coins':
      return coins(draft, facts, t);
    case 'maxOpen':
      return field(draft, 'maxOpenPositions', t('autoTrades.form.maxOpen'), draft.maxOpenPositions, whole);
    case 'size':
      return size(draft, facts, t);
    case 'trigger':
      return {
        label: t('autoTrades.form.trigger'),
        path: 'entry.trigger',
        options: TRIGGERS.map((value) => ({
          value,
          label: t(`autoTrades.form.triggerKind.${value}`),
          hint: t(`autoTrades.form.triggerLead.${value}`),
        })),
        initial: trigger.kind,
        take: (value) => {
          const kind = TRIGGERS.find((each) => each === value) ?? 'drop';
          const more = { drop: ['drop', 'lookback'], conditions: ['conditions'], immediate: [], manual: [] } as const;
          return { draft: setField(draft, 'entry.trigger', triggerOf(kind, draft.entry)), ask: more[kind] };
        },
      };
    case 'drop':
      return field(draft, 'entry.trigger.dropPct', t('cli.bots.wizard.drop'), trigger.kind === 'drop' ? trigger.dropPct : '');
    case 'lookback':
      return field(
        draft,
        'entry.trigger.lookbackMin',
        t('cli.bots.wizard.lookback'),
        trigger.kind === 'drop' ? trigger.lookbackMin : '',
        whole,
      );
    case 'conditions':
      return conditions(draft, facts, t);
    case 'rebuys':
      return rebuys(draft, t);
    case 'rebuyStep':
      return field(draft, 'rebuys.generator.stepPct', t('cli.bots.wizard.rebuyStep'), draft.rebuys.generator?.stepPct);
    case 'takeProfit':
      return takeProfit(draft, t);
    case 'stopLoss':
      return stopLoss(draft, t);
    case 'stopPct':
      return field(draft, 'stopLoss.pct', t('cli.bots.wizard.stopPct'), draft.stopLoss.mode === 'percent' ? draft.stopLoss.pct : '');
  }
}

const isWithin = (path: string, place: string) => place !== '' && (path === place || path.startsWith(`${place}.`));

/** The question whose answer a complaint about this setting is about; undefined for what is not asked here. */
export const questionAbout = (path: string, draft: BotDraft, facts: Facts, t: Translate): QuestionId | undefined =>
  QUESTIONS.find((id) => isWithin(path, questionOf(id, draft, facts, t).path));

/** What the server says against the answer to a question. */
export const complaintsAbout = (question: Question, errors: readonly { path: string; message: string }[]): string | undefined =>
  errors
    .filter(({ path }) => isWithin(path, question.path))
    .map(({ message }) => message)
    .join('\n') || undefined;

/** A question with the answer it has now, for the choice of what to change. */
export function answerNow(id: QuestionId, draft: BotDraft, facts: Facts, t: Translate): string {
  const words = { ...facts.words, t, currency: currencyOf(draft, facts) };
  const said = (path: string, value: unknown) => `${t(labelKey(path) ?? '')}: ${settingText(path, value, words)}`;
  switch (id) {
    case 'name':
      return said('name', draft.name);
    case 'wallet':
      return said('walletId', draft.walletId);
    case 'coins':
      return said('coins', draft.coins);
    case 'maxOpen':
      return said('maxOpenPositions', draft.maxOpenPositions);
    case 'size':
      return said('entry.size', draft.entry.size);
    case 'trigger':
      return said('entry.trigger', draft.entry.trigger);
    case 'rebuys':
      return `${t('autoTrades.form.rebuys')}: ${rebuysText(draft.rebuys, words)}`;
    case 'takeProfit':
      return said('takeProfit.levels', draft.takeProfit.levels);
    case 'stopLoss':
      return said('stopLoss', draft.stopLoss);
    default:
      return questionOf(id, draft, facts, t).label;
  }
}
