import { isIPv6 } from 'node:net';

/**
 * What counts as one client: an IPv4 address, or an IPv6 network of 64 bits, because whoever has one address of it
 * has all 2^64 and could make each try from another.
 */
export function clientNetwork(address: string): string {
  const plain = (address.split('%')[0] ?? '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const before = groups(head);
  const after = groups(tail ?? '');
  // A dotted end stands for two groups.
  const length = before.length + after.length + (plain.includes('.') ? 1 : 0);
  const all = [...before, ...Array.from({ length: Math.max(0, 8 - length) }, () => '0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
