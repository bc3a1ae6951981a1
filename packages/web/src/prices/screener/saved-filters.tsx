import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { codeOf } from '@pilotfish/core/http/problem';
import type { CoinFilter, FilterGroup, FilterSort } from '@pilotfish/core/prices/screener-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../platform/app-context.tsx';
import { useAction, useDeed } from '../../platform/use-action.ts';
import { useOnce } from '../../platform/use-once.ts';
import { useQuery } from '../../platform/use-query.ts';
import { useSignedIn } from '../../platform/use-session.ts';
import { LinkButton, Notice, TextField, TextLink } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Dialog, FormEnd } from '../../ui/dialogs/dialog.tsx';
import { DecimalField, WholeField } from '../../ui/fields/decimal-field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { problemText } from '../../ui/toasts.ts';

/** What is saved of the table: how pairs are chosen and ordered. */
export type SavedQuestion = { filter: FilterGroup | undefined; sort: readonly FilterSort[]; quote: string };

export const useCoinFilters = (enabled: boolean) =>
  useQuery('coin-filters', (client, _: null, signal) => client.listCoinFilters(undefined, { signal, quiet: true }), null, { enabled });

type Props = {
  question: SavedQuestion;
  onLoad: (filter: CoinFilter) => void;
  defaultId: string | undefined;
  onDefault: (id: string | undefined) => void;
};

/** Coin filters of who is signed in: load, keep as the first view, delete, and save what is on screen as another. */
export function SavedFilters({ question, onLoad, defaultId, onDefault }: Props) {
  const { t } = useTranslation();
  const { client } = useApp();
  const deed = useDeed();
  const signedIn = useSignedIn();
  const { data, hasFailed, problem, retry } = useCoinFilters(signedIn);
  const [saving, setSaving] = useState(false);
  const [deleting, setDeleting] = useState<CoinFilter>();
  const remove = async ({ id, name }: CoinFilter) => {
    await deed(client.deleteCoinFilter({ params: { id } }), ['coin-filters'], t('prices.saved.deleted', { name }));
    if (defaultId === id) onDefault(undefined);
  };
  return (
    <Flex as="section" direction="column" gap="2" minW="0">
      <Flex justify="space-between" align="center" gap="2">
        <Heading as="h3" fontSize="13px" fontWeight="600" color="fg.muted">
          {t('prices.saved.title')}
        </Heading>
        {signedIn && (
          <Button size="xs" variant="outline" color="fg" onClick={() => setSaving(true)}>
            <Icon name="save" size={14} />
            {t('prices.saved.save')}
          </Button>
        )}
      </Flex>
      {!signedIn ? (
        <Text fontSize="13px" color="fg.muted">
          {t('prices.saved.guest')} <TextLink to="/auth/login">{t('auth.signIn')}</TextLink>
        </Text>
      ) : hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={2} height={28} />
      ) : data.length === 0 ? (
        <Text fontSize="13px" color="fg.muted">
          {t('prices.saved.none')}
        </Text>
      ) : (
        <Flex as="ul" direction="column" listStyleType="none">
          {data.map((filter) => {
            const isDefault = filter.id === defaultId;
            return (
              <chakra.li key={filter.id} display="flex" alignItems="center" gap="1" minW="0">
                <Button
                  size="xs"
                  variant="ghost"
                  color="fg"
                  flex="1"
                  minW="0"
                  justifyContent="flex-start"
                  title={t('prices.saved.load')}
                  onClick={() => onLoad(filter)}
                >
                  <Box as="span" truncate>
                    {filter.name}
                  </Box>
                </Button>
                <LinkButton
                  to={`/price-alerts?filter=${filter.id}`}
                  size="xs"
                  px="0"
                  variant="ghost"
                  color="fg.muted"
                  aria-label={t('prices.saved.alert', { name: filter.name })}
                  title={t('prices.saved.alert', { name: filter.name })}
                >
                  <Icon name="alerts" size={15} />
                </LinkButton>
                <Button
                  size="xs"
                  px="0"
                  variant="ghost"
                  color={isDefault ? 'secondary.fg' : 'fg.subtle'}
                  aria-pressed={isDefault}
                  aria-label={t('prices.saved.makeDefault', { name: filter.name })}
                  title={t('prices.saved.makeDefault', { name: filter.name })}
                  onClick={() => onDefault(isDefault ? undefined : filter.id)}
                >
                  <Icon name="star" size={15} filled={isDefault} />
                </Button>
                <Button
                  size="xs"
                  px="0"
                  variant="ghost"
                  color="fg.muted"
                  aria-label={t('prices.saved.delete', { name: filter.name })}
                  title={t('prices.saved.delete', { name: filter.name })}
                  onClick={() => setDeleting(filter)}
                >
                  <Icon name="trash" size={15} />
                </Button>
              </chakra.li>
            );
          })}
        </Flex>
      )}
      <SaveDialog open={saving} question={question} onClose={() => setSaving(false)} />
      <ConfirmDialog
        open={deleting !== undefined}
        title={t('prices.saved.deleteTitle')}
        confirm={t('prices.saved.deleteConfirm')}
        danger
        onConfirm={async () => deleting && remove(deleting)}
        onClose={() => setDeleting(undefined)}
      >
        {deleting && t('prices.saved.deleteLead', { name: deleting.name })}
      </ConfirmDialog>
    </Flex>
  );
}

/** A coin filter chooses for bots too, so it carries the limits that keep a bot away from thin and new coins. */
function SaveDialog({ open, question, onClose }: { open: boolean; question: SavedQuestion; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('prices.saved.save')} onClose={onClose}>
      <SaveForm question={question} onClose={onClose} />
    </Dialog>
  );
}

const FIRST = { maxCoins: 20 as number | '', minAgeDays: 30 as number | '', minQuoteVolume24h: '1000000', maxSpreadPct: '0.3' };

function SaveForm({ question, onClose }: { question: SavedQuestion; onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const [name, setName] = useState('');
  const [limits, setLimits] = useState(FIRST);
  const { busy, problem, run } = useAction();
  const once = useOnce();
  const error = (path: string) => problem?.fields?.find((field) => field.path === path)?.message;
  const named = ['name', 'maxCoins', 'minAgeDays', 'minQuoteVolume24h', 'maxSpreadPct'];
  const other = problem && !problem.fields?.some(({ path }) => named.includes(path)) && problem.code !== 'name-taken';
  const save = () => {
    const body = {
      name: name.trim(),
      quoteAsset: question.quote === '' ? 'USDT' : question.quote,
      sort: [...question.sort],
      ...(question.filter ? { conditions: question.filter } : {}),
      maxCoins: limits.maxCoins === '' ? FIRST.maxCoins || 20 : limits.maxCoins,
      minAgeDays: limits.minAgeDays === '' ? 0 : limits.minAgeDays,
      minQuoteVolume24h: limits.minQuoteVolume24h || '0',
      maxSpreadPct: limits.maxSpreadPct || '0.3',
    };
    void run(() => once(body, (idempotencyKey) => client.createCoinFilter({ body }, { quiet: true, idempotencyKey })), {
      stale: ['coin-filters'],
      said: t('prices.saved.done', { name: name.trim() }),
      onDone: onClose,
    });
  };
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '' && !busy) save();
      }}
    >
      <Text color="fg.muted" fontSize="14px">
        {t('prices.saved.lead', { quote: question.quote === '' ? 'USDT' : question.quote })}
      </Text>
      <TextField
        label={t('prices.saved.name')}
        value={name}
        maxLength={64}
        required
        autoFocus
        error={error('name') ?? (codeOf(problem) === 'name-taken' && problem ? problemText(problem, t) : undefined)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <chakra.div display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
        <WholeField
          label={t('prices.saved.maxCoins')}
          value={limits.maxCoins}
          error={error('maxCoins')}
          onChange={(maxCoins) => setLimits({ ...limits, maxCoins })}
        />
        <WholeField
          label={t('prices.saved.minAgeDays')}
          unit={t('screener.unit.days')}
          value={limits.minAgeDays}
          error={error('minAgeDays')}
          onChange={(minAgeDays) => setLimits({ ...limits, minAgeDays })}
        />
        <DecimalField
          label={t('prices.saved.minVolume')}
          unit={question.quote === '' ? 'USDT' : question.quote}
          value={limits.minQuoteVolume24h}
          error={error('minQuoteVolume24h')}
          onChange={(minQuoteVolume24h) => setLimits({ ...limits, minQuoteVolume24h })}
        />
        <DecimalField
          label={t('prices.saved.maxSpread')}
          unit="%"
          value={limits.maxSpreadPct}
          error={error('maxSpreadPct')}
          onChange={(maxSpreadPct) => setLimits({ ...limits, maxSpreadPct })}
        />
      </chakra.div>
      {problem && other && (
        <Notice tone="error" title={problem.title}>
          {problem.fields && problem.fields.length > 0 ? problem.fields.map(({ message }) => message).join(' ') : problemText(problem, t)}
        </Notice>
      )}
      <FormEnd confirm={t('prices.saved.submit')} disabled={name.trim() === '' || busy} onCancel={onClose} />
    </chakra.form>
  );
}
