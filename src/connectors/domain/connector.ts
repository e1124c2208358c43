import type { Mode } from '#core/mode.ts';
import type { Report } from './report.ts';

/*
 * A connector translates the events of a billing or shop system. docs/explanation/write-a-connector.md explains how to
 * add a connector.
 */

export const CONNECTOR_KINDS = ['stripe', 'paddle', 'polar', 'shopify', 'woocommerce', 'medusa'] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

export const EVENT_STATES = ['pending', 'processed', 'ignored', 'waiting', 'dead-lettered', 'dismissed'] as const;
export type EventState = (typeof EVENT_STATES)[number];

export const CONNECTOR_STATUSES = ['active', 'deleted'] as const;

/** The maximum number of connectors of an organization, not counting deleted connectors. */
export const MAX_CONNECTORS = 50;

/**
 * Returns whether an event in the given state can be retried. A processed event can't be retried, because its reports
 * have been made.
 */
export function canRetry(state: EventState): boolean {
  return state !== 'processed';
}

/** Returns whether an event in the given state can be dismissed, so that it makes no report. */
export function canDismiss(state: EventState): boolean {
  return state === 'pending' || state === 'waiting' || state === 'dead-lettered';
}

/** Returns the advice for a request that expects another mode than the organization's `mode`. */
export function wrongModeText(mode: Mode): string {
  return mode === 'live'
    ? 'This organization is live, so its connectors accept live events only. For test events, create a test ' +
        'organization on the server with “whence organization create <name> --test”, and create the connector there.'
    : 'This is a test organization, so its connectors accept test events only. For live events, create the connector ' +
        'in a live organization.';
}

/** A JSON value. Integers that a number can't represent exactly are strings. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json | undefined };

/** An event whose signature is valid. */
export type SignedEvent = {
  /**
   * The id of the event, or a hash of its message if the sender signs no id. Events with the same id are stored once.
   */
  readonly id: string;
  readonly type: string;
  /**
   * The mode of the event, or null if the message doesn't state it. Events of another mode than the organization's are
   * stored as ignored. Events without a mode are always accepted.
   */
  readonly mode: Mode | null;
  readonly occurredAt: Date;
  /** The customer in the sender's system, if the event contains it. */
  readonly subject: string | null;
};

export type Verification =
  | { readonly kind: 'verified'; readonly event: SignedEvent }
  /** A message without an event, such as a ping, which can be unsigned. It is acknowledged but not stored. */
  | { readonly kind: 'no-event' }
  /** The signature is missing or wrong, or its timestamp is too far from the current time. */
  | { readonly kind: 'invalid-signature' }
  /** The signature is valid, but the body is not an event. */
  | { readonly kind: 'malformed' };

/**
 * A function that verifies a message of one kind of sender. The signature covers the exact bytes of the body. `now` is
 * the current time.
 */
export type Verify = (
  body: Buffer,
  header: (name: string) => string | undefined,
  secret: string,
  now: Date,
) => Promise<Verification>;

/** An event for a translator, with the parsed payload. */
export type ConnectorEvent = Omit<SignedEvent, 'mode' | 'subject'> & { readonly payload: JsonObject };

/**
 * The key of a link, which is a value that an event stores for later events. For example, a subscription has the kind
 * `subscription` and the subscription's id.
 */
export type LinkKey = { readonly kind: string; readonly externalId: string };
/** A link with its key. It replaces the previous link with the same key. */
export type Link = LinkKey & { readonly value: JsonObject };
export type FindLink = (kind: string, externalId: string) => JsonObject | undefined;

export type Translation =
  /** `reports` are made in their order, and `links` are stored with them. Either all of them are stored or none. */
  | { readonly kind: 'translated'; readonly reports: readonly Report[]; readonly links: readonly Link[] }
  /** The event doesn't affect the money of any sale. Its links are stored. */
  | { readonly kind: 'ignored'; readonly reason: string; readonly links?: readonly Link[] }
  /**
   * The event needs one of the links in `waitsFor`, which other events store. It is translated again when such a link
   * is stored, and periodically. After MAX_WAIT_DAYS, it is dead-lettered.
   */
  | { readonly kind: 'waiting'; readonly reason: string; readonly waitsFor: readonly LinkKey[] }
  /** The event can't be translated, and waiting doesn't help. It is dead-lettered. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The inputs of a translation in addition to the event and the links. */
export type TranslationContext = {
  readonly source: string;
  /** How long the event has waited for a link, in hours. After some time, a translation can decide without the link. */
  readonly waitedHours: number;
};

/**
 * The part of a connector without side effects. Settings are passed as stored, so they can lack fields that a later
 * version added.
 */
export type Translator = {
  /** Returns the keys of the links that the translation of an event reads. */
  readonly linkKeys: (event: ConnectorEvent) => readonly LinkKey[];
  readonly translate: (
    event: ConnectorEvent,
    find: FindLink,
    settings: JsonObject,
    context: TranslationContext,
  ) => Translation;
};

/** Returns the translation of an event that Whence can't read. `fault` is the reason, as a sentence. */
export function unreadable(fault: string): Translation {
  return { kind: 'failed', reason: `${fault} ${UNREADABLE_ADVICE}` };
}

/** The advice for an event that Whence can't read. */
export const UNREADABLE_ADVICE =
  'Update Whence and retry the event. If it fails again, dismiss it and report any payment or refund with the API.';

/** The number of days after which an event that waits for a link is dead-lettered. */
export const MAX_WAIT_DAYS = 30;
