import type { SendEmail } from './deliver.ts';

/** The time after which an SMTP server that doesn't respond is considered down, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Returns a sender that uses an SMTP server. The library is loaded for the first email, because most processes send no
 * email.
 */
export function smtpSender(url: string, from: string, timeoutMs: number = TIMEOUT_MS): SendEmail {
  return async ({ to, subject, text }) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // An email never includes files or URLs, even if its text contains such names.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    } finally {
      transport.close();
    }
  };
}

/**
 * Returns a sender for installations without an SMTP server. It prints each email, so that the operator can forward it.
 */
export function printer(print: (...lines: readonly string[]) => void): SendEmail {
  return async ({ to, subject, text }) => print('', `Email to ${to}: ${subject}`, '', ...indented(text), '');
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`));
}
