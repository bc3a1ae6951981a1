import type { TelegramLink } from '@pilotfish/core/telegram-connection/telegram-link-machine';
import type { Translate } from '../app/texts.ts';

/** The bot answers with a link; its code alone is enough. */
export const codeIn = (text: string): string => /[?&]code=([^&\s]+)/.exec(text)?.[1] ?? text.trim();

/** Why no chat can be linked now. */
export const whyUnavailable = (t: Translate, link: TelegramLink | undefined): string => {
  const about = `telegramConnect.none.${link?.reason ?? 'unreachable'}`;
  return `${t(`${about}.title`)}. ${t(`${about}.user`)}`;
};
