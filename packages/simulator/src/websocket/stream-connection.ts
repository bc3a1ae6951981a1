import type { WebSocket } from 'ws';
import { inMicroseconds } from '../rest/time-unit.ts';
import { messageText } from './message-text.ts';
import type { StreamHub, StreamSubscriber } from './stream-hub.ts';

type Hub = Pick<StreamHub, 'subscribe' | 'unsubscribe'>;

/** Streams one connection may listen to. */
const MOST_STREAMS = 1024;
/** A client this far behind (bytes) is cut off, as it would only fall further. */
const LARGEST_BACKLOG = 32 * 1024 * 1024;

type Control = { method?: unknown; params?: unknown; id?: unknown };

/** One connection of the market streams: what it listens to, and its control messages. */
export class StreamConnection implements StreamSubscriber {
  private readonly socket: WebSocket;
  private readonly hub: Hub;
  private readonly streams = new Set<string>();
  private readonly messagesPerSecond: () => number;
  private readonly wallNow: () => number;
  private readonly micro: boolean;
  private combined: boolean;
  private second = { start: 0, count: 0 };

  constructor(
    socket: WebSocket,
    hub: Hub,
    options: { combined: boolean; micro: boolean; streams: readonly string[]; messagesPerSecond: () => number; wallNow: () => number },
  ) {
    this.socket = socket;
    this.hub = hub;
    this.combined = options.combined;
    this.micro = options.micro;
    this.messagesPerSecond = options.messagesPerSecond;
    this.wallNow = options.wallNow;
    for (const name of options.streams) this.listen(name);
    socket.on('message', (data) => this.onMessage(messageText(data)));
    // Pings and pongs count like control messages.
    socket.on('ping', () => void this.refused());
    socket.on('pong', () => void this.refused());
    socket.on('close', () => {
      for (const name of this.streams) hub.unsubscribe(name, this);
      this.streams.clear();
    });
  }

  send(stream: string, event: string): void {
    if (this.socket.bufferedAmount > LARGEST_BACKLOG) {
      this.socket.terminate();
      return;
    }
    // Hardly anybody asks for microseconds: the event is made once, for all the others.
    const text = this.micro ? JSON.stringify(inMicroseconds(JSON.parse(event))) : event;
    this.socket.send(this.combined ? `{"stream":${JSON.stringify(stream)},"data":${text}}` : text);
  }

  /** Tells the client something that belongs to no stream of its own. */
  announce(event: { e: string }): void {
    this.send(`!${event.e}`, JSON.stringify(event));
  }

  private listen(name: string): void {
    // Unknown streams are accepted and stay silent, as at the exchange.
    this.streams.add(name);
    this.hub.subscribe(name, this);
  }

  private onMessage(text: string): void {
    if (this.refused()) return;
    let control: Control;
    try {
      control = JSON.parse(text) as Control;
    } catch (error) {
      this.answer({ error: { code: 3, msg: `Invalid JSON: ${error instanceof Error ? error.message : ''}` }, id: '' });
      return;
    }
    const { id = null } = control;
    if (!(id === null || Number.isInteger(id) || (typeof id === 'string' && id.length <= 36))) {
      this.invalid('request ID must be an unsigned integer, a string of up to 36 characters, or null', null);
      return;
    }
    this.run(control, id);
  }

  private run({ method, params }: Control, id: unknown): void {
    switch (method) {
      case 'SUBSCRIBE':
      case 'UNSUBSCRIBE': {
        if (!Array.isArray(params) || !params.every((name) => typeof name === 'string')) {
          this.invalid('params must be a list of stream names', id);
          return;
        }
        if (method === 'SUBSCRIBE') {
          if (new Set([...this.streams, ...params]).size > MOST_STREAMS) {
            this.invalid(`too many streams, at most ${MOST_STREAMS}`, id);
            return;
          }
          for (const name of params) this.listen(name);
        } else {
          for (const name of params) if (this.streams.delete(name)) this.hub.unsubscribe(name, this);
        }
        this.answer({ result: null, id });
        return;
      }
      case 'LIST_SUBSCRIPTIONS':
        this.answer({ result: [...this.streams], id });
        return;
      case 'SET_PROPERTY': {
        const [name, value] = Array.isArray(params) ? (params as unknown[]) : [];
        if (name !== 'combined' || typeof value !== 'boolean') {
          this.invalid('property must be combined, with true or false', id);
          return;
        }
        this.combined = value;
        this.answer({ result: null, id });
        return;
      }
      case 'GET_PROPERTY':
        if (!Array.isArray(params) || params[0] !== 'combined') this.invalid('property must be combined', id);
        else this.answer({ result: this.combined, id });
        return;
      default:
        this.invalid(
          `unknown variant ${JSON.stringify(method) ?? 'undefined'}, expected one of SUBSCRIBE, UNSUBSCRIBE, LIST_SUBSCRIPTIONS, SET_PROPERTY, GET_PROPERTY`,
          id,
        );
    }
  }

  private invalid(reason: string, id: unknown): void {
    this.answer({ error: { code: 2, msg: `Invalid request: ${reason}` }, id });
  }

  private answer(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Counts a message; one too many in a second ends the connection. */
  private refused(): boolean {
    if (!this.tooFast()) return false;
    this.socket.close(1008, 'Too many requests');
    return true;
  }

  private tooFast(): boolean {
    const start = Math.floor(this.wallNow() / 1000);
    if (this.second.start !== start) this.second = { start, count: 0 };
    this.second.count += 1;
    return this.second.count > this.messagesPerSecond();
  }
}
