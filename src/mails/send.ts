import type { SendMail } from './deliver.ts';

/** A server that says nothing for so long is taken for gone. */
const TIMEOUT_MS = 10_000;

/** Hands mails in at an SMTP server. The library is loaded with the first one: most starts send none. */
export function smtpSender(url: string, from: string, timeoutMs: number = TIMEOUT_MS): SendMail {
  return async ({ to, subject, text }) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Neither files nor addresses are read into a mail, whatever stands in it.
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

/** For where there is no server: whoever runs the service reads them, and passes them on. */
export function printer(print: (...lines: readonly string[]) => void): SendMail {
  return async ({ to, subject, text }) => print('', `Mail to ${to}: ${subject}`, '', ...indented(text), '');
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`));
}
