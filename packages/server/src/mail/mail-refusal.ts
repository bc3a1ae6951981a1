/** What a failed try says of those that would follow. */
export type Refusal = {
  /** Trying again cannot help: the receiver's side refused this message for good. */
  readonly permanent: boolean;
  /** It was the address that was refused: no other message will reach it either. */
  readonly address: boolean;
};

/** Codes by which a server speaks of a mailbox, and none of the message (RFC 5321, 4.2.3). */
const NO_SUCH_MAILBOX: readonly number[] = [550, 551, 553];
/** What servers say to whom they do not know or do not trust: the operator's to mend, so the message waits. */
const NOT_SIGNED_IN: readonly number[] = [530, 534, 535, 538];
/**
 * Extended codes (RFC 3463) of a refusal that is told beside a receiver and is none of it: our sender, our address on a
 * list, a relay that does not take us. Servers hold what they think of a sender back until they know the receiver.
 */
const OF_SENDER = /^\d{3}[ -]5\.(?:7\.\d+|1\.[78]|5\.\d+)\b/;
/** Answers of an SMS service about the one message. */
const BAD_REQUEST: readonly number[] = [400, 413, 422];

/**
 * A refusal for now (4xx), of our sender or of our credentials keeps the message in the outbox: a new SMTP_URL may
 * send it yet. A refusal after the text was read is of the text (spam filters say 550, too): the address stays good.
 */
export function refusalOf(channel: 'mail' | 'sms', error: unknown): Refusal {
  const { responseCode, code, command, response } = error as {
    responseCode?: unknown;
    code?: unknown;
    command?: unknown;
    response?: unknown;
  };
  const status = typeof responseCode === 'number' ? responseCode : 0;
  if (channel === 'sms') return { permanent: BAD_REQUEST.includes(status), address: false };
  if (status < 500 || code === 'EAUTH' || NOT_SIGNED_IN.includes(status)) return { permanent: false, address: false };
  if (command === 'RCPT TO' && OF_SENDER.test(String(response))) return { permanent: false, address: false };
  const ofReceiver = command === 'RCPT TO' || command === 'DATA';
  return { permanent: ofReceiver, address: command === 'RCPT TO' && NO_SUCH_MAILBOX.includes(status) };
}
