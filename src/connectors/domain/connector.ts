import type { Report } from './report.ts';

/*
 * A connector translates the events of one billing or shop system. docs/explanation/write-a-connector.md says how to add one.
 */

export const CONNECTOR_KINDS = ['stripe'] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** A connector accepts events of one mode. Events of the other mode are kept and ignored. */
export const CONNECTOR_MODES = ['live', 'test'] as const;
export type ConnectorMode = (typeof CONNECTOR_MODES)[number];

export const EVENT_STATES = ['pending', 'processed', 'ignored', 'waiting', 'dead-lettered', 'dismissed'] as const;
export type EventState = (typeof EVENT_STATES)[number];

export const CONNECTOR_STATUSES = ['active', 'deleted'] as const;

/** The maximum number of connectors of an organization, without deleted ones. */
export const MAX_CONNECTORS = 50;

/** Returns whether an event can be worked in again. A processed one has been reported. */
export function canRetry(state: EventState): boolean {
  return state !== 'processed';
}

/** Returns whether an event can be closed without a report. */
export function canDismiss(state: EventState): boolean {
  return state === 'pending' || state === 'waiting' || state === 'dead-lettered';
}

/** A JSON value. Integers beyond 2^53 are texts. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json | undefined };

/** An event whose signature is valid. */
export type SignedEvent = {
  /** The sender's id. The same id is stored once. */
  readonly id: string;
  readonly type: string;
  /** Null if the sender doesn't say. */
  readonly mode: ConnectorMode | null;
  readonly occurredAt: Date;
  /** The customer in the sender's system, if the event names one. */
  readonly subject: string | null;
};

export type Verification =
  | { readonly kind: 'verified'; readonly event: SignedEvent }
  /** A signed message without an event, such as a ping. It is answered and not stored. */
  | { readonly kind: 'no-event' }
  /** The signature is missing, wrong or too old. */
  | { readonly kind: 'invalid-signature' }
  /** The signature is valid, but the body is not an event. */
  | { readonly kind: 'malformed' };

/** Verifies a message of one kind of sender over its exact bytes. `now` is the current time. */
export type Verify = (
  body: Buffer,
  header: (name: string) => string | undefined,
  secret: string,
  now: Date,
) => Promise<Verification>;

/** An event as it is translated. */
export type ConnectorEvent = Omit<SignedEvent, 'mode' | 'subject'> & { readonly payload: JsonObject };

/** Names what an event leaves for later ones, such as `subscription` and its id. */
export type LinkKey = { readonly kind: string; readonly externalId: string };
/** `value` replaces an earlier value of the same key. */
export type Link = LinkKey & { readonly value: JsonObject };
export type FindLink = (kind: string, externalId: string) => JsonObject | undefined;

export type Translation =
  /** Reports to make, in this order, and links to store with them. All or nothing. */
  | { readonly kind: 'translated'; readonly reports: readonly Report[]; readonly links: readonly Link[] }
  /** The event is not about money of a sale. Its links are stored. */
  | { readonly kind: 'ignored'; readonly reason: string; readonly links?: readonly Link[] }
  /**
   * The event needs one of these links, which other events leave. It is translated again when one appears, and from
   * time to time. After MAX_WAIT_DAYS, it is dead-lettered.
   */
  | { readonly kind: 'waiting'; readonly reason: string; readonly waitsFor: readonly LinkKey[] }
  /** The event can't be translated, and waiting doesn't help. It is dead-lettered. */
  | { readonly kind: 'failed'; readonly reason: string };

/** What the translation may depend on besides the event and the links. */
export type TranslationContext = {
  /** The `source` of all reports. */
  readonly source: string;
  /** How long this event has waited for a link, in hours. A translation may decide without the link then. */
  readonly waitedHours: number;
};

/** The pure part of a connector. `settings` are as stored, so they may lack what a later version has added. */
export type Translator = {
  /** The links that the translation of this event reads. */
  readonly linkKeys: (event: ConnectorEvent) => readonly LinkKey[];
  readonly translate: (
    event: ConnectorEvent,
    find: FindLink,
    settings: JsonObject,
    context: TranslationContext,
  ) => Translation;
};

/** The longest time that an event waits for a link before it is dead-lettered. */
export const MAX_WAIT_DAYS = 30;
