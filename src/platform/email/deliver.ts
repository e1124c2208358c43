import { type Email, type EmailBrand, WHENCE_BRAND } from './email.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { Database } from '../postgres/database.ts';
import { claimEmails, delayEmail, removeEmail, type WaitingEmail } from './outgoing-emails.ts';
import type { SecretBox } from '../crypto/secret-box.ts';

/** Sends an email. Rejects if it could not be sent. */
export type SendEmail = (mail: Email, brand: EmailBrand) => Promise<void>;

export type Emails = {
  /** Starts sending the emails that are due. If emails are being sent, looks for due emails again afterwards. */
  readonly wake: () => void;
  /** Stops the sender. Resolves once the batch of emails in progress is finished. */
  readonly stop: () => Promise<void>;
};

export type EmailsOptions = {
  readonly secrets: SecretBox;
  readonly send: SendEmail;
  /** Returns the brand of an organization's emails to its partners. */
  readonly brandOf: (organizationId: OrganizationId) => Promise<EmailBrand>;
  readonly onSent?: () => void;
  /**
   * Called if an email could not be sent. `isOver` is true if the email is deleted, because it has expired or was
   * encrypted with another key. It is false if another attempt follows.
   */
  readonly onRefused: (error: unknown, isOver: boolean) => void;
  /** Called if the database can't be queried. */
  readonly onFailure: (error: unknown) => void;
};

const EMAILS_A_ROUND = 10;
/** How long a batch of emails is claimed, in seconds. If a batch takes longer, its emails may be sent twice. */
const LEASE_SECONDS = 600;
const FIRST_DELAY_SECONDS = 15;
const LONGEST_DELAY_SECONDS = 3_600;

/**
 * Returns a sender of outgoing emails, which sends them one after another whenever it is woken. Retries a failed email
 * with increasing delays until it expires. If the process stops during an attempt, the email may be sent twice.
 */
export function startEmails(
  database: Database,
  { secrets, send, brandOf, onSent, onRefused, onFailure }: EmailsOptions,
): Emails {
  let stopping = false;
  let asked = false;
  let working: Promise<void> | undefined;

  return {
    wake,
    stop: async () => {
      stopping = true;
      await working;
    },
  };

  function wake(): void {
    asked = true;
    working ??= workWhileAsked();
  }

  /**
   * Sends due emails until no due email is left, the sender is stopped, or the database fails. Never rejects. The
   * poller wakes the sender again for unsent emails.
   */
  async function workWhileAsked(): Promise<void> {
    try {
      while (asked && !stopping) {
        asked = false;
        const emails = await claimEmails(database, EMAILS_A_ROUND, LEASE_SECONDS);
        if (emails.length === EMAILS_A_ROUND) asked = true;
        for (const mail of emails) await deliver(mail);
      }
    } catch (error) {
      onFailure(error);
    } finally {
      working = undefined;
    }
  }

  async function deliver(mail: WaitingEmail): Promise<void> {
    const sealed = secrets.sealed(mail.message);
    if (mail.isLate || !sealed) {
      onRefused(new Error(sealed ? EXPIRED : OTHER_KEY), true);
      return removeEmail(database, mail);
    }
    try {
      const written = JSON.parse(secrets.open(mail.message)) as Email;
      await send(written, written.brand === 'merchant' ? await brandOf(mail.organizationId) : WHENCE_BRAND);
    } catch (error) {
      onRefused(error, false);
      return delayEmail(database, mail, delayAfter(mail.tries));
    }
    onSent?.();
    await removeEmail(database, mail);
  }
}

const EXPIRED = 'The email expired before it could be sent.';
const OTHER_KEY = 'The email can’t be sent, because it was encrypted with another key.';

function delayAfter(tries: number): number {
  return Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 4 ** (tries - 1));
}
