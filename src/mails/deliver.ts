import type { Mail } from '#domain/mail.ts';
import type { Database } from '#store/database.ts';
import { claimMails, delayMail, removeMail, type WaitingMail } from '#store/mails.ts';
import type { SecretBox } from '#store/secret-box.ts';

/** Hands a mail on; rejects where that was not possible. */
export type SendMail = (mail: Mail) => Promise<void>;

export type Mails = {
  /** There is something to send. */
  readonly wake: () => void;
  /** Finishes the mail under way. */
  readonly stop: () => Promise<void>;
};

export type MailsOptions = {
  readonly secrets: SecretBox;
  readonly send: SendMail;
  /** A mail was not taken, and is tried again; or it never will be: `isOver`. */
  readonly onRefused: (error: unknown, isOver: boolean) => void;
  /** The database can't be asked. */
  readonly onFailure: (error: unknown) => void;
};

const MAILS_A_ROUND = 10;
/** Above what the longest attempt takes, for each of a round. */
const LEASE_SECONDS = 600;
const FIRST_DELAY_SECONDS = 15;
const LONGEST_DELAY_SECONDS = 3_600;

/**
 * Sends the mails that wait, one after the other. One that is not taken is tried again, after longer and longer, until what it
 * tells is of no use any more. A process that ends in between may leave one that is sent twice, never one that is not.
 */
export function startMails(database: Database, { secrets, send, onRefused, onFailure }: MailsOptions): Mails {
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

  /** Never rejects: what waits is asked for again by the next look. */
  async function workWhileAsked(): Promise<void> {
    try {
      while (asked && !stopping) {
        asked = false;
        const mails = await claimMails(database, MAILS_A_ROUND, LEASE_SECONDS);
        if (mails.length === MAILS_A_ROUND) asked = true;
        for (const mail of mails) await deliver(mail);
      }
    } catch (error) {
      onFailure(error);
    } finally {
      working = undefined;
    }
  }

  async function deliver(mail: WaitingMail): Promise<void> {
    const sealed = secrets.sealed(mail.message);
    if (mail.isLate || !sealed) {
      onRefused(new Error(sealed ? 'its time was over' : 'it was sealed with another encryption key'), true);
      return removeMail(database, mail);
    }
    try {
      await send(JSON.parse(secrets.open(mail.message)) as Mail);
    } catch (error) {
      onRefused(error, false);
      return delayMail(database, mail, delayAfter(mail.tries));
    }
    await removeMail(database, mail);
  }
}

function delayAfter(tries: number): number {
  return Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 4 ** (tries - 1));
}
