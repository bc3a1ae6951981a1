import { spawn } from 'node:child_process';
import { digits } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { AlertFiring } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Context } from '../app/context.ts';
import { pricePlaces } from '../app/price-places.ts';
import type { Translate } from '../app/texts.ts';
import { printRows } from '../ui/output.ts';
import { follow, sayingAndAsking, untilAnswered, untilEnd } from '../ui/stream.ts';
import { firings, firingText } from './alert-columns.ts';
import { alertsClient } from './find-alert.ts';

/** Firings asked for after a lost connection. */
const CAUGHT_UP = 200;
const KEPT = 5_000;

/**
 * Every firing as it happens, until the process ends; each once, also those that came while the connection was lost.
 * `exec` runs in a shell for each of them: the firing as JSON on stdin, its words in the environment.
 */
export async function watch(context: Context, { exec }: { exec?: string }): Promise<void> {
  const client = await alertsClient(context);
  const t = await context.texts();
  const resource = firings(t);
  const asLines = { ...context, globals: { ...context.globals, jsonl: context.globals.jsonl || context.globals.json, json: false } };
  const places = exec === undefined ? () => undefined : await pricePlaces(context);
  const told = new Set<string>();
  let queue = Promise.resolve();
  const tell = (firing: AlertFiring): void => {
    if (told.has(firing.id)) return;
    told.add(firing.id);
    if (told.size > KEPT) told.delete(told.values().next().value ?? '');
    // One after the other: two commands at once would mix what they write.
    queue = queue.then(async () => {
      await printRows(asLines, resource, [firing]);
      if (exec !== undefined) await run(context, exec, firing, { t, places: places(firing.symbol ?? '') });
    });
  };
  const page = async () => (await client.getPriceAlertHistory({ query: { pageSize: CAUGHT_UP } })).items;
  // What fired before is known; what fires from here on is told.
  for (const firing of await page()) told.add(firing.id);
  const ended = untilEnd(context);
  // The stream begins where it is opened: what fired since the list was read is asked for once it stands.
  const catchUp = async (): Promise<void> => {
    for (const firing of (await untilAnswered(page, ended.signal)).reverse()) tell(firing);
  };
  await context.say('cli.alerts.watching');
  await follow(context, {
    topics: ['price-alerts'],
    signal: ended.signal,
    onStatus: sayingAndAsking(context, () => void catchUp()),
    onReset: () => void catchUp(),
    onMessage: (topic, payload) => {
      if (topic === 'price-alerts' && 'firing' in payload && payload.firing) tell(payload.firing);
    },
  });
  await queue;
}

/** A command that fails is said and does not end the watch. */
function run(
  context: Context,
  command: string,
  firing: AlertFiring,
  { t, places }: { t: Translate; places: number | undefined },
): Promise<void> {
  const [shell, flag] = process.platform === 'win32' ? ['cmd.exe', '/c'] : ['/bin/sh', '-c'];
  return new Promise((resolve) => {
    const child = spawn(shell, [flag, command], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: {
        ...context.env,
        PILOTFISH_ALERT_ID: firing.priceAlertId,
        PILOTFISH_ALERT_SYMBOL: firing.symbol ?? '',
        PILOTFISH_ALERT_PRICE: digits(firing.price ?? ''),
        PILOTFISH_ALERT_AT: firing.at,
        PILOTFISH_ALERT_TITLE: firingText(t, firing),
        PILOTFISH_ALERT_TEXT: [firing.price === null ? '' : formatPrice(firing.price, places), firing.note].filter(Boolean).join(' '),
      },
    });
    const forget = context.atEnd(() => child.kill());
    const done = (failure: string | undefined): void => {
      forget();
      resolve(failure === undefined ? undefined : context.say('cli.alerts.execFailed', { reason: failure }));
    };
    child.on('error', (error) => done(error.message));
    child.on('close', (code) => done(code === 0 ? undefined : String(code)));
    // A command that does not read its input closes the pipe: no failure of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(firing)}\n`);
  });
}
