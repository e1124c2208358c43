import type { Webhook } from '@whence/sdk';
import { webhooks as texts } from './webhooks-texts.ts';

/** Returns the subscribed events of a webhook as a text: “All events”, up to two names, or the number of events. */
export function eventsText(events: Webhook['events']): string {
  if (events.includes('*')) return texts.allEvents;
  return events.length <= 2 ? events.join(', ') : texts.someEvents(events.length);
}
