/** A message that did not get through. `code` has a text: `notifications.failures.<code>`. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: string;
  /** Trying again cannot help. */
  readonly permanent: boolean;
  /** The receiver asked to wait this long. */
  readonly retryAfterMs: number | undefined;
  /** No other message will get through either: the channel is left alone until it is mended. */
  readonly channelLost: boolean;

  constructor(code: string, more: { permanent?: boolean; channelLost?: boolean; retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(code, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.channelLost = more.channelLost ?? false;
    this.permanent = this.channelLost || (more.permanent ?? false);
    this.retryAfterMs = more.retryAfterMs;
  }
}
