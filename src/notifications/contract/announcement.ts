import { z } from 'zod';
import { id, object, optional, parameters, text } from '#core/contract/fields.ts';
import { NOT_BLANK } from '#core/contract/text.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';
import { tagText } from '#collaborators/contract/collaborator.ts';
import type { ProgramId } from '#core/ids.ts';
import { MAX_ANNOUNCEMENT, MAX_RECIPIENTS, MAX_SUBJECT } from '../domain/announcement.ts';

const operation = operationsOf('Portal');
const TEXT = 'The text. The email shows web addresses in the text as links.';
const EXAMPLE = {
  subject: 'Double commissions in December',
  text: 'From December 1 to 24, you earn twice as much.\n\nNew banners: https://mugs.example/banners',
};

const written = {
  subject: text(
    1,
    MAX_SUBJECT,
    { description: 'The subject of the email.', example: EXAMPLE.subject },
    { noControlCharacters: true, ...NOT_BLANK },
  ),
  text: text(1, MAX_ANNOUNCEMENT, { description: TEXT, example: EXAMPLE.text }, NOT_BLANK),
};

const audience = {
  programId: optional(id<ProgramId>({ description: 'Only collaborators who can earn in this program.', example: 3 })),
  tag: optional(tagText),
};

const announcement = z
  .strictObject({
    id: shownId({ description: 'The announcement’s id.', example: 4 }),
    subject: shownText({ description: 'The subject of the email.', example: EXAMPLE.subject }),
    text: shownText({ description: TEXT, example: EXAMPLE.text }),
    programId: shownId({ description: 'The program whose collaborators it was sent to.', example: 3 }).nullable(),
    tag: shownText({ description: 'The tag of the collaborators it was sent to.', example: 'gold' }).nullable(),
    recipients: shownInteger({ description: 'The number of collaborators it was sent to.', example: 120 }),
    author: shownText({ description: 'Who sent it, as in the audit log.', example: 'person 5' }),
    createdAt: shownTime({ description: 'When it was sent.' }),
  })
  .meta({ id: 'Announcement', description: 'An email from you to many collaborators.' });

export const listAnnouncements = operation({
  method: 'GET',
  path: '/v1/announcements',
  summary: 'List announcements',
  description: 'Lists the announcements to collaborators, newest first.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {}),
  success: listSuccess(announcement, 'Announcements.'),
});

export const countRecipients = operation({
  method: 'GET',
  path: '/v1/announcements/recipients',
  summary: 'Count the recipients of an announcement',
  description: 'Returns the number of collaborators to whom an announcement would be sent.',
  scope: 'resources:read',
  query: parameters(audience),
  success: {
    description: 'The number.',
    body: z
      .strictObject({
        count: shownInteger({ description: `The number, at most ${MAX_RECIPIENTS + 1}.`, example: 120 }),
      })
      .meta({ id: 'RecipientCount', description: 'The recipients of an announcement.' }),
  },
});

export const sendAnnouncement = operation({
  method: 'POST',
  path: '/v1/announcements',
  summary: 'Send an announcement',
  description:
    'Sends an email to all active collaborators with an email address. With `programId`, only collaborators who can earn ' +
    'in the program get it. With `tag`, only collaborators with the tag get it. Collaborators who unsubscribed from ' +
    'announcements get none. The portal must be open. The ' +
    `emails are sent at the pace of the mail server. Limits: ${MAX_RECIPIENTS.toLocaleString('en-US')} recipients, and ` +
    '5 announcements per organization in a day.',
  scope: 'resources:write',
  fresh: true,
  example: EXAMPLE,
  body: object({ ...written, ...audience }),
  success: {
    status: 201,
    description: 'The announcement.',
    body: announcement,
    example: { programId: null, tag: null },
  },
  problems: ['invalid-transition'],
});

export const testAnnouncement = operation({
  method: 'POST',
  path: '/v1/announcements/test',
  summary: 'Send a test of an announcement to yourself',
  description: 'Sends the announcement only to you, as collaborators would get it. Limit: 20 emails in an hour.',
  scope: 'account',
  example: EXAMPLE,
  body: object(written),
  success: { description: 'The email is queued. No body.' },
  problems: ['invalid-transition'],
});
