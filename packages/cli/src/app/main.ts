import { constants } from 'node:os';
import { VERSION } from '@pilotfish/server/app/version';

const argv = process.argv.slice(2);

// `| head` closes the pipe early: that is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });

// The version answers before anything else is loaded.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`${VERSION}\n`);
else {
  // Nothing runs yet that would have to end in order. The first process of a container hears no signal without a listener.
  const endAtOnce = () => process.exit(128 + constants.signals.SIGTERM);
  process.once('SIGTERM', endAtOnce);
  const { runCli } = await import('./cli.ts');
  const ran = runCli(argv, process);
  // Listened to from here on in there.
  process.off('SIGTERM', endAtOnce);
  await ran;
}
