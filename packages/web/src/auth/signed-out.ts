/** Why a session ended, as a text key; the stored word may be of another version. */
export const signedOutText = (reason: string): string =>
  `auth.signedOut.${reason === 'elsewhere' || reason === 'expired' || reason === 'refresh-failed' ? reason : 'rejected'}`;
