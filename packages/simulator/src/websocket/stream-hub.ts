import { candleStart } from '../market/candles.ts';
import type { Pair, Tick } from '../market/market-contract.ts';
import { type MarketView, quantityText } from '../market/market-view.ts';
import { miniTickerEvent, tickerEvent, windowTicker } from '../rest/ticker-payload.ts';
import { readStream, type Stream } from './stream-name.ts';
import {
  aggregateTradeEvent,
  averageEvent,
  type BookCopy,
  bookTickerEvent,
  copyBook,
  depthEvent,
  klineEvent,
  partialBook,
  tradeEvent,
} from './stream-payload.ts';

/** Who gets a stream's events: the name and the event as JSON, made once for all subscribers. */
export type StreamSubscriber = { send(stream: string, event: string): void };

type Topic = {
  readonly name: string;
  readonly stream: Stream;
  readonly subscribers: Set<StreamSubscriber>;
  /** Market time of the last event. */
  sentAt: number;
  /** Id of the last trade that was told, for streams that speak only when something traded. */
  lastId: number;
  book: BookCopy | undefined;
};

/** Shortest market time between two events of a stream, ms. */
const SECOND = 1000;
const BEATS = { kline: 2000, ticker: 1000, book: 100 } as const;
/** Most changes of best prices that are sent in one step: far above speed 1 there would be time for nothing else. */
const MOST_BOOK_TICKERS = 1000;
/** The whole market is told no more often than this, wall ms: far above speed 1 nothing else would be done. */
const BOARD_BEAT = 200;
/** Nor more rarely than this, market ms: who hears nothing for a minute takes it for a gap. */
const LONGEST_BOARD_BEAT = 50_000;

/**
 * The market streams. Trades, best prices: one event a trade. All others: at most one a beat of **market** time, and
 * at least one whenever a bar closes, so that nothing is missed at high speed.
 */
export class StreamHub {
  private readonly view: MarketView;
  private readonly speed: () => number | 'max';
  private readonly topics = new Map<string, Topic>();
  private readonly tradeTopics = new Map<number, Topic[]>();
  private readonly told = new Map<number, number>();
  /** Changes of best prices a second of market time beside those of trades. */
  bookRate: (pair: Pair) => number = () => 0;

  /** `speed`: market ms per wall ms. */
  constructor(view: MarketView, speed: () => number | 'max') {
    this.view = view;
    this.speed = speed;
  }

  /** False when there is no such stream. */
  subscribe(name: string, subscriber: StreamSubscriber): boolean {
    let topic = this.topics.get(name);
    if (!topic) {
      const stream = readStream(name, (symbol) => this.view.find(symbol));
      if (!stream) return false;
      topic = { name, stream, subscribers: new Set(), sentAt: this.view.now(), lastId: -1, book: undefined };
      if (stream.kind === 'depthUpdate') topic.book = copyBook(this.view, stream.pair);
      this.topics.set(name, topic);
      if (stream.kind === 'trade' || stream.kind === 'aggTrade' || stream.kind === 'bookTicker') {
        const { index } = stream.pair;
        this.tradeTopics.set(index, [...(this.tradeTopics.get(index) ?? []), topic]);
      }
    }
    topic.subscribers.add(subscriber);
    return true;
  }

  unsubscribe(name: string, subscriber: StreamSubscriber): void {
    const topic = this.topics.get(name);
    if (!topic?.subscribers.delete(subscriber) || topic.subscribers.size > 0) return;
    this.topics.delete(name);
    if (!('pair' in topic.stream)) return;
    const { index } = topic.stream.pair;
    const left = (this.tradeTopics.get(index) ?? []).filter((other) => other !== topic);
    if (left.length > 0) this.tradeTopics.set(index, left);
    else this.tradeTopics.delete(index);
  }

  *followed(): Iterable<Pair> {
    for (const index of this.tradeTopics.keys()) yield this.view.market.pairs[index]!;
  }

  onTick(tick: Tick): void {
    const topics = this.tradeTopics.get(tick.pair.index);
    if (!topics) return;
    for (const topic of topics) {
      const { kind } = topic.stream;
      const event = kind === 'trade' ? tradeEvent(tick) : kind === 'aggTrade' ? aggregateTradeEvent(tick) : this.bookTickerOf(topic, tick);
      this.publish(topic, event);
    }
  }

  onStep(now: number, barClosed: boolean): void {
    const speed = this.speed();
    const boardBeat = speed === 'max' ? BEATS.ticker : Math.min(LONGEST_BOARD_BEAT, Math.max(BEATS.ticker, speed * BOARD_BEAT));
    for (const topic of this.topics.values()) {
      const { stream } = topic;
      const due = (beat: number): boolean => barClosed || now - topic.sentAt >= beat;
      switch (stream.kind) {
        case 'kline':
          this.onKline(topic, stream, now, barClosed);
          break;
        case 'allMiniTickers':
          if (now - topic.sentAt >= boardBeat || (barClosed && boardBeat === BEATS.ticker)) this.publishAllMiniTickers(topic, now);
          break;
        case 'miniTicker':
          if (due(BEATS.ticker) && this.traded(topic, stream.pair)) this.publish(topic, miniTickerEvent(this.view, stream.pair));
          break;
        case 'ticker':
          if (due(BEATS.ticker) && this.traded(topic, stream.pair)) this.publish(topic, tickerEvent(this.view, stream.pair));
          break;
        case 'windowTicker':
          if (due(BEATS.ticker) && this.traded(topic, stream.pair)) this.publish(topic, this.windowEvent(stream));
          break;
        case 'bookTicker':
          this.publishBookTickers(topic, stream.pair, now);
          break;
        case 'avgPrice':
          if (due(BEATS.ticker) && this.traded(topic, stream.pair)) this.publish(topic, averageEvent(this.view, stream.pair));
          break;
        case 'book':
          if (due(BEATS.book) && this.traded(topic, stream.pair)) this.publish(topic, partialBook(this.view, stream.pair, stream.levels));
          break;
        case 'depthUpdate':
          if (due(BEATS.book)) this.publishDepth(topic, stream.pair);
          break;
        default:
          break;
      }
    }
  }

  private onKline(topic: Topic, stream: Extract<Stream, { kind: 'kline' }>, now: number, barClosed: boolean): void {
    const { pair, interval, offset } = stream;
    if (interval.length === SECOND) {
      // Steps end on minutes, not on seconds: the second that ended since the last event is told as closed.
      const end = Math.floor((now + 1) / SECOND) * SECOND - 1;
      const event = end > topic.sentAt ? klineEvent(this.view, pair, interval, end, offset) : null;
      if (event) this.publish(topic, event);
      return;
    }
    const closes = barClosed && candleStart(interval, now + 1, offset) === now + 1;
    if (!closes && (now - topic.sentAt < BEATS.kline || !this.traded(topic, pair))) return;
    const event = klineEvent(this.view, pair, interval, now, offset);
    if (event) this.publish(topic, event);
  }

  /** Its update id never goes back, however many changes were sent since the last trade. */
  private bookTickerOf(topic: Topic, tick: Tick): ReturnType<typeof bookTickerEvent> {
    const event = bookTickerEvent(this.view, tick);
    topic.lastId = Math.max(event.u, topic.lastId + 1);
    return { ...event, u: topic.lastId };
  }

  /** Orders come and go at the best prices: the quantities there change with each event. */
  private publishBookTickers(topic: Topic, pair: Pair, now: number): void {
    const due = Math.floor(((now - topic.sentAt) * this.bookRate(pair)) / SECOND);
    if (due === 0) return;
    const last = { pair, ...this.view.last(pair) };
    for (let sent = Math.min(due, MOST_BOOK_TICKERS); sent > 0; sent -= 1) {
      const event = this.bookTickerOf(topic, last);
      const lots = (event.u % 9) + 1;
      this.publish(topic, { ...event, B: quantityText(pair, lots), A: quantityText(pair, 10 - lots) });
    }
  }

  private publishDepth(topic: Topic, pair: Pair): void {
    const before = topic.book ?? copyBook(this.view, pair);
    const last = this.view.last(pair);
    if (this.view.book(pair, 1, last).lastUpdateId <= before.version) return;
    const after = copyBook(this.view, pair);
    const event = depthEvent(this.view, pair, before, after);
    topic.book = after;
    if (event) this.publish(topic, event);
  }

  private publishAllMiniTickers(topic: Topic, now: number): void {
    const changed: unknown[] = [];
    for (const pair of this.view.market.pairs) {
      if (pair.listedAt > now) continue;
      const { id } = this.view.last(pair);
      if (this.told.get(pair.index) === id) continue;
      this.told.set(pair.index, id);
      changed.push(miniTickerEvent(this.view, pair));
    }
    // Also that nothing changed. At the exchange some pair trades in every second; a replay of a few is quiet for twenty,
    // and who listens would take that for a dead connection, and miss the next trade by opening another.
    this.publish(topic, changed);
  }

  private windowEvent({ pair, window, name }: Extract<Stream, { kind: 'windowTicker' }>): Record<string, unknown> {
    const now = this.view.now();
    const from = Math.floor(now / 60_000) * 60_000 - window + 60_000;
    const row = windowTicker(this.view, pair, from, now, false);
    return {
      e: `${name}Ticker`,
      E: now,
      s: pair.symbol,
      p: row.priceChange,
      P: row.priceChangePercent,
      o: row.openPrice,
      h: row.highPrice,
      l: row.lowPrice,
      c: row.lastPrice,
      w: row.weightedAvgPrice,
      v: row.volume,
      q: row.quoteVolume,
      O: row.openTime,
      C: row.closeTime,
      F: row.firstId,
      L: row.lastId,
      n: row.count,
    };
  }

  /** Whether the pair traded since the topic last spoke. */
  private traded(topic: Topic, pair: Pair): boolean {
    const { id } = this.view.last(pair);
    if (topic.lastId === id) return false;
    topic.lastId = id;
    return true;
  }

  private publish(topic: Topic, event: unknown): void {
    topic.sentAt = this.view.now();
    const text = JSON.stringify(event);
    for (const subscriber of topic.subscribers) subscriber.send(topic.name, text);
  }
}
