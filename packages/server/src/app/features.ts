import { ZERO } from '@pilotfish/core/money/decimal';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import { hasWallet } from '@pilotfish/core/prices/prices-contract';
import { accountFeature } from '../account/account-routes.ts';
import { adminFeature } from '../admin/admin-routes.ts';
import { authFeature } from '../auth/auth-routes.ts';
import { autoTradesFeature } from '../auto-trades/auto-trades-routes.ts';
import { autoTradesService } from '../auto-trades/auto-trades-service.ts';
import { botActivity } from '../auto-trades/bot-activity.ts';
import { botOverview } from '../auto-trades/bot-overview.ts';
import { botsEverywhere } from '../auto-trades/bots-everywhere.ts';
import { downtimeNotices } from '../auto-trades/downtime-notices.ts';
import { botFiguresFeature } from '../auto-trades/figures/bot-figures.ts';
import { botHoldings } from '../auto-trades/figures/bot-holdings.ts';
import { figuresStore } from '../auto-trades/figures/figures-store.ts';
import { paperExits } from '../auto-trades/figures/paper-exits.ts';
import { fillOrigins } from '../auto-trades/fill-origins.ts';
import { pairFees } from '../auto-trades/pair-fees.ts';
import { paperFills } from '../auto-trades/paper-fills.ts';
import { strayFills } from '../auto-trades/stray-fills.ts';
import { tapeFolder } from '../auto-trades/tape-folder.ts';
import { candlesFeature } from '../candles/candles-routes.ts';
import { currenciesFeature } from '../currencies/currencies-routes.ts';
import { type Exchange, openExchange } from '../exchange/exchange.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import { freeOf } from '../exchange/exchange-rows.ts';
import { unreadRows } from '../exchange/unread-rows.ts';
import { exchangeConnectionFeature } from '../exchange-connection/exchange-connection-routes.ts';
import { exchangeConnectionStore } from '../exchange-connection/exchange-connection-store.ts';
import { permittedPairs } from '../exchange-connection/permitted-pairs.ts';
import { tradingAccounts } from '../exchange-connection/trading-accounts.ts';
import { tradingPermission } from '../exchange-connection/trading-permission.ts';
import type { Handlers } from '../http/endpoint-handler.ts';
import { inProcessCaller } from '../http/in-process-calls.ts';
import { balanceFeature } from '../landing/balance-routes.ts';
import { landingFeature } from '../landing/landing-routes.ts';
import { createMarket } from '../market/market.ts';
import { marketFeature } from '../market/market-routes.ts';
import { instanceWatch } from '../notifications/instance-watch.ts';
import { notificationsFeature } from '../notifications/notifications-routes.ts';
import { ordersFeature } from '../orders/orders-routes.ts';
import { overviewFeature } from '../overview/overview-routes.ts';
import { paperEquity } from '../overview/paper-equity.ts';
import { performanceFeature } from '../performance/performance-routes.ts';
import { dayCloses } from '../positions/day-closes.ts';
import { ledgerQuestions } from '../positions/ledger-questions.ts';
import { ledgerResults } from '../positions/ledger-results.ts';
import { ledgerStore } from '../positions/ledger-store.ts';
import { minuteRates } from '../positions/minute-rates.ts';
import { positionsFeature } from '../positions/positions-routes.ts';
import { positionsService } from '../positions/positions-service.ts';
import { countInNewUnit } from '../positions/unit-changes.ts';
import { alertPositions } from '../price-alerts/alert-positions.ts';
import { priceAlertsFeature } from '../price-alerts/price-alerts-routes.ts';
import { accountQuestions } from '../prices/account-questions.ts';
import { openPrices } from '../prices/prices.ts';
import { openTelegram, telegramFeature } from '../telegram/telegram-routes.ts';
import { carryOverWriter } from '../trade-import/carry-over.ts';
import { carryOverFeature } from '../trade-import/carry-over-routes.ts';
import { importFeature } from '../trade-import/import-routes.ts';
import { migrationFeature } from '../trade-import/migration-routes.ts';
import { paperBooks } from '../wallets/paper-books.ts';
import { shortageNotices } from '../wallets/shortage-notices.ts';
import { walletFunding } from '../wallets/wallet-funding.ts';
import { walletsFeature } from '../wallets/wallets-routes.ts';
import { walletsStore } from '../wallets/wallets-store.ts';
import type { AppContext } from './context.ts';
import { openExchangeOrigins } from './embedded-exchange.ts';
import type { Feature } from './feature.ts';
import { heartbeat } from './heartbeat.ts';
import { openPaperMarket } from './paper-market.ts';
import { performanceParts } from './performance-parts.ts';
import { rolePermissions } from './role-permissions.ts';
import { upstreamOf } from './upstream.ts';

/**
 * Every feature of the process, in the order they start; they stop in reverse. A feature that needs another's
 * service is given it here, so this is the one place that shows who depends on whom.
 */
export async function createFeatures(context: AppContext): Promise<Feature[]> {
  const { database, log, marketSource, now, random, secretBox, settings, stream, timers } = context;
  const { origins, simulator } = await openExchangeOrigins(context);
  const unit = () => (random(4).reduce((sum, byte) => sum * 256 + byte, 0) || 1) / 2 ** 32;
  const unread = unreadRows(log, context.metrics);
  const exchange: Exchange = openExchange({
    origins,
    ...(marketSource !== 'simulated' && { paper: () => paper! }),
    hasWallet: hasWallet(marketSource),
    now,
    timers,
    random: unit,
    maySign: context.lease.held,
    onClockJump: context.lease.doubt,
    onNotPermitted: (signer) => {
      const key = accounts.keyOf(signer);
      if (key) permitted.doubt(key);
    },
    onUnread: unread,
    onGap: (gapMs) => {
      // What alerts missed is theirs to read from candles, before the board jumps to the prices of now.
      alerts.onGap();
      market.onGap(gapMs);
      mirrored.gap();
    },
    onDown: (reason) => log.info({ reason }, 'the market stream is down; reconnecting'),
    onRefused: (reason) => log.error({ reason }, 'the exchange refused a subscription of the market stream'),
  });
  const mirrored = upstreamOf(exchange);
  const paper = marketSource === 'simulated' ? undefined : await openPaperMarket(context, exchange, mirrored.upstream);
  const exchangeFeature: Feature = {
    handlers: {},
    stop: async () => {
      await paper?.close();
      await exchange.close();
      await simulator?.close();
    },
  };
  context.accountExtras.stats.push(async () => ({
    streamLagMs: exchange.stream.connected ? Math.max(0, now() - exchange.stream.lastEventAt) : null,
    exchangeWeightUsed: exchange.rest.weightUsed,
  }));
  const market = createMarket({ exchange, now, timers, log, hub: stream });
  const connections = exchangeConnectionStore(database, secretBox);
  const trading = tradingPermission(context, { exchange, store: connections, roles: rolePermissions(database.queries) });
  const wallets = walletsStore(database, secretBox, context.newId);
  const accounts = tradingAccounts({
    exchange,
    keys: async (key) => (key.startsWith('live:') ? connections.keys(key.slice(5)) : wallets.paperKeys(key.slice(6))),
    now,
    timers,
    log,
    onBalances: (key) => {
      if (!key.startsWith('live:')) return;
      stream.publish('account', { kind: 'balances', at: new Date(now()).toISOString() }, key.slice(5));
      positions.onBalances(key.slice(5));
      funding.poke(key.slice(5));
    },
    onExecution: (report) => stray.onExecution(report),
  });
  const permitted = permittedPairs({ exchange, accounts, readPairs: () => market.readPairs(), now, timers, log });
  const ledger = ledgerStore(database);
  const carryOver = carryOverWriter(context, ledger);
  const fees = pairFees({ exchange, accounts, now, timers });
  const takerFees = (accountId: string, symbols: readonly string[]) => fees.known(`live:${accountId}`, symbols);
  const positions = positionsService(context, { exchange, market, accounts, connections, ledger, takerFees });
  const isConnected = async (accountId: string) => (await connections.keys(accountId)) !== undefined;
  const signerOf = async (accountId: string) => (await accounts.get(`live:${accountId}`)).signer;
  const prices = openPrices(context, {
    exchange,
    market,
    ...accountQuestions(exchange, { isConnected, signerOf, coinOf: (asset) => coinNames(market.pairs())(asset) }, now),
  });
  const rates = minuteRates({ exchange, market });
  const service = autoTradesService(context, {
    exchange,
    market,
    accounts,
    connections,
    trading,
    wallets,
    fees,
    permitted,
    prices,
    rateAt: async (asset, quote, at) => (await rates.load([{ asset, quote, at }]))(asset, quote, at),
    tape: tapeFolder(settings, log),
  });
  const stray = strayFills(context, {
    exchange,
    accounts,
    store: service.store,
    executedOf: (autoTradeId, clientOrderId) => service.running(autoTradeId)?.executedOf(clientOrderId),
    written: service.written,
  });
  const shortage = shortageNotices(context, wallets);
  const funding = walletFunding({
    wallets,
    freeOf: async (accountId) => {
      const { balances } = await exchange.account(await signerOf(accountId));
      return (asset) => freeOf(balances, asset);
    },
    onLook: (accountId, walletId, short) => {
      service.onFunding(accountId, walletId, short);
      shortage(accountId, walletId, short);
    },
    timers,
    log,
  });
  const alerts = priceAlertsFeature(context, {
    market,
    exchange,
    reader: prices.reader,
    coinFilters: prices.coinFilters,
    positionsOf: alertPositions(context, positions, market),
  });
  const figures = figuresStore(database, context.log);
  const botFills = fillOrigins(database.queries, context.log);
  const holdings = botHoldings({ service, figures, wallets, market });
  const onPaper = paperExits(database.queries, figures, log);
  const positionsRoutes = positionsFeature(context, {
    service: positions,
    market,
    reader: prices.reader,
    botsHeld: holdings.heldIn,
    botsEnded: async (accountId) => {
      const { bots, positions: ended } = await onPaper.ended(accountId);
      const coinsOf = ({ symbol, currency }: (typeof ended)[number]) => {
        const { baseAsset, quoteAsset } = holdings.pairOf(symbol, currency);
        return { baseAsset, quoteAsset };
      };
      return { bots, positions: ended.map((each) => ({ ...each, ...coinsOf(each) })) };
    },
    botFills: botFills.of,
    ledger,
    paperFills: paperFills(database.queries, log),
  });
  const ledgerAnswers = ledgerQuestions({ ledger, books: positions.books, market });
  const worth = balanceFeature(context, {
    market,
    balancesOf: async (accountId) => {
      const { signer } = await accounts.get(`live:${accountId}`);
      const { balances } = await exchange.account(signer).catch((error: unknown) => {
        throw toAppErrorFromExchange(error);
      });
      return balances;
    },
    connectedAccounts: connections.connectedAccounts,
    ...ledgerAnswers,
  });
  const botsAtAGlance = botOverview({ service, market, wallets });
  const equity = {
    live: {
      worthOf: async (accountId: string) => ({ ...(await worth.worthOf(accountId)), comparable: market.loaded }),
      flowsOf: ledgerAnswers.flowsOf,
      history: worth.history.live,
    },
    paper: paperEquity(context, {
      market,
      books: paperBooks(database, wallets),
      coins: botsAtAGlance.paperCoins,
      history: worth.history.paper,
    }),
  };
  const { calculatePosition } = positionsRoutes.handlers;
  const telegram = openTelegram(context);
  const features: Feature[] = [
    exchangeFeature,
    marketFeature(context, market),
    ...prices.features,
    candlesFeature(context, { exchange, market, background: prices.background }),
    currenciesFeature(context, market),
    landingFeature(context, {
      market,
      isOffered: context.instance.currencies.isOffered,
      candles: prices.reader.candles,
      closes: prices.reader.closes,
      figures: prices.screener.table,
    }),
    worth,
    notificationsFeature(context, { telegram: telegram.carrier }),
    instanceWatch(context, { heardAt: () => exchange.stream.dataAt }),
    ...(await accountFeatures(context)),
    exchangeConnectionFeature(context, {
      exchange,
      store: connections,
      trading,
      accounts,
      inUse: service.inUse,
      inUseElsewhere: botsEverywhere(database).liveMarkets,
      rebind: async (accountId) => {
        await service.rebind(accountId);
        await positions.connected(accountId);
      },
    }),
    positionsRoutes,
    migrationFeature(context, { service: positions, market, calculate: calculatePosition }),
    importFeature(context, {
      market,
      store: positions.ledger,
      rates,
      valueLater: positions.valuer.later,
      reconcile: positions.reconcile,
    }),
    carryOverFeature(context, { store: ledger, write: carryOver, reconcile: positions.reconcile }),
    walletsFeature(context, { store: wallets, exchange, market, accounts, connections, trading, funding, onFees: service.onFees }),
    ordersFeature({
      exchange,
      accounts,
      onUnread: positions.onOpenOrders,
      trading,
      audit: context.audit,
      timers,
      placedBy: service.placedBy,
    }),
    autoTradesFeature(context, {
      service,
      trading,
      market,
      wallets,
      countInNewUnit: (accountId, change) => countInNewUnit({ ledger, write: carryOver }, accountId, change),
    }),
    botFiguresFeature(context, { service, holdings, figures, wallets, market, reader: prices.reader }),
    overviewFeature(context, {
      market,
      needs: {
        bots: botsAtAGlance.needs,
        connection: {
          permissions: async (accountId) => (await connections.find(accountId))?.permissions,
          trouble: worth.troubleOf,
        },
        books: positions.doubts,
      },
      next: { bots: botsAtAGlance.upcoming, alerts: alerts.armed },
      activity: { trades: botActivity(database.queries, log).since, alerts: alerts.firedSince },
      ...equity,
      candles: prices.reader.candles,
    }),
    performanceFeature(context, {
      market,
      equity,
      ...performanceParts(context, { market, ledger: ledgerResults(context, positions, market), onPaper, holdings, botFills: botFills.of }),
      closesOf: (symbol, days) => dayCloses(prices.reader, symbol, days, null, ZERO),
    }),
    downtimeNotices(context, { store: service.store, isMarketLoaded: () => market.loaded }),
    heartbeat(context, { heardAt: () => exchange.stream.dataAt }),
    stray.feature,
    alerts,
  ];
  // Its commands are calls of the features before it.
  const handlers: Partial<Handlers> = Object.assign({}, ...features.map((feature) => feature.handlers));
  return [...features, telegramFeature(context, telegram, inProcessCaller(handlers, context))];
}

/** What works without an exchange: accounts, sessions, administration. */
export async function accountFeatures(context: AppContext): Promise<Feature[]> {
  return [await authFeature(context), accountFeature(context), adminFeature(context)];
}
