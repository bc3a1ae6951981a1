/** A refusal as the exchange words it: HTTP status, numeric code, message and, for a few, data. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  /** Seconds after which another try makes sense (429 and 418 only). */
  readonly retryAfter: number | undefined;

  constructor(code: number, message: string, options: { status?: number; data?: unknown; retryAfter?: number } = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? 400;
    this.data = options.data;
    this.retryAfter = options.retryAfter;
  }
}

export const invalidSymbol = (): ApiError => new ApiError(-1121, 'Invalid symbol.');
export const filterFailure = (filter: string): ApiError => new ApiError(-1013, `Filter failure: ${filter}`);
export const orderRejected = (message: string): ApiError => new ApiError(-2010, message);
export const cancelRejected = (): ApiError => new ApiError(-2011, 'Unknown order sent.');
export const missingParameter = (name: string): ApiError =>
  new ApiError(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
export const illegalCharacters = (name: string, range: string): ApiError =>
  new ApiError(-1100, `Illegal characters found in parameter '${name}'; legal range is '${range}'.`);
export const invalidKey = (): ApiError => new ApiError(-2015, 'Invalid API-key, IP, or permissions for action.', { status: 401 });
