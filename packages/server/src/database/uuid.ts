/** Source of `count` unpredictable bytes. */
export type Random = (count: number) => Uint8Array;

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Makes UUIDv7 texts (RFC 9562) that sort by time. Within one millisecond the 12-bit field counts up, so the ids
 * of one process are strictly increasing even when the clock stands still or steps back.
 * @param now epoch milliseconds
 */
export function uuidGenerator(now: () => number, random: Random): () => string {
  let lastTime = 0;
  let counter = 0;
  return () => {
    const bytes = random(10);
    const time = now();
    if (time > lastTime) {
      lastTime = time;
      // Starts in the lower half so that a burst has room to count.
      counter = (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) & 0x7ff;
    } else if (counter === 0xfff) {
      lastTime += 1;
      counter = 0;
    } else counter += 1;
    const stamp = lastTime.toString(16).padStart(12, '0');
    const tail = Array.from(bytes.subarray(2), (byte) => hex[byte]).join('');
    const variant = hex[((bytes[2] ?? 0) & 0x3f) | 0x80];
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(2, 4)}-${tail.slice(4)}`;
  };
}
