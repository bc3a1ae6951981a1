/** A token bucket per key: `burst` at once, `perMinute` over time. Answers the seconds to wait, 0 when allowed. */
export type WriteLimiter = { take(key: string): number };

const MAX_KEYS = 50_000;

/** @param now epoch milliseconds */
export function writeLimiter(now: () => number, { perMinute, burst }: { perMinute: number; burst: number }): WriteLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const perMs = perMinute / 60_000;
  return {
    take: (key) => {
      const time = now();
      const bucket = buckets.get(key) ?? { tokens: burst, at: time };
      const tokens = Math.min(burst, bucket.tokens + Math.max(0, time - bucket.at) * perMs);
      // Re-inserting keeps the map in order of use, so the oldest key is the one to forget.
      buckets.delete(key);
      if (buckets.size >= MAX_KEYS) buckets.delete(buckets.keys().next().value ?? '');
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: time });
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs / 1000);
    },
  };
}
