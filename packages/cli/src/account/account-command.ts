import type { CommandSpec } from '../app/command.ts';

const PROOF = [{ flags: '--password-stdin' }, { flags: '--otp <code>' }] as const;

export const accountCommand: CommandSpec = {
  name: 'account',
  commands: [
    {
      name: 'show',
      prints: true,
      examples: ['pilotfish account show', 'pilotfish account show --json'],
      load: async () => (await import('./account.ts')).show,
    },
    {
      name: 'set',
      arguments: ['<key>', '<value>'],
      prints: true,
      examples: ['pilotfish account set language tr', 'pilotfish account set timeZone Europe/Istanbul'],
      load: async () => (await import('./account.ts')).set,
    },
    {
      name: 'export',
      arguments: ['<file>'],
      options: PROOF,
      examples: ['pilotfish account export mine.json --otp 123456', 'pilotfish account export -'],
      load: async () => (await import('./account.ts')).exportAll,
    },
    {
      name: 'delete',
      options: PROOF,
      examples: ['pilotfish account delete', 'pilotfish account delete --otp 123456 --yes'],
      load: async () => (await import('./account.ts')).remove,
    },
    {
      name: 'sessions',
      options: [{ flags: '--end <session>', text: 'endSession' }],
      prints: true,
      examples: ['pilotfish account sessions', 'pilotfish account sessions --end others'],
      load: async () => (await import('./account.ts')).sessions,
    },
    {
      name: 'recovery-codes',
      options: [{ flags: '--renew', text: 'renewCodes' }, ...PROOF],
      prints: true,
      examples: ['pilotfish account recovery-codes', 'pilotfish account recovery-codes --renew'],
      load: async () => (await import('./account.ts')).recoveryCodes,
    },
  ],
};
