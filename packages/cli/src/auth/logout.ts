import type { Context } from '../app/context.ts';
import { startSessionActor } from '../app/session-actor.ts';

/** Revokes the session at the server, when it can be reached, and forgets it here in any case. */
export async function run(context: Context): Promise<void> {
  const { actor, live } = await startSessionActor(context);
  const stored = live.stored();
  if (!stored) {
    await context.say(live.source === 'environment' ? 'cli.auth.tokenStays' : 'cli.auth.notSignedIn', { url: context.profile.url });
    return;
  }
  const ended = new Promise<void>((resolve) => actor.on('session.ended', () => resolve()));
  actor.start();
  actor.send({ type: 'session.started', session: stored });
  actor.send({ type: 'logout.requested' });
  await ended;
  actor.stop();
  await live.remove();
  await context.say('cli.auth.signedOut', { url: context.profile.url });
}
