import { accountCommand } from '../account/account-command.ts';
import { adminCommand, backupCommand, restoreCommand } from '../admin/admin-command.ts';
import { authCommand } from '../auth/auth-command.ts';
import { botsCommand } from '../auto-trades/bots-command.ts';
import { replayCommand } from '../auto-trades/replay-command.ts';
import { backtestCommand } from '../backtest/backtest-command.ts';
import { candlesCommand } from '../candles/candles-command.ts';
import { completeCommand, completionCommand } from '../completion/completion-command.ts';
import { configCommand } from '../config/config-command.ts';
import { dashboardCommand } from '../dashboard/dashboard-command.ts';
import { exchangeCommand } from '../exchange-connection/exchange-command.ts';
import { filtersCommand } from '../filters/filters-command.ts';
import { notificationsCommand } from '../notifications/notifications-command.ts';
import { ordersCommand } from '../orders/orders-command.ts';
import { overviewCommand } from '../overview/overview-command.ts';
import { performanceCommand } from '../performance/performance-command.ts';
import { positionsCommand } from '../positions/positions-command.ts';
import { alertsCommand } from '../price-alerts/alerts-command.ts';
import { pricesCommand } from '../prices/prices-command.ts';
import { screenCommand } from '../screen/screen-command.ts';
import { serveCommand } from '../serve/serve-command.ts';
import { simulatorCommand } from '../simulator/simulator-command.ts';
import { telegramCommand } from '../telegram-connection/telegram-command.ts';
import { importCommand, importsCommand, migrateCommand, swapsCommand } from '../trade-import/import-command.ts';
import { walletsCommand } from '../wallets/wallets-command.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import { everydayCommands } from './everyday-commands.ts';

export const ROOT: CommandSpec = {
  name: 'pilotfish',
  examples: ['pilotfish serve', 'pilotfish auth register', 'pilotfish exchange connect --demo', 'pilotfish bots show Dip --watch'],
  commands: [
    overviewCommand,
    performanceCommand,
    dashboardCommand,
    authCommand,
    exchangeCommand,
    pricesCommand,
    screenCommand,
    filtersCommand,
    walletsCommand,
    positionsCommand,
    ordersCommand,
    importCommand,
    importsCommand,
    migrateCommand,
    swapsCommand,
    alertsCommand,
    botsCommand,
    backtestCommand,
    candlesCommand,
    replayCommand,
    notificationsCommand,
    telegramCommand,
    ...everydayCommands,
    serveCommand,
    simulatorCommand,
    configCommand,
    backupCommand,
    restoreCommand,
    accountCommand,
    adminCommand,
    completionCommand,
    completeCommand,
  ],
};

/** Understood before and after every command. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json' },
  { flags: '--jsonl' },
  { flags: '--csv' },
  { flags: '--fields <names>' },
  { flags: '--url <url>' },
  { flags: '--profile <name>' },
  { flags: '--lang <language>', choices: ['en', 'tr'] },
  { flags: '--color <when>', choices: ['auto', 'always', 'never'] },
  { flags: '-y, --yes' },
];
