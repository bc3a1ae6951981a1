import { type Decimal, decimal } from '@pilotfish/core/money/decimal';
import { ApiError, illegalCharacters, missingParameter } from './api-error.ts';

const DECIMAL = /^\d{1,20}(?:\.\d{1,20})?$/;
const DECIMAL_RANGE = '^([0-9]{1,20})(\\.[0-9]{1,20})?$';
const INTEGER = /^\d{1,20}$/;
/** Amounts may have this many digits after the point (asset precision). */
const PRECISION = 8;
/** Belong to every request, not to one call; `returnRateLimits` is part of what a WebSocket API request signs. */
const ALWAYS_READ = ['signature', 'timestamp', 'recvWindow', 'apiKey', 'returnRateLimits'];
/** A time at or above this is in microseconds. */
const MICROSECONDS = 1e14;

/** The parameters of one request, whatever carried them. Remembers which were read, so that unknown ones are refused. */
export class RequestParameters {
  private readonly values: ReadonlyMap<string, string>;
  private readonly read = new Set<string>(ALWAYS_READ);

  constructor(values: ReadonlyMap<string, string>) {
    this.values = values;
  }

  /** True when the parameter was sent, even empty. */
  has(name: string): boolean {
    return this.values.has(name);
  }

  entries(): IterableIterator<[string, string]> {
    return this.values.entries();
  }

  text(name: string): string | undefined {
    this.read.add(name);
    const value = this.values.get(name);
    if (value === '') throw new ApiError(-1105, `Parameter '${name}' was empty.`);
    return value;
  }

  required(name: string): string {
    this.read.add(name);
    const value = this.values.get(name);
    if (!value) throw missingParameter(name);
    return value;
  }

  /** A whole number ≥ 0. */
  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!INTEGER.test(value)) throw illegalCharacters(name, '^[0-9]{1,20}$');
    return Number(value);
  }

  /** A moment in ms; microseconds are accepted. */
  time(name: string): number | undefined {
    const value = this.integer(name);
    return value !== undefined && value >= MICROSECONDS ? Math.floor(value / 1000) : value;
  }

  /** Number of rows: `standard` when absent, never more than `most`. */
  limit(standard: number, most: number): number {
    const value = this.integer('limit') ?? standard;
    if (value < 1) throw new ApiError(-1130, "Data sent for parameter 'limit' is not valid.");
    return Math.min(value, most);
  }

  /** An amount of money. */
  amount(name: string): Decimal | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!DECIMAL.test(value)) throw illegalCharacters(name, DECIMAL_RANGE);
    const point = value.indexOf('.');
    if (point >= 0 && value.slice(point + 1).replace(/0+$/, '').length > PRECISION) {
      throw new ApiError(-1111, `Parameter '${name}' has too much precision.`);
    }
    return decimal(value);
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const lower = value.toLowerCase();
    if (lower !== 'true' && lower !== 'false') throw illegalCharacters(name, '^(true|false)$');
    return lower === 'true';
  }

  choice<T extends string>(name: string, allowed: readonly T[], error: ApiError): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!(allowed as readonly string[]).includes(value)) throw error;
    return value as T;
  }

  /** Refuses parameters nobody read: a misspelt name must not be ignored silently. */
  finish(): void {
    const unknown = [...this.values.keys()].filter((name) => !this.read.has(name));
    if (unknown.length === 0) return;
    const sent = this.values.size;
    throw new ApiError(-1104, `Not all sent parameters were read; read '${sent - unknown.length}' parameter(s) but was sent '${sent}'.`);
  }
}
