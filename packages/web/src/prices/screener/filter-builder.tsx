import { Box, Flex, Text } from '@chakra-ui/react';
import { type FilterOption, MAX_DEPTH, MAX_RULES } from '@pilotfish/core/prices/screener-contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { CompactSelect } from './compact-select.tsx';
import {
  changed,
  type DraftGroup,
  type DraftNode,
  type DraftRule,
  emptyGroup,
  mayAddGroup,
  mayAddRule,
  newRule,
  withField,
} from './filter-draft.ts';
import { OperandInput } from './operand-input.tsx';

type Shared = {
  root: DraftGroup;
  options: ReadonlyMap<string, FilterOption>;
  tag: (key: string) => string;
  /** What the server says of a rule or group, by its id. */
  errors: ReadonlyMap<string, string>;
  incomplete: ReadonlySet<string>;
  onChange: (root: DraftGroup) => void;
  /** Most rules and levels of groups; those of the screener unless said otherwise. */
  limits?: { rules: number; depth: number };
};
const SCREENER_LIMITS = { rules: MAX_RULES, depth: MAX_DEPTH };

/** Rules in groups, made from what the server offers; nothing here knows a field. */
export const FilterBuilder = (props: Shared) => <Group {...props} group={props.root} depth={1} />;

function Group({ group, depth, ...shared }: Shared & { group: DraftGroup; depth: number }) {
  const { t } = useTranslation();
  const { root, options, onChange, errors, limits = SCREENER_LIMITS } = shared;
  const isFull = !mayAddRule(root, limits.rules);
  const edit = (change: (node: DraftGroup) => DraftNode | undefined) =>
    onChange(changed(root, group.id, (node) => change(node as DraftGroup)));
  const first = [...options.values()].find(({ type }) => type === 'number');
  const error = errors.get(group.id);
  return (
    <Flex
      as="fieldset"
      direction="column"
      gap="2"
      minW="0"
      {...(depth > 1 ? { borderStartWidth: '2px', borderColor: group.negate ? 'secondary.solid' : 'brand.solid', ps: '2.5', py: '1' } : {})}
    >
      <legend className="visually-hidden">{t(depth === 1 ? 'screener.builder.rules' : 'screener.builder.group')}</legend>
      <Flex gap="2" align="center" wrap="wrap">
        <Segments
          label={t('screener.builder.match')}
          value={group.match}
          options={[
            { value: 'all', label: t('screener.builder.all') },
            { value: 'any', label: t('screener.builder.any') },
          ]}
          onChange={(match) => edit((node) => ({ ...node, match }))}
        />
        <NotToggle on={group.negate} onChange={(negate) => edit((node) => ({ ...node, negate }))} />
        {depth > 1 && <Remove label={t('screener.builder.removeGroup')} onClick={() => edit(() => undefined)} />}
      </Flex>
      {error && <RuleError>{error}</RuleError>}
      {group.nodes.map((node) =>
        node.kind === 'group' ? (
          <Group key={node.id} {...shared} group={node} depth={depth + 1} />
        ) : (
          <RuleEditor key={node.id} {...shared} rule={node} />
        ),
      )}
      <Flex gap="2" wrap="wrap">
        <Button
          type="button"
          size="xs"
          variant="outline"
          color="fg"
          disabled={isFull || !first}
          onClick={() => first && edit((node) => ({ ...node, nodes: [...node.nodes, newRule(first)] }))}
        >
          <Icon name="plus" size={14} />
          {t('screener.builder.addRule')}
        </Button>
        {mayAddGroup(depth, limits.depth) && (
          <Button
            type="button"
            size="xs"
            variant="ghost"
            color="fg.muted"
            disabled={isFull || !first}
            onClick={() =>
              first &&
              edit((node) => ({
                ...node,
                nodes: [...node.nodes, { ...emptyGroup(node.match === 'all' ? 'any' : 'all'), nodes: [newRule(first)] }],
              }))
            }
          >
            <Icon name="plus" size={14} />
            {t('screener.builder.addGroup')}
          </Button>
        )}
      </Flex>
      {depth === 1 && isFull && (
        <Text fontSize="12px" color="fg.muted">
          {t('screener.builder.full', { count: limits.rules })}
        </Text>
      )}
    </Flex>
  );
}

function RuleEditor({ rule, root, options, tag, errors, incomplete, onChange }: Shared & { rule: DraftRule }) {
  const { t } = useTranslation();
  const id = useId();
  const option = options.get(rule.key);
  const error = errors.get(rule.id);
  const edit = (change: (rule: DraftRule) => DraftNode | undefined) =>
    onChange(changed(root, rule.id, (node) => change(node as DraftRule)));
  const isHalf = incomplete.has(rule.id);
  const described = error || isHalf ? id : undefined;
  return (
    <Flex
      role="group"
      aria-label={option?.label ?? rule.key}
      direction="column"
      gap="1.5"
      p="2"
      minW="0"
      borderRadius="control"
      borderWidth="1px"
      borderStyle={isHalf ? 'dashed' : 'solid'}
      borderColor={error ? 'danger.solid' : 'border'}
      bg="bg"
    >
      <Flex gap="1.5" align="center">
        <CompactSelect
          label={t('screener.builder.field')}
          value={rule.key}
          options={[
            ...(option ? [] : [{ value: rule.key, label: rule.key }]),
            ...[...options.values()].map(({ key, label }) => ({ value: key, label })),
          ]}
          onChange={(key) => {
            const next = options.get(key);
            if (next) edit((each) => withField(each, next));
          }}
          describedBy={described}
        />
        {option?.timeframes && (
          <CompactSelect
            label={t('screener.builder.timeframe')}
            narrow
            value={rule.timeframe ?? ''}
            options={option.timeframes.map((timeframe) => ({ value: timeframe, label: timeframe }))}
            onChange={(timeframe) => edit((each) => ({ ...each, timeframe }))}
          />
        )}
        <Remove label={t('screener.builder.removeRule')} onClick={() => edit(() => undefined)} />
      </Flex>
      {option && (
        <>
          <Flex gap="1.5" align="center">
            <NotToggle on={rule.negate} onChange={(negate) => edit((each) => ({ ...each, negate }))} />
            <CompactSelect
              label={t('screener.builder.operation')}
              value={rule.operation}
              options={option.operations.map((operation) => ({
                value: operation,
                label: t(`screener.operation.${operation}`, { defaultValue: operation }),
              }))}
              onChange={(operation) => edit((each) => ({ ...each, operation }))}
            />
          </Flex>
          <OperandInput
            rule={rule}
            option={option}
            options={options}
            tag={tag}
            describedBy={described}
            onChange={(changes) => edit((each) => ({ ...each, ...changes }))}
          />
        </>
      )}
      {error ? (
        <RuleError id={id}>{error}</RuleError>
      ) : (
        isHalf && (
          <Text id={id} fontSize="12px" color="fg.muted">
            {t(option ? 'screener.builder.incomplete' : 'screener.builder.unknown')}
          </Text>
        )
      )}
    </Flex>
  );
}

const RuleError = ({ id, children }: { id?: string; children: string }) => (
  <Flex {...(id ? { id } : {})} role="alert" gap="1.5" color="danger.fg" fontSize="12px" align="flex-start">
    <Box flexShrink="0" pt="1px">
      <Icon name="warning" size={14} />
    </Box>
    {children}
  </Flex>
);

const NotToggle = ({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) => {
  const { t } = useTranslation();
  return (
    <Button
      type="button"
      size="xs"
      px="2"
      variant={on ? 'solid' : 'outline'}
      colorPalette="secondary"
      color={on ? undefined : 'fg.muted'}
      aria-pressed={on}
      title={t('screener.builder.notHint')}
      onClick={() => onChange(!on)}
    >
      {t('screener.builder.not')}
    </Button>
  );
};

const Remove = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button type="button" size="xs" px="0" variant="ghost" color="fg.muted" aria-label={label} title={label} ms="auto" onClick={onClick}>
    <Icon name="close" size={16} />
  </Button>
);
