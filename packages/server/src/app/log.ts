import { type DestinationStream, type Logger, pino } from 'pino';
import { type LogDestination, standardLogDestination } from './log-destination.ts';

/** Field names whose values never reach a log, at the top and one or two levels down. */
const SECRET_FIELDS = [
  'authorization',
  'password',
  'currentPassword',
  'newPassword',
  'clientId',
  'clientSecret',
  'otpCode',
  'confirmationCode',
  'code',
  'secretKey',
  'secret',
  'accessToken',
  'refreshToken',
  'recoveryCodes',
  'signature',
  'token',
];

/** The process log: JSON lines. Requests are logged by route, never with their query or body. */
export function createLog(level: string, destination: DestinationStream | LogDestination = standardLogDestination()): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    // Error codes are useful and no secrets, but `code` is redacted by name: keep them under another one.
    serializers: { err: describeError },
  };
  const log = pino(options, destination);
  if ('onBack' in destination) destination.onBack((lines) => log.warn({ lines }, 'log.dropped: lines of this log could not be written'));
  return log;
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    ...(error.cause === undefined
      ? {}
      : { cause: error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : 'unknown' }),
  };
}
