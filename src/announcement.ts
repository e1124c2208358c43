import type { NewKeys } from '#operations/found-organization.ts';

type Print = (...lines: readonly string[]) => void;

/** Keys that were just made. Told before anything else can fail: they are nowhere else. */
export function announceKeys({ secret, publishable }: NewKeys, print: Print): void {
  if (secret === undefined && publishable === undefined) return;
  print('');
  if (secret !== undefined) print(`  Secret key (for your server)    ${secret}`);
  if (publishable !== undefined) print(`  Publishable key (for browsers)  ${publishable}`);
  print('  They are shown this once: keep them.');
}

/** Where the service is, and with a new key what comes next. */
export function announce(url: string, { secret }: NewKeys, print: Print): void {
  print('', `Whence is ready at ${url}`, '');
  if (secret === undefined) return;
  print(
    `Every call, to try with your key: ${url}/docs`,
    '',
    'Next: your first sale, by copy and paste from README.md. It begins with',
    '',
    `  export WHENCE=${url} KEY=${secret}`,
    `  curl -s $WHENCE/v1/programs -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `    -d '{"name": "Affiliates", "reward": {"type": "percent", "percent": 10}, "autoApprove": true}'`,
    '',
  );
}

/** The link that makes the first owner, as long as there is none. */
export function announceFirstOwner(link: string | undefined, print: Print): void {
  if (link === undefined) return;
  print(
    'Nobody can log in to the console yet. This link makes its first owner, once; another start makes a new one:',
    '',
    `  ${link}`,
    '',
  );
}
