import type { CommandSpec } from '../app/command.ts';

const PAGED = [{ flags: '--search <text>', text: 'adminSearch' }, { flags: '--page <number>' }] as const;

/** For whoever has a shell on the server's machine. */
export const backupCommand: CommandSpec = {
  name: 'backup',
  arguments: ['[file]'],
  options: [{ flags: '--with-key' }, { flags: '--data-dir <folder>' }],
  prints: true,
  examples: ['pilotfish backup', 'pilotfish backup /mnt/safe/monday.backup', 'pilotfish backup --with-key'],
  load: async () => (await import('./backup.ts')).run,
};

export const restoreCommand: CommandSpec = {
  name: 'restore',
  arguments: ['<file>'],
  options: [{ flags: '--verify' }, { flags: '--data-dir <folder>' }],
  prints: true,
  examples: ['pilotfish restore monday.backup --verify', 'pilotfish restore monday.backup --data-dir ./data'],
  load: async () => (await import('./restore.ts')).run,
};

export const adminCommand: CommandSpec = {
  name: 'admin',
  commands: [
    {
      name: 'stats',
      prints: true,
      examples: ['pilotfish admin stats', 'pilotfish admin stats --json'],
      load: async () => (await import('./manage.ts')).stats,
    },
    {
      name: 'users',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          options: [...PAGED, { flags: '--sort <order>', text: 'userSort' }],
          prints: true,
          examples: ['pilotfish admin users ls', 'pilotfish admin users ls --search ada --sort lastSeenAt:desc --json'],
          load: async () => (await import('./users.ts')).list,
        },
        {
          name: 'show',
          arguments: ['<user>'],
          prints: true,
          examples: ['pilotfish admin users show ada', 'pilotfish admin users show ada@example.com --json'],
          load: async () => (await import('./users.ts')).show,
        },
        {
          name: 'roles',
          arguments: ['<user>', '[roles]'],
          prints: true,
          examples: ['pilotfish admin users roles ada Admin', 'pilotfish admin users roles ada none --yes'],
          load: async () => (await import('./users.ts')).roles,
        },
        {
          name: 'rm',
          arguments: ['<user>'],
          examples: ['pilotfish admin users rm ada', 'pilotfish admin users rm ada --yes'],
          load: async () => (await import('./users.ts')).remove,
        },
      ],
    },
    {
      name: 'roles',
      // `admin roles ada Admin` is what was said before there were verbs.
      otherwise: 'set',
      commands: [
        {
          name: 'ls',
          prints: true,
          examples: ['pilotfish admin roles ls', 'pilotfish admin roles ls --json'],
          load: async () => (await import('./roles.ts')).list,
        },
        {
          name: 'set',
          arguments: ['[user]', '[roles]'],
          prints: true,
          examples: ['pilotfish admin roles set ada Admin --yes', 'pilotfish admin roles set ada none --yes'],
          load: async () => (await import('./users.ts')).roles,
        },
        {
          name: 'add',
          arguments: ['<role>'],
          options: [{ flags: '--allow <permissions>', text: 'allow' }],
          prints: true,
          examples: [
            'pilotfish admin roles add Analyst --allow price-alerts,trade-import',
            'pilotfish admin roles add Reader --allow none',
          ],
          load: async () => (await import('./roles.ts')).add,
        },
        {
          name: 'change',
          arguments: ['<role>'],
          options: [
            { flags: '--allow <permissions>', text: 'allow' },
            { flags: '--rename <name>', text: 'renameRole' },
          ],
          prints: true,
          examples: [
            'pilotfish admin roles change Analyst --allow bots,price-alerts',
            'pilotfish admin roles change Analyst --rename Trader',
          ],
          load: async () => (await import('./roles.ts')).change,
        },
        {
          name: 'rm',
          arguments: ['<role>'],
          examples: ['pilotfish admin roles rm Analyst', 'pilotfish admin roles rm Analyst --yes'],
          load: async () => (await import('./roles.ts')).remove,
        },
      ],
    },
    {
      name: 'rm',
      hidden: true,
      arguments: ['<user>'],
      examples: ['pilotfish admin rm ada'],
      load: async () => (await import('./users.ts')).remove,
    },
    {
      name: 'l10n',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          options: [...PAGED, { flags: '--state <state>', choices: ['all', 'changed', 'missing', 'same'], text: 'textState' }],
          prints: true,
          examples: ['pilotfish admin l10n ls --state missing', 'pilotfish admin l10n ls --search nav --json'],
          load: async () => (await import('./texts.ts')).list,
        },
        {
          name: 'set',
          arguments: ['<key>'],
          options: [
            { flags: '--en <text>', text: 'english' },
            { flags: '--tr <text>', text: 'turkish' },
            { flags: '--reset', text: 'resetText' },
          ],
          prints: true,
          examples: ['pilotfish admin l10n set nav.prices --en Rates --tr Kurlar', 'pilotfish admin l10n set nav.prices --reset'],
          load: async () => (await import('./texts.ts')).set,
        },
        {
          name: 'export',
          arguments: ['<file>'],
          options: [{ flags: '--all', text: 'allTexts' }],
          examples: ['pilotfish admin l10n export texts.json', 'pilotfish admin l10n export - --all'],
          load: async () => (await import('./texts.ts')).exportTexts,
        },
        {
          name: 'import',
          arguments: ['<file>'],
          options: [{ flags: '--dry-run' }],
          prints: true,
          examples: ['pilotfish admin l10n import texts.json --dry-run', 'pilotfish admin l10n import texts.json'],
          load: async () => (await import('./texts.ts')).importTexts,
        },
      ],
    },
    {
      name: 'currencies',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          options: PAGED,
          prints: true,
          examples: ['pilotfish admin currencies ls', 'pilotfish admin currencies ls --search btc'],
          load: async () => (await import('./manage.ts')).listCurrencies,
        },
        {
          name: 'set',
          arguments: ['<asset>'],
          options: [
            { flags: '--label <text>', text: 'currencyLabel' },
            { flags: '--precision <count>', text: 'currencyPrecision' },
            { flags: '--order <place>', text: 'currencyOrder' },
            { flags: '--enable', text: 'currencyEnable' },
            { flags: '--disable', text: 'currencyDisable' },
            { flags: '--icon <file>', text: 'currencyIcon' },
            { flags: '--reset', text: 'currencyReset' },
          ],
          prints: true,
          examples: ['pilotfish admin currencies set BTC --label Bitcoin --order 1', 'pilotfish admin currencies set BTC --icon btc.png'],
          load: async () => (await import('./manage.ts')).setCurrency,
        },
      ],
    },
    {
      name: 'tags',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          prints: true,
          examples: ['pilotfish admin tags ls'],
          load: async () => (await import('./manage.ts')).listTags,
        },
        {
          name: 'set',
          arguments: ['<tag>'],
          options: [
            { flags: '--en <text>', text: 'english' },
            { flags: '--tr <text>', text: 'turkish' },
            { flags: '--coins <list>', text: 'tagCoins' },
            { flags: '--remove', text: 'removeTag' },
          ],
          prints: true,
          examples: ['pilotfish admin tags set our-picks --en "Our picks" --coins BTC,ETH', 'pilotfish admin tags set our-picks --remove'],
          load: async () => (await import('./manage.ts')).setTag,
        },
      ],
    },
    {
      name: 'settings',
      otherwise: 'ls',
      commands: [
        {
          name: 'ls',
          prints: true,
          examples: ['pilotfish admin settings ls', 'pilotfish admin settings ls --json'],
          load: async () => (await import('./manage.ts')).listSettings,
        },
        {
          name: 'set',
          arguments: ['<key>', '[value]'],
          prints: true,
          examples: ['pilotfish admin settings set registration.mode closed', 'pilotfish admin settings set registration.mode'],
          load: async () => (await import('./manage.ts')).setSetting,
        },
      ],
    },
    {
      name: 'market',
      otherwise: 'show',
      commands: [
        {
          name: 'show',
          prints: true,
          examples: ['pilotfish admin market show', 'pilotfish admin market show --json'],
          load: async () => (await import('./market.ts')).show,
        },
        {
          name: 'use',
          arguments: ['<market>'],
          words: ['simulated', 'binance', 'binance-demo', 'binance-testnet'],
          prints: true,
          examples: ['pilotfish admin market use binance', 'pilotfish admin market use simulated --yes'],
          load: async () => (await import('./market.ts')).use,
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
            { flags: '--search <text>', text: 'auditUser' },
            { flags: '--area <name>', text: 'auditArea' },
            { flags: '--outcome <outcome>', choices: ['success', 'failure'], text: 'auditOutcome' },
            { flags: '--page <number>' },
          ],
          prints: true,
          examples: ['pilotfish admin audit ls', 'pilotfish admin audit ls --search ada --area admin --csv'],
          load: async () => (await import('./audit.ts')).listAll,
        },
      ],
    },
    {
      name: 'reset-2fa',
      arguments: ['<user>'],
      options: [{ flags: '--data-dir <folder>' }],
      examples: ['pilotfish admin reset-2fa ada', 'pilotfish admin reset-2fa ada --data-dir /var/lib/pilotfish --yes'],
      load: async () => (await import('./reset-2fa.ts')).run,
    },
    {
      name: 'rekey',
      options: [{ flags: '--drop-recovery-codes' }, { flags: '--data-dir <folder>' }],
      examples: ['pilotfish admin rekey', 'pilotfish admin rekey --drop-recovery-codes --yes'],
      load: async () => (await import('./rekey.ts')).run,
    },
    {
      name: 'outbox',
      arguments: ['[message]'],
      options: [{ flags: '--data-dir <folder>' }],
      prints: true,
      examples: ['pilotfish admin outbox', 'pilotfish admin outbox 0199'],
      load: async () => (await import('./outbox.ts')).run,
    },
    {
      name: 'tapes',
      options: [{ flags: '--data-dir <folder>' }],
      prints: true,
      examples: ['pilotfish admin tapes', 'pilotfish admin tapes --data-dir /var/lib/pilotfish --json'],
      load: async () => (await import('./tapes.ts')).run,
    },
    {
      name: 'mails',
      arguments: ['[message]'],
      options: [{ flags: '--again', text: 'mailAgain' }, { flags: '--data-dir <folder>' }],
      prints: true,
      examples: ['pilotfish admin mails', 'pilotfish admin mails --again', 'pilotfish admin mails 0199 --again'],
      load: async () => (await import('./mails.ts')).run,
    },
  ],
};
