import type { StreamSubscriber } from '../websocket/stream-hub.ts';
import type { Upstream } from './upstream.ts';

/** What a name of a market stream can look like; anything else is not passed on. */
const NAME = /^(?:!?[\p{L}\p{N}_.-]{1,60})(?:@[\w:+@]{1,40})$/u;
type Topic = { readonly subscribers: Set<StreamSubscriber>; readonly stop: () => void };

/** The market streams of a mirror: those of its exchange, each listened to once for all who want it. */
export class MirrorHub {
  private readonly topics = new Map<string, Topic>();
  private readonly upstream: Upstream;
  private readonly isSilent: () => boolean;

  constructor(upstream: Upstream, isSilent: () => boolean) {
    this.upstream = upstream;
    this.isSilent = isSilent;
  }

  /** False when there is no such stream. */
  subscribe(name: string, subscriber: StreamSubscriber): boolean {
    if (!NAME.test(name)) return false;
    let topic = this.topics.get(name);
    if (!topic) {
      const subscribers = new Set<StreamSubscriber>();
      const stop = this.upstream.subscribe(name, (data) => {
        if (this.isSilent()) return;
        const text = JSON.stringify(data);
        for (const each of subscribers) each.send(name, text);
      });
      topic = { subscribers, stop };
      this.topics.set(name, topic);
    }
    topic.subscribers.add(subscriber);
    return true;
  }

  unsubscribe(name: string, subscriber: StreamSubscriber): void {
    const topic = this.topics.get(name);
    if (!topic?.subscribers.delete(subscriber) || topic.subscribers.size > 0) return;
    topic.stop();
    this.topics.delete(name);
  }
}
