import type { SendEmail } from './deliver.ts';
import type { Email } from './email.ts';
import { renderHtml } from './html-email.ts';

/** How long an SMTP server may take for a connection, a greeting or any other response, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Returns a function that sends emails through an SMTP server. The library is loaded for the first email, because most
 * processes send no email.
 */
export function smtpSender(url: string, sender: string, timeoutMs: number = TIMEOUT_MS): SendEmail {
  return async (mail, brand) => {
    const { createTransport } = await import('nodemailer');
    const { to, subject, text } = mail;
    const from = mail.brand === 'whence' ? sender : { name: brand.name, address: await addressIn(sender) };
    const replyTo = brand.replyTo === null ? {} : { replyTo: { name: '', address: brand.replyTo } };
    const html = await renderHtml(mail, brand);
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
      await transport.sendMail({
        from,
        ...replyTo,
        to: { name: '', address: to },
        subject,
        text,
        html,
        ...listHeaders(mail),
      });
    } finally {
      transport.close();
    }
  };
}

/** Returns the headers with which an email program offers to unsubscribe with one click (RFC 8058). */
function listHeaders({ unsubscribeUrl }: Email): { readonly headers?: Readonly<Record<string, string>> } {
  if (unsubscribeUrl === undefined) return {};
  return {
    headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}

/** Returns the address in a sender such as `Mugs <mugs@mugs.example>`. */
async function addressIn(sender: string): Promise<string> {
  const { default: parse } = await import('nodemailer/lib/addressparser');
  return parse(sender, { flatten: true })[0]?.address ?? sender;
}

/**
 * Returns a function that prints each email, so that the operator can forward it. For installations without an SMTP
 * server.
 */
export function printer(print: (...lines: readonly string[]) => void): SendEmail {
  return async ({ to, subject, text }) => print('', `Email to ${to}: ${subject}`, '', ...indentLines(text), '');
}

function indentLines(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`));
}
