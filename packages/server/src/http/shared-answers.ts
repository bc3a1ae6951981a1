import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const pack = promisify(gzip);
/** Below it packing saves nothing. */
const PACKED_FROM = 1024;
/** Quick: what is shared lives for a second, and half of what a better level saves is not worth its time. */
const LEVEL = 4;

/** An answer as it leaves, the same for everybody who asks. */
export type SharedAnswer = {
  readonly text: string;
  readonly etag: string;
  /** Where the stream was before the answer was made: whoever follows from there misses nothing. */
  readonly position: string;
  /** Packed once, however many ask. */
  readonly packed: () => Promise<Buffer>;
};

const answerOf = (text: string, position: string): SharedAnswer => {
  let bytes: Promise<Buffer> | undefined;
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, etag, position, packed: () => (bytes ??= pack(text, { level: LEVEL })) };
};

/** Different questions whose answers are kept: the charts that people look at. */
const KEPT = 100;

/**
 * Answers that are the same for everybody, made and packed once for all who ask within a moment. One that has not
 * changed since keeps its bytes and its ETag.
 * @param running milliseconds that never go back
 */
export function sharedAnswers(running: () => number, position: () => string) {
  const kept = new Map<string, { until: number; answer: Promise<SharedAnswer> }>();

  async function make(before: Promise<SharedAnswer> | undefined, text: () => Promise<string>): Promise<SharedAnswer> {
    const at = position();
    const [last, made] = await Promise.all([before?.catch(() => undefined), text()]);
    return last?.text === made ? { ...last, position: at } : answerOf(made, at);
  }

  return {
    /** Whether it was made for this call, too. @param ms how long it may be told again */
    get: async (key: string, ms: number, text: () => Promise<string>): Promise<{ shared: SharedAnswer; isMade: boolean }> => {
      const known = kept.get(key);
      if (known !== undefined && running() < known.until) return { shared: await known.answer, isMade: false };
      const answer = make(known?.answer, text);
      kept.delete(key);
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
      kept.set(key, { until: running() + ms, answer });
      // A failure is told to those who wait for it, and to nobody after.
      answer.catch(() => kept.get(key)?.answer === answer && kept.delete(key));
      return { shared: await answer, isMade: true };
    },
  };
}
export type SharedAnswers = ReturnType<typeof sharedAnswers>;

const accepts = (header: string | string[] | undefined, what: RegExp): boolean => typeof header === 'string' && what.test(header);

/** Sends it, packed where that is taken, or says that nothing has changed. Answers the bytes that leave. */
export async function sendShared(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SharedAnswer,
  positionHeader: string,
): Promise<number> {
  void reply
    // Kept by the caller, and asked for anew each time: nothing in it is anybody's own.
    .headers({ etag: answer.etag, 'cache-control': 'no-cache', vary: 'accept-encoding', [positionHeader]: answer.position })
    .header('content-type', 'application/json; charset=utf-8');
  const known = String(request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(answer.etag)) {
    void reply.code(304).send();
    return 0;
  }
  if (answer.text.length < PACKED_FROM || !accepts(request.headers['accept-encoding'], /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/)) {
    void reply.send(answer.text);
    return answer.text.length;
  }
  const bytes = await answer.packed();
  void reply.header('content-encoding', 'gzip').send(bytes);
  return bytes.length;
}
