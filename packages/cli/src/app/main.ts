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
  const { runCli } = await import('./cli.ts');
  await runCli(argv, process);
}
