import { type Attempt, bytesOf, urlOf } from './attempt.ts';

/** Returns the request as a curl command. The credential is a variable, such as `$KEY` or `$OWNER`. */
export function curlLine(base: string, attempt: Attempt): string {
  const { method, headers, credential } = attempt;
  const body = bytesOf(attempt.body);
  const sent = { ...(body.length > 0 ? { 'content-type': 'application/json' } : {}), ...headers };
  const lines = Object.entries(sent).map(
    ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
  );
  const door = Object.keys(credential.headers).map((name) =>
    name === 'authorization' || name === 'cookie'
      ? `-H "${name}: $${credential.name}"`
      : `-H ${quoted(`${name}: ${credential.headers[name]}`)}`,
  );
  const data = body.length === 0 ? [] : [`--data-binary ${quoted(Buffer.from(body).toString('latin1'))}`];
  return ['curl -i', `-X ${method}`, ...door, ...lines, ...data, quoted(base + urlOf(attempt))].join(' ');
}

/** Quotes a text for the shell. Uses `$'…'` if the text contains a single quote, or anything but plain ASCII. */
function quoted(text: string): string {
  if (/^[\u0020-\u007e]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  const hex = (letter: string) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `$'${text.replaceAll(/[^\u0020-\u007e]|['\\]/g, hex)}'`;
}
