import type * as contract from '../contract/announcement.ts';
import { MAX_RECIPIENTS } from '../domain/announcement.ts';
import { sendAnnouncement, testAnnouncement } from '../commands/send-announcement.ts';
import { announcements, countAudience } from '../store/announcements.ts';
import { personOf, type Site, throttledProblem } from '#access/routes/session-answers.ts';
import { normalizeTags } from '#collaborators/domain/collaborator.ts';
import { faultAt, problem } from '#core/contract/problem.ts';
import { answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export function announcementHandlers({ secrets, publicUrl }: Site): HandlersFor<typeof contract> {
  return {
    listAnnouncements: (request) => answerPage(request, announcements),

    countRecipients: async ({ tenant, query: { programId = null, tag } }) =>
      answer(200, { count: await countAudience(tenant, { programId, tag: storedTag(tag) }, MAX_RECIPIENTS + 1) }),

    sendAnnouncement: async ({ auth: { author }, tenant, body: { programId = null, tag, subject, text } }) => {
      const sending = await sendAnnouncement(tenant, secrets, {
        subject,
        text,
        author,
        programId,
        tag: storedTag(tag),
      });
      return answerOutcome(sending, {
        sent: ({ announcement }) => answer(201, announcement),
        'no-portal': NO_PORTAL,
        'unknown-program': faultAt('/programId', 'unknown-program', 'No program has this id. Check the id.'),
        nobody: problem(
          'invalid-transition',
          'No partner would get this announcement. Check the program and the tag. Partners must be active, have an email address, and not have unsubscribed.',
        ),
        'too-many': problem(
          'invalid-transition',
          `An announcement can have at most ${MAX_RECIPIENTS.toLocaleString('en-US')} recipients. Choose a program or a tag.`,
        ),
        throttled: throttledProblem,
      });
    },

    testAnnouncement: async ({ auth, tenant, body }) => {
      const context = { secrets, publicUrl: publicUrl() };
      return answerOutcome(await testAnnouncement(tenant, context, personOf(auth).personId, body), {
        queued: answer(200),
        'no-portal': NO_PORTAL,
        throttled: throttledProblem,
      });
    },
  };
}

const NO_PORTAL = problem(
  'invalid-transition',
  'The portal is closed, so partners get no announcements. Open the portal first.',
);

/** Returns a tag as it is stored with partners, or null if there is none. */
function storedTag(tag: string | undefined): string | null {
  return normalizeTags(tag === undefined ? [] : [tag])[0] ?? null;
}
