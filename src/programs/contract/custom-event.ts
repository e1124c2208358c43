import { isReservedSlug, SLUG_PATTERN } from '../domain/custom-event.ts';
import type { CustomEventId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, field, id, object, refusal, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Custom events');
const CUSTOM_EVENT_STATUSES = ['active', 'deleted'] as const;

/** The error text for a malformed slug. */
const NO_SLUG =
  'This must have at most 64 lower-case letters, digits and hyphens, and begin with a letter, such as quiz-done.';

/** The field for the slug that identifies a custom event in reports and triggers. */
const slug = field<string>(
  { type: 'string', pattern: SLUG_PATTERN.source },
  {
    description:
      'The name in programs and reports. `site-visit` and the last path segments of the built-in reports, such as `sale`, ' +
      'are reserved.',
    example: 'quiz-done',
  },
  (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (!SLUG_PATTERN.test(value)) return refusal('invalid-format', NO_SLUG);
    return isReservedSlug(value) ? refusal('reserved', 'This slug is reserved. Choose another slug.') : value;
  },
);
const name = text(1, 255, { description: 'The name that people see.', example: 'Finished the quiz' });

export const customEvent = z
  .strictObject({
    id: shownId({ description: 'The custom event’s id.', example: 4 }),
    slug: shownText({ description: 'The name in programs and reports.', example: 'quiz-done' }),
    name: shownText({ description: 'The name that people see.', example: 'Finished the quiz' }),
    status: shownChoice(CUSTOM_EVENT_STATUSES, { description: '`active → deleted`.' }),
    createdAt: shownTime({ description: 'When it was created.' }),
    deletedAt: shownTime({ description: 'When it was deleted. Null for an active event.' }).nullable(),
  })
  .meta({ id: 'CustomEvent', description: 'A custom event, which programs can use as a trigger.' });

const customEventId = z.object({ id: id<CustomEventId>({ description: 'The custom event’s id.', example: 4 }) });

export const listCustomEvents = operation({
  method: 'GET',
  path: '/v1/custom-events',
  summary: 'List custom events',
  description: 'Lists the custom events that are not deleted. `status=deleted` lists deleted custom events.',
  scope: 'resources:read',
  query: listQuery(['id', 'slug', 'createdAt'], {
    slug: text(1, 64, { description: 'The custom event with this slug.', example: 'quiz-done' }),
    status: choice(CUSTOM_EVENT_STATUSES, { description: 'Custom events in this state.' }),
  }),
  mayLag: true,
  success: listSuccess(customEvent, 'Custom events.'),
});

export const createCustomEvent = operation({
  method: 'POST',
  path: '/v1/custom-events',
  summary: 'Create a custom event',
  description: 'Creates a custom event. Programs can then use its slug in `triggers`.',
  scope: 'resources:write',
  body: object({ slug, name }),
  success: { status: 201, description: 'The custom event.', body: customEvent },
  problems: ['slug-taken'],
});

export const getCustomEvent = operation({
  method: 'GET',
  path: '/v1/custom-events/{id}',
  summary: 'Get a custom event',
  description: 'Returns a custom event. This also works for deleted custom events.',
  scope: 'resources:read',
  params: customEventId,
  success: { description: 'The custom event.', body: customEvent },
});

export const deleteCustomEvent = operation({
  method: 'DELETE',
  path: '/v1/custom-events/{id}',
  reader: getCustomEvent,
  summary: 'Delete a custom event',
  description:
    'Deletes a custom event. It can no longer be reported, and its slug can be used again. The call is refused ' +
    'while a program that is not deleted uses the event as a trigger. Repeating the call changes nothing.',
  scope: 'resources:write',
  params: customEventId,
  success: {
    description: 'The changed custom event.',
    body: customEvent,
    example: { status: 'deleted', deletedAt: '2026-12-01T08:00:00.000Z' },
  },
  problems: ['invalid-transition'],
});
