import type { AppContext } from '../app/context.ts';
import type { WalletsStore } from './wallets-store.ts';

const DAY_MS = 86_400_000;

/** Tells once, and at most once a day, that a wallet promises more than the account holds. */
export function shortageNotices(
  { database, notifier, now, log }: Pick<AppContext, 'database' | 'notifier' | 'now' | 'log'>,
  wallets: WalletsStore,
) {
  const told = new Set<string>();
  const tell = async (accountId: string, walletId: string): Promise<void> => {
    const wallet = await wallets.find(accountId, walletId);
    if (wallet === undefined) return;
    await notifier.enqueue(database.queries, {
      accountId,
      kind: 'wallet-underfunded',
      code: 'wallet-underfunded',
      facts: { wallet: wallet.name, currency: wallet.currency },
      link: '/auto-trade',
      key: `short:${walletId}:${Math.floor(now() / DAY_MS)}`,
    });
    notifier.wake();
  };
  return (accountId: string, walletId: string, short: boolean): void => {
    if (!short) return void told.delete(walletId);
    if (told.has(walletId)) return;
    told.add(walletId);
    tell(accountId, walletId).catch((error: unknown) => log.error({ err: error }, 'a shortage could not be told'));
  };
}
