import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

export type PushBrowser = {
  /** What it gives to the server when it subscribes. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** The text of a message that a push service was handed for it. @throws for one that is not for it */
  open(body: Buffer): string;
};

const derive = (key: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** A browser as the sender of web push knows it: its keys, and the reading of what is sealed with them (RFC 8291 in RFC 8188, one record). */
export function pushBrowser(): PushBrowser {
  const ecdh = createECDH('prime256v1');
  const [point, auth] = [ecdh.generateKeys(), randomBytes(16)];
  return {
    keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
    open: (body) => {
      const [salt, sender, sealed] = [
        body.subarray(0, 16),
        body.subarray(21, 21 + body.readUInt8(20)),
        body.subarray(21 + body.readUInt8(20)),
      ];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, sender]);
      const key = derive(ecdh.computeSecret(sender), auth, info, 32);
      const cipher = createDecipheriv(
        'aes-128-gcm',
        derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(key, salt, 'Content-Encoding: nonce\0', 12),
      );
      cipher.setAuthTag(sealed.subarray(-16));
      const opened = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
      // Behind the text stands a 2, which ends the last record.
      return opened.subarray(0, opened.lastIndexOf(2)).toString();
    },
  };
}
