import type { DescribedOperation, OpenapiDocument } from '../openapi/openapi.ts';

/**
 * Returns the content of /llms.txt, which describes the API for language models in the format of llmstxt.org. It is
 * built from the OpenAPI document. `basePath` is the path where the service is mounted: `/`, or a path without a slash
 * at its end.
 */
export function llmsText(document: OpenapiDocument, basePath: string): string {
  const root = basePath.replace(/\/$/, '');
  const { title, summary, description } = document.info;
  return [
    `# ${title}`,
    `> ${summary} A self-hosted service. This document describes its HTTP API.`,
    description,
    `The three main calls. Replace <key> with your key:\n\n\`\`\`sh\n${threeCalls(document, root)}\n\`\`\``,
    `## Documents\n\n- [Reference](${root}/docs): every call, with a form to try it\n- [Guides](${root}/docs/guides): tutorial, how-to pages, reference and explanations\n- [OpenAPI 3.1](${root}/openapi.json): every call, for machines`,
    ...document.tags.map(({ name, description }) => `## ${name}\n\n${description}\n\n${linesOf(document, name, root)}`),
  ].join('\n\n');
}

function threeCalls(document: OpenapiDocument, root: string): string {
  return ['/v1/event/site-visited', '/v1/event/sale', '/v1/event/refund']
    .map((path) => {
      const body = JSON.stringify(exampleBodyOf(document.paths[path]?.['post']));
      const headers = `-H 'Authorization: Bearer <key>' -H 'Content-Type: application/json'`;
      return `curl -i <host>${root}${path} ${headers} -d '${body}'`;
    })
    .join('\n');
}

function linesOf(document: OpenapiDocument, tag: string, root: string): string {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags.includes(tag))
        .map(([method, operation]) => lineOf(method.toUpperCase(), path, operation, root)),
    )
    .join('\n');
}

function lineOf(method: string, path: string, operation: DescribedOperation, root: string): string {
  const body = exampleBodyOf(operation);
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return [
    `- [${operation.summary}](${root}/docs#${anchorOf(method, path, operation)}): \`${method} ${root}${path}\``,
    ...(body === undefined ? [] : [`with \`${JSON.stringify(body)}\``]),
    ...(query.length === 0 ? [] : [`with ${query.join(', ')} in the query`]),
    `returns ${answerOf(operation)}`,
  ].join(', ');
}

/** Returns the anchor of a call on the reference page. */
function anchorOf(method: string, path: string, { tags }: DescribedOperation): string {
  return `tag/${(tags[0] ?? '').toLowerCase().replaceAll(' ', '-')}/${method}${path}`;
}

function exampleBodyOf(operation: DescribedOperation | undefined): unknown {
  return operation?.requestBody?.content['application/json']?.example;
}

function answerOf({ responses }: DescribedOperation): string {
  const [status = '', success] = Object.entries(responses)[0] ?? [];
  const [type = '', content] = Object.entries(success?.content ?? {})[0] ?? [];
  if (content === undefined) return `${status} with an empty body`;
  return type === 'application/json' ? `${status} with \`${JSON.stringify(content.example)}\`` : `${status} as ${type}`;
}
