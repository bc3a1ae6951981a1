import type { CommandSpec } from '../app/command.ts';

export const authCommand: CommandSpec = {
  name: 'auth',
  commands: [
    {
      name: 'register',
      options: [{ flags: '--username <name>' }, { flags: '--email <address>' }],
      examples: ['pilotfish auth register', 'pilotfish auth register --username ada --email ada@example.com'],
      load: async () => (await import('./register.tsx')).run,
    },
    {
      name: 'login',
      options: [{ flags: '--username <name>', text: 'login' }, { flags: '--password-stdin' }, { flags: '--otp <code>' }],
      examples: ['pilotfish auth login', 'pass show pilotfish | pilotfish auth login --username ada --password-stdin --otp 123456'],
      load: async () => (await import('./login.tsx')).run,
    },
    {
      name: 'logout',
      examples: ['pilotfish auth logout', 'pilotfish auth logout --profile work'],
      load: async () => (await import('./logout.ts')).run,
    },
    {
      name: 'status',
      prints: true,
      examples: ['pilotfish auth status', 'pilotfish auth status --json'],
      load: async () => (await import('./status.ts')).run,
    },
  ],
};
