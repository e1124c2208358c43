import type { AnnouncementId, ProgramId } from '#core/ids.ts';

export const MAX_SUBJECT = 150;
export const MAX_ANNOUNCEMENT = 10_000;

/**
 * The maximum number of recipients of an announcement. It is limited because the notices for all recipients are written
 * in one transaction.
 */
export const MAX_RECIPIENTS = 50_000;

/**
 * The partners to whom an announcement is addressed: active partners with an email address, who can earn in the program
 * and have the tag, if given.
 */
export type Audience = { readonly programId: ProgramId | null; readonly tag: string | null };

export type NewAnnouncement = Audience & { readonly subject: string; readonly text: string; readonly author: string };

export type Announcement = NewAnnouncement & {
  readonly id: AnnouncementId;
  readonly recipients: number;
  readonly createdAt: Date;
};
