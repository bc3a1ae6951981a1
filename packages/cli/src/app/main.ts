import { Command } from 'commander';

const program = new Command('pilotfish').description('A companion for people who hold a Binance account');
program
  .command('serve')
  .description('Run gateway, BFF, web app, bots and, by default, a simulated exchange')
  .action(async () => {
    const { runServe } = await import('../serve/serve-command.ts');
    await runServe();
  });
await program.parseAsync();
