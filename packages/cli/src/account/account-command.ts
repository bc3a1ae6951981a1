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
      name: 'password',
      options: [{ flags: '--password-stdin', text: 'passwordsStdin' }],
      examples: ['pilotfish account password', 'printf \'%s\\n%s\\n\' "$OLD" "$NEW" | pilotfish account password --password-stdin'],
      load: async () => (await import('./contact.ts')).password,
    },
    {
      name: 'email',
      arguments: ['[address-or-code]'],
      options: [{ flags: '--resend', text: 'resendConfirmation' }, { flags: '--password-stdin' }],
      examples: ['pilotfish account email', 'pilotfish account email ada@example.com', 'pilotfish account email --resend'],
      load: async () => (await import('./contact.ts')).email,
    },
    {
      name: 'connections',
      options: [{ flags: '--end', text: 'endConnections' }],
      prints: true,
      examples: ['pilotfish account connections', 'pilotfish account connections --end --yes'],
      load: async () => (await import('./connections.ts')).list,
    },
    {
      name: 'limits',
      prints: true,
      examples: ['pilotfish account limits', 'pilotfish account limits --json'],
      load: async () => (await import('./account.ts')).limits,
    },
    {
      name: 'confirm',
      options: [{ flags: '--otp <code>' }],
      examples: ['pilotfish account confirm', 'pilotfish account confirm --otp 123456'],
      load: async () => (await import('./step-up.ts')).confirmSecondFactor,
    },
    {
      name: 'phone',
      arguments: ['<number>'],
      options: [{ flags: '--code <code>', text: 'phoneCode' }],
      examples: ['pilotfish account phone +905320000000', 'pilotfish account phone +905320000000 --code 123456'],
      load: async () => (await import('./contact.ts')).phone,
    },
    {
      name: 'sessions',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          options: [{ flags: '--end <session>', text: 'endSession' }],
          prints: true,
          examples: ['pilotfish account sessions ls', 'pilotfish account sessions ls --json'],
          load: async () => (await import('./devices.ts')).list,
        },
        {
          name: 'end',
          arguments: ['<session>'],
          examples: ['pilotfish account sessions end 0199', 'pilotfish account sessions end others'],
          load: async () => (await import('./devices.ts')).end,
        },
      ],
    },
    {
      name: 'audit',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          options: [
            { flags: '--area <name>', text: 'auditArea' },
            { flags: '--outcome <outcome>', choices: ['success', 'failure'], text: 'auditOutcome' },
            { flags: '--page <number>' },
          ],
          prints: true,
          examples: ['pilotfish account audit ls', 'pilotfish account audit ls --area auth --outcome failure'],
          load: async () => (await import('./devices.ts')).audit,
        },
      ],
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
