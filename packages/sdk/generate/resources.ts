import { type Call, capitalize } from './calls.ts';
import type { Example } from './examples.ts';

/**
 * Returns the source files of the resource classes by their path below `src/generated/`: one file for each resource,
 * and `resources/all.ts`.
 */
export function resourceSources(calls: readonly Call[], examples: ReadonlyMap<string, Example>): Map<string, string> {
  const byResource = Map.groupBy(calls, ({ resource }) => resource);
  const sources = new Map<string, string>();
  for (const [resource, own] of byResource) {
    sources.set(`resources/${fileOf(resource)}.ts`, resourceSource(resource, own, examples));
  }
  sources.set('resources/all.ts', allSource([...byResource.keys()]));
  return sources;
}

function fileOf(resource: string): string {
  return resource.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function resourceSource(resource: string, calls: readonly Call[], examples: ReadonlyMap<string, Example>): string {
  const methods = calls.map((call) => methodSource(call, examples.get(call.id))).join('\n\n');
  const types = calls.flatMap(({ query, body, data }) => [query?.type, body?.type, data.replace(/\[\]$/, '')]);
  const named = [...new Set(types)].filter((type) => type !== undefined && /^[A-Z]/.test(type)).toSorted(byText);
  const ofClient = [
    ...(calls.some(({ reads }) => reads !== 'list') ? ['type Call'] : []),
    ...(calls.some(({ ids }) => ids.length > 0) ? ['type Id', 'path'] : []),
    ...[...new Set(calls.flatMap(({ options }) => options))].map((option) => `type ${option}`),
    'Resource',
  ];
  return [
    `import { ${ofClient.join(', ')} } from '../../client.ts';`,
    ...(calls.some(({ reads }) => reads === 'list') ? [`import type { List } from '../../list.ts';`] : []),
    ...(named.length === 0 ? [] : [`import type { ${named.join(', ')} } from '../schemas.ts';`]),
    '',
    `/** \`whence.${resource}\`. */`,
    `export class ${classOf(resource)} extends Resource {`,
    methods,
    '}',
    '',
  ].join('\n');
}

function byText(one = '', other = ''): number {
  return one < other ? -1 : 1;
}

function classOf(resource: string): string {
  return `${capitalize(resource)}Resource`;
}

function methodSource(call: Call, example: Example | undefined): string {
  return indentLines(`${documentation(call, example)}\n${signatureOf(call)} {\n  return ${sendingOf(call)};\n}`);
}

/** Returns the lines, each indented by two more spaces. */
export function indentLines(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ');
}

function documentation(
  { httpMethod, path, summary, description, problems }: Call,
  example: Example | undefined,
): string {
  const refusals = problems.map(({ status, code }) => `\`${code}\` (${status})`);
  const lines = [
    `${summary}: \`${httpMethod} ${path}\`.`,
    '',
    ...description.split('\n'),
    ...(refusals.length === 0 ? [] : ['', `@throws WhenceError ${refusals.join(', ')}`]),
    ...(example === undefined ? [] : ['', '@example', ...example.code.split('\n')]),
  ];
  const text = lines.map((line) => ` * ${line}`.trimEnd().replaceAll('*/', '*\\/')).join('\n');
  return `/**\n${text}\n */`;
}

/**
 * Returns the signature of a method for the class and the reference page, such as `approve(id: Id, options?:
 * PostOptions): Call<Conversion>`.
 */
export function signatureOf({ name, ids, body, query, options, reads, data }: Call): string {
  const parameters = [
    ...ids.map((id) => `${id}: Id`),
    ...(body === undefined ? [] : [`body: ${body.type}${body.optional ? ' = {}' : ''}`]),
    ...(query === undefined ? [] : [`query${query.optional ? '?' : ''}: ${query.type}`]),
    `options?: ${options.join(' & ')}`,
  ];
  return `${name}(${parameters.join(', ')}): ${reads === 'list' ? 'List' : 'Call'}<${data}>`;
}

function sendingOf({ httpMethod, path, ids, body, query, reads }: Call): string {
  const where = ids.length === 0 ? `'${path}'` : `path\`${path.replaceAll('{', '${')}\``;
  if (reads === 'list') return `this.client.list(${where}, query, options)`;
  const name = httpMethod.toLowerCase();
  const sent = httpMethod === 'GET' ? query && 'query' : body && 'body';
  const content = reads === 'json' ? undefined : `'${reads}'`;
  const parts = httpMethod === 'DELETE' ? [content] : [sent, content];
  while (parts.length > 0 && parts.at(-1) === undefined) parts.pop();
  return `this.client.${name}(${[where, 'options', ...parts.map(String)].join(', ')})`;
}

function allSource(resources: readonly string[]): string {
  return [
    `import type { Client } from '../../client.ts';`,
    ...resources.map((resource) => `import { ${classOf(resource)} } from './${fileOf(resource)}.ts';`),
    '',
    '/** Every resource of the API. */',
    'export abstract class Resources {',
    ...resources.map((resource) => `  readonly ${resource}: ${classOf(resource)};`),
    '',
    '  constructor(client: Client) {',
    ...resources.map((resource) => `    this.${resource} = new ${classOf(resource)}(client);`),
    '  }',
    '}',
    '',
  ].join('\n');
}
