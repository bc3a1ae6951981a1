import type { ShownProblem } from '@pilotfish/core/http/problem';
import {
  type FieldType,
  type FilterFieldRef,
  type FilterGroup,
  type FilterOperation,
  type FilterOption,
  type FilterRule,
  MAX_DEPTH,
  MAX_RULES,
} from '@pilotfish/core/prices/screener-contract';

/** A rule as it is being written: every kind of value has its own field, so that changing one's mind loses nothing. */
export type DraftRule = {
  kind: 'rule';
  id: string;
  key: string;
  timeframe: string | undefined;
  operation: string;
  negate: boolean;
  /** Numbers, texts and times as typed; `to` is the other end of a range. */
  value: string;
  to: string;
  words: readonly string[];
  flag: boolean;
  /** Compared with another field instead of a value. */
  of: FilterFieldRef | undefined;
};
export type DraftGroup = { kind: 'group'; id: string; match: 'all' | 'any'; negate: boolean; nodes: readonly DraftNode[] };
export type DraftNode = DraftRule | DraftGroup;

/** What a rule is given to compare with. */
export type Operand = 'none' | 'number' | 'count' | 'range' | 'percentOver' | 'words' | 'yesNo' | 'time' | 'timeRange' | 'text';
const OPERANDS: Partial<Record<FilterOperation, Operand>> = {
  isNull: 'none',
  between: 'range',
  notBetween: 'range',
  topN: 'count',
  bottomN: 'count',
  abovePct: 'percentOver',
};
const OF_TYPE: Record<FieldType, Operand> = { number: 'number', enum: 'words', tags: 'words', bool: 'yesNo', time: 'time', text: 'text' };
export function operandOf(type: FieldType, operation: string): Operand {
  const special = OPERANDS[operation as FilterOperation];
  if (special === 'range' && type === 'time') return 'timeRange';
  return special ?? OF_TYPE[type];
}

let made = 0;
/** Ids live as long as the page: they tie inputs and errors to rules that move. */
const newId = (): string => `rule-${++made}`;

export const emptyGroup = (match: 'all' | 'any' = 'all'): DraftGroup => ({ kind: 'group', id: newId(), match, negate: false, nodes: [] });

/** A rule on a field, begun with the field's own example. */
export function newRule(option: FilterOption): DraftRule {
  const [operation = '', ...rest] = (option.example ?? '').split(' ');
  const known = option.operations.includes(operation);
  const blank: DraftRule = {
    kind: 'rule',
    id: newId(),
    key: option.key,
    timeframe: option.timeframes?.includes('1h') ? '1h' : option.timeframes?.[0],
    operation: known ? operation : (option.operations[0] ?? ''),
    negate: false,
    value: '',
    to: '',
    words: [],
    flag: true,
    of: undefined,
  };
  return known ? { ...blank, ...exampleValue(operandOf(option.type, operation), rest.join(' ')) } : blank;
}

function exampleValue(operand: Operand, text: string): Partial<DraftRule> {
  const [from = '', to = ''] = text.split(',');
  switch (operand) {
    case 'range':
    case 'timeRange':
      return { value: from, to };
    case 'words':
      return { words: text.split(',').filter(Boolean) };
    case 'yesNo':
      return { flag: text !== 'false' };
    default:
      return { value: text };
  }
}

/** The rule asked about another field, keeping what still makes sense. */
export function withField(rule: DraftRule, option: FilterOption): DraftRule {
  const fresh = newRule(option);
  return {
    ...fresh,
    id: rule.id,
    negate: rule.negate,
    timeframe: rule.timeframe !== undefined && option.timeframes?.includes(rule.timeframe) ? rule.timeframe : fresh.timeframe,
  };
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);
const isTime = (text: string): boolean => text !== '' && !Number.isNaN(Date.parse(text));

/** The rule as the server is asked; undefined while something is missing, for it then asks nothing yet. */
export function toRule(draft: DraftRule, options: ReadonlyMap<string, FilterOption>): FilterRule | undefined {
  const option = options.get(draft.key);
  if (!option?.operations.includes(draft.operation)) return undefined;
  const rule: FilterRule = {
    key: draft.key,
    operation: draft.operation,
    ...(draft.timeframe === undefined ? {} : { timeframe: draft.timeframe }),
    ...(draft.negate ? { negate: true } : {}),
  };
  switch (operandOf(option.type, draft.operation)) {
    case 'none':
      return rule;
    case 'number':
      if (draft.of) return { ...rule, of: draft.of };
      return isNumber(draft.value) ? { ...rule, value: Number(draft.value) } : undefined;
    case 'count':
      return /^[1-9]\d*$/.test(draft.value) ? { ...rule, value: Number(draft.value) } : undefined;
    case 'range':
      return isNumber(draft.value) && isNumber(draft.to) ? { ...rule, value: [Number(draft.value), Number(draft.to)] } : undefined;
    case 'percentOver':
      return draft.of && isNumber(draft.value) ? { ...rule, value: Number(draft.value), of: draft.of } : undefined;
    case 'words':
      return draft.words.length > 0 ? { ...rule, value: [...draft.words] } : undefined;
    case 'yesNo':
      return { ...rule, value: draft.flag };
    case 'time':
      return isTime(draft.value) ? { ...rule, value: isoOf(draft.value) } : undefined;
    case 'timeRange':
      return isTime(draft.value) && isTime(draft.to) ? { ...rule, value: [isoOf(draft.value), isoOf(draft.to)] } : undefined;
    case 'text':
      return draft.value.trim() === '' ? undefined : { ...rule, value: draft.value.trim() };
  }
}
const isoOf = (text: string): string => new Date(text).toISOString();

/**
 * The draft as the server is asked, and which rule stands at which path (`rules.0.rules.1`): half-written rules and
 * groups without rules are left out, so paths of the answer are not those of the screen.
 */
export function toFilter(
  root: DraftGroup,
  options: ReadonlyMap<string, FilterOption>,
): { filter: FilterGroup | undefined; ids: ReadonlyMap<string, string>; incomplete: ReadonlySet<string> } {
  const ids = new Map<string, string>();
  const incomplete = new Set<string>();
  const walk = (group: DraftGroup, path: string): FilterGroup => {
    const rules: (FilterRule | FilterGroup)[] = [];
    for (const node of group.nodes) {
      const here = `${path}rules.${rules.length}`;
      if (node.kind === 'rule') {
        const rule = toRule(node, options);
        if (rule) {
          rules.push(rule);
          ids.set(here, node.id);
        } else incomplete.add(node.id);
      } else {
        const inner = walk(node, `${here}.`);
        if (inner.rules.length > 0) {
          rules.push(inner);
          ids.set(here, node.id);
        }
      }
    }
    return { match: group.match, rules, ...(group.negate ? { negate: true } : {}) };
  };
  const filter = walk(root, '');
  return { filter: filter.rules.length > 0 ? filter : undefined, ids, incomplete };
}

/** A filter of an address or a saved one, to go on writing. */
export function fromFilter(filter: FilterGroup | undefined, options: ReadonlyMap<string, FilterOption>): DraftGroup {
  if (!filter) return emptyGroup();
  const rule = (each: FilterRule): DraftRule => {
    const values = Array.isArray(each.value) ? each.value : [each.value];
    const operand = operandOf(options.get(each.key)?.type ?? 'text', each.operation);
    const text = (index: number) => (values[index] === undefined ? '' : String(values[index]));
    return {
      kind: 'rule',
      id: newId(),
      key: each.key,
      timeframe: each.timeframe,
      operation: each.operation,
      negate: each.negate ?? false,
      value: operand === 'words' || operand === 'yesNo' ? '' : text(0),
      to: operand === 'range' || operand === 'timeRange' ? text(1) : '',
      words: operand === 'words' ? values.map(String) : [],
      flag: each.value !== false,
      of: each.of,
    };
  };
  const group = (each: FilterGroup): DraftGroup => ({
    kind: 'group',
    id: newId(),
    match: each.match,
    negate: each.negate ?? false,
    nodes: each.rules.map((node) => ('rules' in node ? group(node) : rule(node))),
  });
  return group(filter);
}

/** The tree with one node replaced by what `change` makes of it; undefined takes it out. */
export function changed(root: DraftGroup, id: string, change: (node: DraftNode) => DraftNode | undefined): DraftGroup {
  const walk = (group: DraftGroup): DraftGroup => ({
    ...group,
    nodes: group.nodes.flatMap((node) => {
      const next = node.id === id ? change(node) : node;
      if (!next) return [];
      return next.kind === 'group' && node.id !== id ? [walk(next)] : [next];
    }),
  });
  return root.id === id ? ((change(root) as DraftGroup | undefined) ?? emptyGroup()) : walk(root);
}

export const countRules = (group: DraftGroup): number =>
  group.nodes.reduce((sum, node) => sum + (node.kind === 'rule' ? 1 : countRules(node)), 0);
export const mayAddRule = (root: DraftGroup, most = MAX_RULES): boolean => countRules(root) < most;
export const mayAddGroup = (depth: number, most = MAX_DEPTH): boolean => depth < most;

/** Which node an error of the server is about: the longest known path it begins with. */
export function nodeOfError(path: string, ids: ReadonlyMap<string, string>): string | undefined {
  const parts = path.replace(/^(filter|conditions)\./, '').split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const id = ids.get(parts.slice(0, length).join('.'));
    if (id !== undefined) return id;
  }
  return undefined;
}

/** What the server refused, by the node it is about, and what is about none of them (the order, the columns). */
export function errorsByNode(
  problem: ShownProblem | undefined,
  ids: ReadonlyMap<string, string>,
): { errors: ReadonlyMap<string, string>; elsewhere: readonly string[] } {
  const errors = new Map<string, string>();
  const elsewhere: string[] = [];
  for (const { path, message } of problem?.code === 'invalid' ? (problem.fields ?? []) : []) {
    const id = nodeOfError(path, ids);
    if (id === undefined) elsewhere.push(message);
    else errors.set(id, [errors.get(id), message].filter(Boolean).join(' '));
  }
  return { errors, elsewhere };
}
