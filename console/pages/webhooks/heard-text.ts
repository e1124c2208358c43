import type { Webhook } from '@whence/sdk';
import { webhooks as texts } from '#console/texts/webhooks.ts';

/** What a webhook hears of, in a few words. */
export function heardText(events: Webhook['events']): string {
  if (events.includes('*')) return texts.allEvents;
  return events.length <= 2 ? events.join(', ') : texts.someEvents(events.length);
}
