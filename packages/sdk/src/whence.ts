import { Client, type WhenceOptions } from './client.ts';
import { Resources } from './generated/resources/all.ts';

/**
 * The client of one organization with one key. Create it once and use it everywhere: it has no connection and no
 * state.
 *
 * @example
 * const whence = new Whence({ baseUrl: 'https://whence.example', apiKey: process.env.WHENCE_KEY });
 * const opportunity = await whence.report.visit({ collaboratorId: 'tracking:ada' });
 */
export class Whence extends Resources {
  constructor(options: WhenceOptions) {
    super(new Client(options));
  }
}

export { decimalsOf, toMajor, toMinor } from './amounts.ts';
export type {
  Answer,
  Call,
  Id,
  OpportunityOptions,
  PostOptions,
  RequestOptions,
  VersionOptions,
  WhenceOptions,
} from './client.ts';
export {
  type AnsweredProblem,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PreconditionError,
  type ProblemCode,
  RateLimitError,
  type SdkCode,
  ServerError,
  TimeoutError,
  WebhookVerificationError,
  WhenceError,
} from './errors.ts';
export { List, type Page } from './list.ts';
export type * from './generated/schemas.ts';
export type { WebhookEvent, WebhookEventType } from './generated/webhook-event.ts';
export { type IncomingHeaders, signWebhook, type VerifyOptions, verifyWebhook } from './webhook-signature.ts';
