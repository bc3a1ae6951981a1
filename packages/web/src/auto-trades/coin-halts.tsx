import { chakra, Flex, Heading, Text } from '@chakra-ui/react';
import type { CoinHalt } from '@pilotfish/core/auto-trades/auto-trade-actions-contract';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoinPicker } from '../coin-filters/coin-picker.tsx';
import { Panel, Segments, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { NotDone } from '../ui/dialogs/not-done.tsx';
import { said, useConfirming } from '../ui/dialogs/use-confirming.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { TimeLeft } from './time-left.tsx';
import { useBotChange, useCoinHalts } from './use-auto-trades.ts';

const HOURS = ['1', '24', '168'] as const;

/** Halts of single coins in force, with the time left, and a way to lift each. Nothing is drawn while there are none. */
export function CoinHalts({ bots }: { bots: readonly Pick<AutoTrade, 'id' | 'name'>[] }) {
  const { t } = useTranslation();
  const { data } = useCoinHalts();
  if (!data || data.length === 0) return null;
  return (
    // One line above the bots: a halt of a coin is worth knowing, and no reason to push them down.
    <Panel mb="3" px={{ base: '3.5', md: '4' }} py="1.5">
      <Flex columnGap="5" rowGap="0" align={{ md: 'center' }} direction={{ base: 'column', md: 'row' }}>
        <Heading as="h2" fontSize="13px" lineHeight="18px" fontWeight="620" flexShrink="0" pt={{ base: '1', md: '0' }}>
          {t('autoTrades.coinHalt.title')}
        </Heading>
        <Flex as="ul" direction={{ base: 'column', md: 'row' }} wrap="wrap" columnGap="5" fontSize="13px" listStyleType="none">
          {data.map((halt) => (
            <HaltRow key={halt.id} halt={halt} of={bots.find(({ id }) => id === halt.autoTradeId)?.name} />
          ))}
        </Flex>
      </Flex>
    </Panel>
  );
}

function HaltRow({ halt, of }: { halt: CoinHalt; of: string | undefined }) {
  const { t } = useTranslation();
  const { change, running } = useBotChange();
  return (
    <chakra.li display="flex" gap="3" alignItems="center" justifyContent="space-between" minW="0" minH="9">
      <Text minW="0" overflowWrap="anywhere">
        <Text as="span" fontWeight="600" lang="en" translate="no">
          {halt.symbol}
        </Text>{' '}
        · {of ?? t('autoTrades.coinHalt.all')} · <TimeLeft until={halt.until} />
        {halt.reason && (
          <Text as="span" color="fg.muted">
            {' '}
            · {halt.reason}
          </Text>
        )}
      </Text>
      <Button
        size="xs"
        variant="outline"
        color="fg"
        disabled={running}
        aria-label={t('autoTrades.coinHalt.liftOf', { symbol: halt.symbol })}
        onClick={() =>
          said(
            change((client) => client.liftCoinHalt({ params: { id: halt.id } }), t('autoTrades.coinHalt.lifted', { symbol: halt.symbol })),
          )
        }
      >
        {t('autoTrades.coinHalt.lift')}
      </Button>
    </chakra.li>
  );
}

/** Keeps bots from entering a coin for a while. Exits of what is held go on. */
export function CoinHaltDialog({
  open,
  bot,
  symbol,
  onClose,
}: {
  open: boolean;
  /** Offered as the scope beside all bots. */
  bot?: Pick<AutoTrade, 'id' | 'name'>;
  /** Undefined: the coin is chosen here. */
  symbol?: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={symbol ? t('autoTrades.coinHalt.haltOf', { symbol }) : t('autoTrades.coinHalt.halt')} onClose={onClose}>
      <HaltForm onClose={onClose} {...(bot ? { bot } : {})} {...(symbol ? { symbol } : {})} />
    </Dialog>
  );
}

function HaltForm({ bot, symbol, onClose }: { bot?: Pick<AutoTrade, 'id' | 'name'>; symbol?: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { change } = useBotChange();
  const { busy, problem, confirm } = useConfirming(onClose);
  const [fields, setFields] = useState({ coin: symbol, hours: '24' as (typeof HOURS)[number], scope: bot ? 'bot' : 'all', reason: '' });
  const halt = async () => {
    if (!fields.coin) return;
    const body = {
      scope: 'coin' as const,
      symbol: fields.coin,
      hours: Number(fields.hours),
      reason: fields.reason.trim(),
      ...(bot && fields.scope === 'bot' ? { autoTradeId: bot.id } : {}),
    };
    await change((client) => client.haltAutoTrades({ body }), t('autoTrades.coinHalt.done', { symbol: fields.coin }));
  };
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm(halt);
      }}
    >
      <Text color="fg.muted">{t('autoTrades.coinHalt.lead')}</Text>
      {!symbol && (
        <CoinPicker
          label={t('autoTrades.ladder.coin')}
          quote="USDT"
          symbols={fields.coin ? [fields.coin] : []}
          onChange={(symbols) => setFields({ ...fields, coin: symbols.at(-1) })}
        />
      )}
      {bot && (
        <SelectField
          label={t('autoTrades.coinHalt.scope')}
          value={fields.scope}
          onChange={(scope) => setFields({ ...fields, scope })}
          options={[
            { value: 'bot', label: t('autoTrades.coinHalt.only', { name: bot.name }) },
            { value: 'all', label: t('autoTrades.coinHalt.all') },
          ]}
        />
      )}
      <Segments
        label={t('autoTrades.coinHalt.howLong')}
        size="sm"
        value={fields.hours}
        options={HOURS.map((value) => ({ value, label: t(`autoTrades.coinHalt.hours.${value}`) }))}
        onChange={(hours) => setFields({ ...fields, hours })}
      />
      <TextField
        label={t('autoTrades.haltAll.reason')}
        value={fields.reason}
        maxLength={200}
        onChange={(event) => setFields({ ...fields, reason: event.currentTarget.value })}
      />
      <NotDone problem={problem} />
      <Flex justify="flex-end">
        <Button type="submit" colorPalette="danger" disabled={busy || !fields.coin}>
          {t(problem ? 'ui.retry' : 'autoTrades.coinHalt.halt')}
        </Button>
      </Flex>
    </chakra.form>
  );
}

/** Coins this bot does not enter for a while: by its protections and cooldowns, or by its owner. */
export function CoinPauses({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const rows = [
    ...bot.coinHalts.map((halt) => ({ ...halt, why: halt.reason || t('botReasons.halt'), halted: true })),
    ...bot.coinPauses.map(({ symbol, until, reason, detail }) => {
      const why = t(`botReasons.${reason}`, { detail, defaultValue: reason });
      return { symbol, until, why, halted: false };
    }),
  ];
  if (rows.length === 0) return null;
  return (
    <Panel>
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="2">
        {t('autoTrades.coinHalt.paused')}
      </Heading>
      <Flex as="ul" listStyleType="none" gap="2" wrap="wrap">
        {rows.map(({ symbol, until, why, halted }) => (
          <chakra.li
            key={`${symbol}${why}${until}`}
            px="3"
            py="1.5"
            borderRadius="control"
            bg={halted ? 'danger.muted' : 'bg.raised'}
            fontSize="13px"
            overflowWrap="anywhere"
          >
            <Text as="span" fontWeight="600" lang="en" translate="no">
              {symbol}
            </Text>{' '}
            · {why} · <TimeLeft until={until} />
          </chakra.li>
        ))}
      </Flex>
    </Panel>
  );
}
