import { listTickers } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { pricePlaces } from '../app/price-places.ts';
import { colours } from '../ui/colour.ts';
import { openInkScreen } from '../ui/ink-screen.ts';
import { reloader } from '../ui/reloader.ts';
import { follow } from '../ui/stream.ts';
import { botScreenStore } from './bot-screen-store.ts';
import { BotView } from './bot-view.tsx';
import type { BotsClient } from './find-bot.ts';

/** 15 redraws a second at most. */
const BEAT_MS = 67;
const STORY = 50;

/** The live screen of one bot until it is left. Answers the exit code. */
export async function watchBot(context: Context, client: BotsClient, id: string): Promise<number> {
  const t = await context.texts();
  const paint = colours(context, context.stdout);
  const params = { id };
  const market = await context.client({ listTickers });
  const [places, detail, page, tickers] = await Promise.all([
    pricePlaces(context),
    client.getAutoTradeDetail({ params }),
    client.listAutoTradeTraces({ params, query: { pageSize: STORY } }),
    market.listTickers(),
  ]);
  // The coins of a filter come and go.
  const isShown = (symbol: string): boolean => {
    const { coins, positions } = store.get().detail;
    return coins.includes(symbol) || positions.some((each) => each.symbol === symbol);
  };
  const store = botScreenStore(
    {
      detail,
      traces: [...page.items].reverse(),
      prices: new Map(tickers.items.map(({ symbol, price }) => [symbol, price])),
      status: 'connecting',
    },
    BEAT_MS,
    { set: setTimeout },
  );
  const leaving = new AbortController();
  const reload = reloader(async () => store.change({ detail: await client.getAutoTradeDetail({ params }) }), leaving.signal);
  /** What happened before anybody listened, or was missed, is told by nobody. */
  const again = () => {
    reload();
    void client.listAutoTradeTraces({ params, query: { pageSize: STORY } }).then(
      ({ items }) => store.addTraces(items),
      () => undefined,
    );
  };
  const following = follow(context, {
    topics: ['auto-trades', 'tickers'],
    signal: leaving.signal,
    onStatus: (status) => {
      store.change({ status });
      if (status === 'live') again();
    },
    onReset: again,
    onMessage: (topic, payload) => {
      if (topic === 'auto-trades' && 'autoTradeId' in payload && payload.autoTradeId === id) {
        store.addTraces(payload.traces);
        reload();
      } else if (topic === 'tickers' && 'items' in payload) {
        const changed = payload.items.filter(([symbol]) => isShown(symbol));
        if (changed.length > 0) {
          store.change({ prices: new Map([...store.get().prices, ...changed.map(([symbol, price]) => [symbol, price] as const)]) });
          reload();
        }
      }
    },
  });
  // Whoever is signed out elsewhere leaves the screen and is told so.
  let refused: unknown;
  let leaveScreen: (exit: number) => void = () => undefined;
  following.catch((error: unknown) => {
    refused = error;
    leaveScreen(EXIT.notSignedIn);
  });
  const exit = await openInkScreen(context, (leave) => {
    leaveScreen = leave;
    return <BotView store={store} t={t} unicode={context.unicode} paint={paint} places={places} leave={leave} />;
  });
  leaving.abort();
  if (refused) throw refused;
  await following;
  return exit;
}
