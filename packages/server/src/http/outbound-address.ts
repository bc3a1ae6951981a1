import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** An address that a user gave us leads where it must not, or is none. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Everything that is not the public internet: own machine, home and office networks, metadata services, reserved ranges. */
const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv4');
/** Of IPv6 only the global unicast range is public, and not all of it. */
const GLOBAL6 = new BlockList();
GLOBAL6.addSubnet('2000::', 3, 'ipv6');
const PRIVATE6 = new BlockList();
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  PRIVATE6.addSubnet(net, prefix, 'ipv6');

/** True for an address on the public internet. IPv4 inside IPv6 is private here: nobody needs it. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !PRIVATE.check(address, 'ipv4');
  return version === 6 && GLOBAL6.check(address, 'ipv6') && !PRIVATE6.check(address, 'ipv6');
}

/** Names that mean this machine or its network, whatever a name server says. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|home\.arpa)\.?$/i;

/**
 * Checks a user's URL as far as that is possible without asking a name server.
 * @param allowPrivate the Admin's choice for home servers: http and private addresses are then allowed
 * @throws AddressRefused
 */
export function checkedUrl(text: string, allowPrivate: boolean): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new AddressRefused('not a URL');
  }
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw new AddressRefused('not https');
  if (allowPrivate) return url;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0 ? LOCAL_NAME.test(host) || !host.includes('.') : !isPublicAddress(host))
    throw new AddressRefused('not a public address');
  return url;
}

type Resolve = typeof systemLookup;

/**
 * A look-up for sockets that refuses every name with a private address. The socket connects to the very addresses
 * that were checked, so a name server cannot answer one thing to the check and another to the connection.
 */
export function publicLookup(resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refused = addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address));
      if (refused) return callback(new AddressRefused('not a public address'), []);
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
}
