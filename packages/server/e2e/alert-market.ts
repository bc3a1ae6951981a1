import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamPayload } from '@pilotfish/core/http/stream-contract';
import type { Page } from '@pilotfish/core/http/wire';
import type { AlertFiring, PriceAlert, PriceAlertInput } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Settings } from '../src/app/settings.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { BEGIN, type MarketPaths, MINUTE, writeMarket } from './path-market.ts';

// A server that watches a market of written prices for alerts.

export type MarketPlan = MarketPaths & {
  /** Minutes of history before the first moment. */
  readonly quiet: number;
  readonly settings?: Partial<Settings>;
};

/** A market and a server for each test of the file, on one virtual clock. */
export function alertMarketOfEachTest(plan: MarketPlan) {
  let folder: string;
  let time: VirtualTime;
  let simulator: Simulator;
  let server: TestServer;
  let user: SignedInUser;
  beforeEach(async () => {
    time = virtualTime();
    const { now, timers } = time;
    folder = writeMarket(mkdtempSync(join(tmpdir(), 'pilotfish-alerts-')), plan);
    simulator = await startSimulator({ market: { kind: 'replay', folder, start: BEGIN + plan.quiet * MINUTE }, paused: true, now, timers });
    server = await startTestServer({
      time,
      settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin, ...plan.settings },
    });
    user = await server.register();
  });
  afterEach(async () => {
    await server?.close();
    if (simulator) await time.during(simulator.close());
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (body: object, who: SignedInUser = user) => who.call<PriceAlert>('/bff/v2/price-alerts', { body });
  async function create(body: PriceAlertInput, who: SignedInUser = user): Promise<PriceAlert> {
    const answer = await send(body, who);
    expect(answer.status, JSON.stringify(answer.body).slice(0, 400)).toBe(201);
    return answer.body;
  }
  const btc = (condition: PriceAlertInput['condition'], over: Partial<PriceAlertInput> = {}) =>
    create({ symbol: 'BTCUSDT', condition, ...over });
  const list = async (who: SignedInUser = user) => (await who.call<PriceAlert[]>('/bff/v2/price-alerts')).body;
  const alertNow = async (alert: PriceAlert) => (await list()).find(({ id }) => id === alert.id)!;
  /** Oldest first. */
  const firings = async (alert?: PriceAlert) =>
    (
      await user.call<Page<AlertFiring>>(`/bff/v2/price-alerts/history?pageSize=200${alert ? `&priceAlertId=${alert.id}` : ''}`)
    ).body.items.reverse();
  const post = (alert: PriceAlert, what: string, body: unknown = {}) =>
    user.call<PriceAlert>(`/bff/v2/price-alerts/${alert.id}/${what}`, { method: 'POST', body });
  const notices = async () =>
    (await user.call<{ items: { kind: string; title: string; text: string }[] }>('/bff/v2/notifications?pageSize=100')).body.items;
  const tickers = async () => (await user.call<{ asOf: string; items: { symbol: string; price: string }[] }>('/bff/v1/tickers')).body;
  const priceOf = async (symbol: string) => Number((await tickers()).items.find((each) => each.symbol === symbol)?.price);

  /** Waits for what should be so; the market stands still meanwhile unless `stepMs` moves it. */
  const until = (what: string, holds: () => Promise<boolean>, stepMs = 0) =>
    untilSeen(what, holds, {
      time,
      stepMs: stepMs > 0 ? Math.min(Math.max(stepMs, 100), 1000) : 1000,
      meanwhile: stepMs > 0 ? () => simulator.clock.advance(stepMs) : undefined,
    });
  /** Moves the market to a minute after its beginning, and waits until the server has heard of all of it. */
  async function moveTo(minute: number): Promise<void> {
    const target = BEGIN + (plan.quiet + minute) * MINUTE;
    const heardAt = async () => Date.parse((await tickers()).asOf);
    // After a start the stream takes a moment; a market that ran away meanwhile would stand still when it is there.
    const before = await heardAt();
    await until('the market being heard', async () => (await heardAt()) > before, 1000);
    while (simulator.clock.now() < target) {
      await simulator.clock.advance(Math.min(MINUTE, target - simulator.clock.now()));
      await time.settled();
    }
    for (const [symbol, path] of Object.entries(plan.paths)) {
      const expected = path[plan.quiet + minute - 1]!;
      await until(`the price of minute ${minute}`, async () => Math.abs((await priceOf(symbol)) - expected) < 1);
    }
  }
  /** Hears the alerts' events until the test ends. */
  async function hear(who: SignedInUser): Promise<StreamPayload<'price-alerts'>[]> {
    const heard: StreamPayload<'price-alerts'>[] = [];
    const response = await time.during(
      fetch(`${server.url}/bff/v2/stream?topics=price-alerts`, {
        headers: { authorization: `Bearer ${who.session.accessToken}`, accept: 'text/event-stream', 'accept-encoding': 'identity' },
      }),
    );
    expect(response.status).toBe(200);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    void (async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += value;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (/^event: price-alerts$/m.test(event) && data) heard.push(JSON.parse(data) as StreamPayload<'price-alerts'>);
        }
      }
    })().catch(() => undefined);
    return heard;
  }
  return {
    get time() {
      return time;
    },
    get simulator() {
      return simulator;
    },
    get server() {
      return server;
    },
    get user() {
      return user;
    },
    send,
    create,
    btc,
    list,
    alertNow,
    firings,
    post,
    notices,
    until,
    moveTo,
    hear,
    /** Market time of a minute after the beginning. */
    at: (minute: number): number => BEGIN + (plan.quiet + minute) * MINUTE,
  };
}
