import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { standardLogDestination } from '../app/log-destination.ts';

/** What the process counts; shown at /metrics to this machine only. */
export type Metrics = {
  readonly registry: Registry;
  readonly requests: Histogram<'route' | 'method' | 'status'>;
  readonly authEvents: Counter<'action' | 'outcome'>;
  readonly streamClients: Gauge;
  readonly streamDropped: Counter<'reason'>;
  readonly unreadRows: Counter<'list'>;
  readonly logDropped: Gauge;
};

/** @param withProcess also memory, CPU and event-loop figures (off in tests: they install timers and observers) */
export function createMetrics(withProcess: boolean): Metrics {
  const registry = new Registry();
  if (withProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'pilotfish_http_request_seconds',
      help: 'Duration of HTTP requests',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    authEvents: new Counter({
      name: 'pilotfish_auth_events_total',
      help: 'Authentication events',
      labelNames: ['action', 'outcome'],
      registers,
    }),
    streamClients: new Gauge({ name: 'pilotfish_stream_clients', help: 'Open event streams', registers }),
    streamDropped: new Counter({
      name: 'pilotfish_stream_dropped_total',
      help: 'Event streams ended by the server',
      labelNames: ['reason'],
      registers,
    }),
    unreadRows: new Counter({
      name: 'pilotfish_exchange_unread_rows_total',
      help: 'Rows of the exchange that could not be read and were left out',
      labelNames: ['list'],
      registers,
    }),
    logDropped: new Gauge({
      name: 'pilotfish_log_dropped_lines',
      help: 'Lines of the log that could not be written since the process began',
      registers,
      collect() {
        this.set(standardLogDestination().dropped);
      },
    }),
  };
}
