import { Box, chakra, Text } from '@chakra-ui/react';
import { formatResult } from '@pilotfish/core/money/format';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useTranslation } from 'react-i18next';
import { useQuery } from '../platform/use-query.ts';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';

/** The newest lines of a wallet's ledger: money that came, went, was set aside or spent. */
export function WalletLedger({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { id, name, currency } = wallet;
  // Below `wallets`, so that news of bots load it again.
  const { data, hasFailed, problem, retry } = useQuery(
    `wallets:${id}`,
    (client, _: null, signal) => client.getWallet({ params: { id } }, { signal, quiet: true }),
    null,
  );
  if (hasFailed) return <ErrorPanel problem={problem} onRetry={retry} />;
  if (!data) return <Skeleton rows={4} height={20} />;
  if (data.ledger.length === 0) return <Text color="fg.muted">{t('wallets.noLines')}</Text>;
  const cell = { py: '1.5', px: '2', borderTopWidth: '1px', borderColor: 'border.subtle' } as const;
  return (
    <Box maxH="320px" overflowY="auto" tabIndex={0} role="region" aria-label={t('wallets.ledgerOf', { name })}>
      <chakra.table w="100%" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums' }}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('wallets.line.time')}</th>
            <th scope="col">{t('wallets.line.kind')}</th>
            <th scope="col">{t('wallets.line.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {data.ledger.map((line) => (
            <tr key={line.id}>
              <chakra.td {...cell} ps="0" color="fg.muted" whiteSpace="nowrap">
                {moment(line.at)}
              </chakra.td>
              <chakra.td {...cell} overflowWrap="anywhere">
                {t(`wallets.kind.${line.kind}`)}
                {line.note && (
                  <Text as="span" color="fg.muted">
                    {' '}
                    · {line.note}
                  </Text>
                )}
              </chakra.td>
              <chakra.td {...cell} pe="0" textAlign="end" whiteSpace="nowrap">
                {formatResult(line.amount, currency, 'fine')}
              </chakra.td>
            </tr>
          ))}
        </tbody>
      </chakra.table>
    </Box>
  );
}
