import { digits, type Figure } from '@pilotfish/core/money/figure';
import { defaultRepeat } from '@pilotfish/core/price-alerts/alert-grammar';
import { ALERT_KINDS, type AlertKind, type AlertParameter } from '@pilotfish/core/price-alerts/alert-kinds';
import {
  type AlertQuietHours,
  type PriceAlertBody,
  type PriceAlertInput,
  priceAlertBody,
} from '@pilotfish/core/price-alerts/price-alerts-contract';

/** Until when an alert lives: the server's default, for ever, or a moment (ISO). */
export type DraftExpiry = 'default' | 'never' | { readonly at: string };

/** An alert as it is being written: every figure as typed, so that half a number is not lost. */
export type AlertDraft = {
  readonly kind: AlertKind;
  readonly symbol: string;
  readonly coinFilterId: string;
  readonly autoTradeId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly priceSource: PriceAlertBody['priceSource'];
  readonly repeat: PriceAlertBody['repeat'];
  readonly cooldownMin: number | '';
  readonly hysteresisPct: string;
  readonly channels: PriceAlertBody['channels'];
  readonly expiry: DraftExpiry;
  readonly note: string;
  readonly quietHours: AlertQuietHours | null;
  readonly snoozedUntil: string | null;
  readonly fireIfTrue: boolean;
  readonly enabled: boolean;
};

/** A broken field: the rule's code, with a text under `validation.`, and its bound. */
export type DraftError = { readonly code: string; readonly limit?: string };
export type CheckedDraft = {
  readonly input: PriceAlertInput;
  /** Undefined while something is missing or wrong. */
  readonly body: PriceAlertBody | undefined;
  /** By path in the contract, e.g. `condition.level`. */
  readonly errors: ReadonlyMap<string, DraftError>;
};

export const parametersOf = (kind: AlertKind): [string, AlertParameter][] => Object.entries<AlertParameter>(ALERT_KINDS[kind].parameters);
export const KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKind[];

export const EMPTY_DRAFT: AlertDraft = {
  kind: 'above',
  symbol: '',
  coinFilterId: '',
  autoTradeId: '',
  parameters: {},
  priceSource: 'last',
  repeat: 'once',
  cooldownMin: 60,
  hysteresisPct: '0.2',
  channels: ['app'],
  expiry: 'default',
  note: '',
  quietHours: null,
  snoozedUntil: null,
  fireIfTrue: false,
  enabled: true,
};

/** A draft of another kind: what both kinds ask for is kept, choices begin at their first. */
export function withKind(draft: AlertDraft, kind: AlertKind): AlertDraft {
  const parameters = Object.fromEntries(
    parametersOf(kind).flatMap(([name, parameter]) => {
      const held = draft.parameters[name];
      const fits = held !== undefined && held !== '' && (parameter.choices === undefined || parameter.choices.includes(held));
      if (fits) return [[name, held]];
      if (parameter.optional) return [];
      return parameter.choices ? [[name, String(parameter.default ?? parameter.choices[0])]] : [];
    }),
  );
  const usual = draft.repeat === defaultRepeat(draft.kind).repeat ? defaultRepeat(kind) : {};
  return { ...draft, kind, parameters, ...usual };
}

/** The draft that says what an alert says. What a line cannot say is taken from `before`. */
export function draftOf(body: PriceAlertBody, before: AlertDraft = EMPTY_DRAFT): AlertDraft {
  const { kind, ...parameters } = body.condition;
  const isSaid = body.quietHours !== null;
  return {
    kind,
    symbol: body.symbol ?? '',
    coinFilterId: body.coinFilterId ?? '',
    autoTradeId: body.autoTradeId ?? '',
    parameters: Object.fromEntries(
      Object.entries<Figure | number | undefined>(parameters).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : digits(value)]],
      ),
    ),
    priceSource: body.priceSource,
    repeat: body.repeat,
    cooldownMin: body.cooldownMin,
    hysteresisPct: digits(body.hysteresisPct),
    channels: body.channels,
    expiry: body.expiresAt === undefined ? 'default' : body.expiresAt === null ? 'never' : { at: body.expiresAt },
    note: body.note,
    quietHours: isSaid ? body.quietHours : before.quietHours,
    snoozedUntil: body.snoozedUntil ?? before.snoozedUntil,
    fireIfTrue: body.fireIfTrue,
    enabled: body.enabled,
  };
}

/** Which of pair, filter and bot an alert of a kind is about, and whether it must be named. */
export function subjectField(kind: AlertKind): { name: 'symbol' | 'coinFilterId' | 'autoTradeId'; required: boolean } | undefined {
  const { subject } = ALERT_KINDS[kind];
  if (subject === 'symbol' || subject === 'position') return { name: 'symbol', required: true };
  if (subject === 'coinFilter') return { name: 'coinFilterId', required: true };
  return subject === 'bot' ? { name: 'autoTradeId', required: false } : undefined;
}

/** What is sent for a draft, and what is still wrong with it. */
export function checkDraft(draft: AlertDraft): CheckedDraft {
  const errors = new Map<string, DraftError>();
  const condition: Record<string, unknown> = { kind: draft.kind };
  for (const [name, parameter] of parametersOf(draft.kind)) {
    const text = draft.parameters[name] ?? '';
    if (text !== '') condition[name] = parameter.type === 'integer' ? Number(text) : text;
    else if (!parameter.optional && parameter.default === undefined) errors.set(`condition.${name}`, { code: 'required' });
  }
  const about = subjectField(draft.kind);
  if (about?.required && draft[about.name] === '') errors.set(about.name, { code: 'required' });
  if (draft.cooldownMin === '') errors.set('cooldownMin', { code: 'required' });
  const input = {
    ...(about && draft[about.name] !== '' ? { [about.name]: draft[about.name] } : {}),
    condition,
    priceSource: draft.priceSource,
    repeat: draft.repeat,
    ...(draft.cooldownMin === '' ? {} : { cooldownMin: draft.cooldownMin }),
    hysteresisPct: draft.hysteresisPct === '' ? '0' : draft.hysteresisPct,
    channels: draft.channels,
    ...(draft.expiry === 'default' ? {} : { expiresAt: draft.expiry === 'never' ? null : draft.expiry.at }),
    note: draft.note,
    quietHours: draft.quietHours,
    snoozedUntil: draft.snoozedUntil,
    fireIfTrue: draft.fireIfTrue,
    enabled: draft.enabled,
  } as PriceAlertInput;
  const checked = priceAlertBody.safeParse(input);
  if (!checked.success)
    for (const issue of checked.error.issues) {
      const path = issue.path.join('.');
      if (!errors.has(path)) errors.set(path, errorOf(issue));
    }
  return { input, body: checked.success && errors.size === 0 ? checked.data : undefined, errors };
}

type Issue = { readonly code?: string; readonly params?: unknown; readonly minimum?: unknown; readonly maximum?: unknown };

function errorOf(issue: Issue): DraftError {
  const { code, limit } = (issue.params ?? {}) as { code?: string; limit?: string };
  if (issue.code === 'custom' && code !== undefined) return { code, ...(limit === undefined ? {} : { limit }) };
  if (issue.code === 'too_small') return { code: 'too_small', limit: String(issue.minimum) };
  if (issue.code === 'too_big') return { code: 'too_big', limit: String(issue.maximum) };
  return { code: 'invalid' };
}
