import { hasRole } from '@pilotfish/core/account/claims';
import { useSelector } from '@xstate/react';
import { useApp } from './app-context.tsx';

export const useSignedIn = (): boolean => useSelector(useApp().session, (snapshot) => snapshot.matches('active'));

/** Who is signed in; undefined for guests and while it loads. */
export function useAccount() {
  const app = useApp();
  const account = useSelector(app.account, (snapshot) => snapshot.context.data);
  return useSignedIn() ? account : undefined;
}
export const useIsAdmin = (): boolean => {
  const account = useAccount();
  return account !== undefined && hasRole(account, 'Admin');
};
export const useConfig = () => useSelector(useApp().config, (snapshot) => snapshot.context.data);
