import type { NewKeys } from './found-organization.ts';

type Print = (...lines: readonly string[]) => void;

/** Prints new API keys. Call it before anything else can fail, because the keys are stored nowhere else. */
export function announceKeys({ secret, publishable }: NewKeys, print: Print): void {
  if (secret === undefined && publishable === undefined) return;
  print('');
  if (secret !== undefined) print(`  Secret key (for your server)    ${secret}`);
  if (publishable !== undefined) print(`  Publishable key (for browsers)  ${publishable}`);
  print('  They are shown only once. Store them now.');
}

/** Prints the address of the service, and the next steps if there is a new secret key. */
export function announceAddress(url: string, { secret }: NewKeys, print: Print): void {
  print('', `Whence is ready at ${url}`, '');
  if (secret === undefined) return;
  print(
    `All calls, to try with your key: ${url}/docs`,
    '',
    'Next: report your first sale. Copy and paste from docs/tutorial.md, which begins with',
    '',
    `  export WHENCE=${url} KEY=${secret}`,
    `  curl -s $WHENCE/v1/programs -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `    -d '{"name": "Affiliates", "reward": {"type": "percent", "percent": 10}, "autoApprove": true}'`,
    '',
  );
}

/** Prints the link that creates the first owner, if there is no owner yet. */
export function announceFirstOwner(link: string | undefined, print: Print): void {
  if (link === undefined) return;
  print(
    'The console has no account yet. This link creates the first owner. It works once, and each start prints a new one:',
    '',
    `  ${link}`,
    '',
  );
}
