import type { Call } from './calls.ts';
import type { Example } from './examples.ts';
import { signatureOf } from './resources.ts';

/** Returns docs/reference/sdk.md: every call with its example. */
export function referencePage(calls: readonly Call[], examples: ReadonlyMap<string, Example>): string {
  const byResource = Map.groupBy(calls, ({ resource }) => resource);
  return [
    INTRODUCTION,
    '| Resource | Calls |',
    '|---|---|',
    ...[...byResource].map(
      ([resource, own]) =>
        `| [\`whence.${resource}\`](#whence${resource.toLowerCase()}) | ${own.map(({ name }) => `\`${name}\``).join(', ')} |`,
    ),
    ...[...byResource].flatMap(([resource, own]) => [
      '',
      `## whence.${resource}`,
      ...own.flatMap((call) => ['', ...sectionOf(call, examples.get(call.id))]),
    ]),
    '',
  ].join('\n');
}

const INTRODUCTION = `# SDK reference

Every call of \`@whence/sdk\`, each with an example that a test runs against the service. [packages/sdk/README.md](../../packages/sdk/README.md) begins at the beginning: the first
calls, lists, errors, retries, versions, webhooks. [The interface](http.md) says what each field means. This page is made by \`npm run sdk\` from \`openapi.json\` and \`test/packages/sdk/examples\`.

In the examples \`whence\` is \`new Whence({ baseUrl, apiKey })\`, and a name that ends in \`Id\` is the id of something of yours. \`List\` is walked with \`for await\`; \`Call\` is a promise that has
\`withResponse()\`. An \`Id\` is a number, or its digits. Every call takes \`signal\`, \`timeoutMs\`, \`maxRetries\` and \`headers\` among its \`options\`; a POST takes \`idempotencyKey\`, a change of what has versions \`ifMatch\`.
`;

function sectionOf(call: Call, example: Example | undefined): string[] {
  const { resource, httpMethod, path, summary, description, problems } = call;
  const refusals = problems.map(({ status, code }) => `${status} \`${code}\``);
  return [
    `### ${resource}.${call.name}`,
    '',
    `${summary}: \`${httpMethod} ${path}\`. ${description}`,
    ...(refusals.length === 0 ? [] : ['', `Refused with ${refusals.join(', ')}.`]),
    '',
    '```ts',
    `whence.${resource}.${signatureOf(call)}`,
    '```',
    ...(example === undefined ? [] : ['', '```ts', example.code, '```']),
  ];
}
