import type { Readable } from 'node:stream';
import type { Contract, EndpointId } from '@pilotfish/core/http/contract';
import type { HandlerAnswer, HandlerInput } from '@pilotfish/core/http/endpoint';
import type { Language } from './texts.ts';

/** The account behind an access token. */
export type SignedIn = { readonly id: string; readonly username: string; readonly sessionId: string };

/** Where a call came from; goes into sessions and the audit log. */
export type Origin = {
  readonly address: string;
  readonly device: string;
  readonly requestId: string;
  /** What the device kept of earlier sign-ins, and how it is given more to keep; see `auth/known-devices.ts`. */
  readonly deviceTokens?: readonly string[];
  readonly keepDeviceTokens?: (tokens: readonly string[]) => void;
};

export type UploadedFile = {
  readonly name: string;
  readonly mimeType: string;
  readonly stream: Readable;
  /** Those of the endpoint's `formFields` that stood before it. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Reads to the end of the form. @throws AppError `invalid` when more than the file comes: whoever deals with the file has not seen it */
  readonly end?: () => Promise<void>;
};

/** What surrounds the parsed input of a call. */
export type Surroundings = {
  /** The account; only for endpoints of access `user` and `admin` (others throw `unauthenticated`). */
  readonly account: SignedIn;
  /** The account when there is one; for access `optional`. */
  readonly caller: SignedIn | undefined;
  /** The raw bearer of access `pending` and `refresh`. */
  readonly bearer: string;
  readonly origin: Origin;
  readonly language: Language;
  readonly header: (name: string) => string | undefined;
  /** Aborts when whoever called goes away before the answer. */
  readonly gone: () => AbortSignal;
  /** The one file of a `multipart` call. @throws AppError `invalid` when there is none */
  readonly file: () => Promise<UploadedFile>;
};

export type Call<E> = HandlerInput<E> & Surroundings;

/** Answers one endpoint: parsed input in, the contract's answer out, `AppError` for refusals. */
export type Handler<E> = (call: Call<E>) => Promise<HandlerAnswer<E>> | HandlerAnswer<E>;

export type Handlers = { readonly [Id in EndpointId]: Handler<Contract[Id]> };
