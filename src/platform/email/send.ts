import type { SendEmail } from './deliver.ts';

/** How long an SMTP server may take for a connection, a greeting or any other response, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Returns a function that sends emails through an SMTP server. The library is loaded for the first email, because most
 * processes send no email.
 */
export function smtpSender(url: string, from: string, timeoutMs: number = TIMEOUT_MS): SendEmail {
  return async ({ to, subject, text }) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Emails have no attachments, so the library never needs to read a file or fetch a URL.
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
 * Returns a function that prints each email, so that the operator can forward it. For installations without an SMTP
 * server.
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
