import { Box, Text } from '@chakra-ui/react';
import { isTradingDenied } from '@pilotfish/core/account/claims';
import { isPermitted, type Permission } from '@pilotfish/core/account/permissions-contract';
import { type ComponentProps, type ComponentType, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton, Notice, TextLink } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { useApp } from './app-context.tsx';
import { useAccount } from './use-session.ts';

/** Loads what depends on the keys again when the server finds that they may do something else. */
export function useKeyNews(): void {
  const app = useApp();
  useEffect(
    () =>
      app.live.on('account', ({ kind }) => {
        if (kind === 'exchange-connection') app.queries.invalidate('account', 'auto-trades', 'auto-trade', 'held-positions');
      }),
    [app],
  );
}

/** True where the keys of the connected account may not trade: what trades live is then shown as disabled. */
export function useTradingDenied(): boolean {
  useKeyNews();
  const account = useAccount();
  return account !== undefined && isTradingDenied(account);
}

/** Why a control is disabled, beside it: a phone shows no tooltips. The control names it by `aria-describedby`. */
export function WhyDisabled({
  id,
  reason = 'trading-disabled',
  link: Way = TextLink,
}: {
  id: string;
  reason?: string | undefined;
  link?: ComponentType<{ to: string; children: ReactNode }>;
}) {
  const { t } = useTranslation();
  const account = useAccount();
  const byRole = reason === 'trading-disabled' && account !== undefined && !isPermitted(account, 'live-trading');
  return (
    <Text id={id} flexBasis="100%" fontSize="13px" color="secondary.fg">
      {byRole ? (
        t('errors.trading-disabled.detail_role')
      ) : (
        <>
          {t(`errors.${reason}.detail`)} <Way to="/user/exchange-connect">{t('routes.exchangeConnect')}</Way>
        </>
      )}
    </Text>
  );
}

const refusalId = (permission: Permission) => `not-permitted-${permission}`;

/** For a control that the server would refuse by the roles of the account: disabled, and described by what `NotPermitted` says. */
export function useRefusal(permission: Permission): { disabled?: true; 'aria-describedby'?: string } {
  const account = useAccount();
  return account === undefined || isPermitted(account, permission) ? {} : { disabled: true, 'aria-describedby': refusalId(permission) };
}

/** A link to a form whose end would be refused; a disabled button where it is. */
export function PermittedLink({ permission, ...props }: ComponentProps<typeof LinkButton> & { permission: Permission }) {
  const refusal = useRefusal(permission);
  const { to: _to, ...rest } = props;
  return refusal.disabled ? <Button {...rest} {...refusal} /> : <LinkButton {...props} />;
}

/** Says before anything is filled in that the roles of the account do not allow what the screen is for. */
export function NotPermitted({ permission }: { permission: Permission }) {
  const { t } = useTranslation();
  const account = useAccount();
  if (account === undefined || isPermitted(account, permission)) return null;
  return (
    <Box mb="4" id={refusalId(permission)}>
      <Notice tone="warning" title={t('errors.not-permitted.title')} live={false}>
        {t(`errors.not-permitted.detail_${permission}`)}
      </Notice>
    </Box>
  );
}
