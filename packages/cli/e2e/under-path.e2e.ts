import { startPathProxy } from '@pilotfish/server/app/testing/path-proxy';
import { startTestServer } from '@pilotfish/server/app/testing/test-server';
import { expect, onTestFinished, test } from 'vitest';
import { openPipe } from './pipe.ts';
import { openAccount, openStage, whileMoving } from './stage.ts';

test.each(['kept', 'stripped'] as const)(
  'a server below a path, %s by its proxy: signing in, asking, and following',
  { tags: ['smoke'] },
  async (manner) => {
    const proxy = await startPathProxy('/pilotfish', manner);
    onTestFinished(() => proxy.close());
    const { simulator, server: beside } = await openStage();
    const server = await startTestServer({
      realClock: true,
      now: beside.now(),
      settings: { publicUrl: proxy.url, exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin },
    });
    onTestFinished(() => server.close());
    proxy.forwardTo(server.url);
    const account = await openAccount({ server });
    onTestFinished(() => account.close());
    const { user, folder } = account;
    const pipe = openPipe({ XDG_CONFIG_HOME: folder, PILOTFISH_KEYRING: 'off' }, { now: server.now });
    const words = ['auth', 'login', '--url', `${proxy.url}/`, '--username', user.username, '--password-stdin', '--otp'];
    const login = await pipe.run([...words, server.nextCode(user.secretKey)], { input: user.password });
    expect(login).toMatchObject({ exit: 0 });
    // Remembered with its path.
    expect(await pipe.json<{ url: string; username: string }>(['auth', 'status'])).toMatchObject({
      url: proxy.url,
      username: user.username,
    });
    const watch = pipe.start(['prices', 'watch', 'BTCUSDT', '--jsonl']);
    await whileMoving(
      simulator,
      watch.see(() => watch.said.stdout.split('\n').length > 3),
    );
    watch.kill('SIGTERM');
    await watch.ended;
    expect(proxy.strays).toEqual([]);
  },
);
