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
    // The address of a page below the path: said with the one to give, by a call and by signing in.
    const page = `${proxy.url}/prices`;
    const wrong = await pipe.run(['prices', 'ls', '--url', page]);
    expect(wrong).toMatchObject({ exit: 1, stdout: '' });
    expect(wrong.stderr).toMatch(new RegExp(`${page} is not the address.* --url ${proxy.url} `));
    words[3] = page;
    const lost = await pipe.run([...words, '123456', '--lang', 'tr'], { input: user.password });
    expect(lost.stderr).toMatch(new RegExp(`${page}, Pilotfish API adresi değil.* --url ${proxy.url} `));
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
