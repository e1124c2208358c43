import type { Webhook } from '@whence/sdk';
import { webhooks as texts } from './webhooks-texts.ts';

/** Returns a short text about the subscribed events of a webhook. */
export function heardText(events: Webhook['events']): string {
  if (events.includes('*')) return texts.allEvents;
  return events.length <= 2 ? events.join(', ') : texts.someEvents(events.length);
}
