import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#core/contract/operation.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { allowOrigin } from './cross-origin.ts';
import { sendProblem } from './replies.ts';

type KnownPath = {
  /** The path, with `{name}` for each parameter. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  readonly crossOrigin: boolean;
};

/** Returns the paths of the operations and of the service's own pages, below `basePath`. */
export function knownPaths(
  operations: readonly Operation[],
  pagePaths: readonly string[],
  basePath: string,
): readonly KnownPath[] {
  const fixedFirst = [...new Set(operations.map(({ path }) => path))].sort(
    (one, other) => namesIn(one) - namesIn(other),
  );
  const paths = fixedFirst.map((path) => {
    const here = operations.filter((operation) => operation.path === path);
    const crossOrigin = here.some((operation) => operation.crossOrigin === true);
    return {
      path: basePath + path,
      pattern: patternOf(basePath + path),
      methods: methodsOf(here, crossOrigin),
      crossOrigin,
    };
  });
  const pages = pagePaths.map((path) => ({
    path: basePath + path,
    pattern: patternOf(basePath + path),
    methods: ['GET', 'HEAD'],
    crossOrigin: false,
  }));
  return [...paths, ...pages];
}

/**
 * Returns the other known paths, of any method, that match the pattern `path`. For example, `/v1/payouts/export`
 * matches `/v1/payouts/{id}`, but is not a payout.
 */
export function fixedPathsWithin(paths: readonly KnownPath[], path: string): readonly string[] {
  const pattern = patternOf(path);
  return paths.filter((known) => known.path !== path && pattern.test(known.path)).map((known) => known.path);
}

function namesIn(path: string): number {
  return path.split('{').length;
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function methodsOf(operations: readonly Operation[], crossOrigin: boolean): string[] {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return crossOrigin ? [...methods, 'OPTIONS'] : methods;
}

/** Refuses a request that has no route: with 405 if its path has other methods, and with 404 otherwise. */
export function refuseUnknown(paths: readonly KnownPath[], request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request);
  const known = paths.find(({ pattern }) => pattern.test(path));
  if (known === undefined) return sendProblem(reply, noSuchPath());
  if (known.crossOrigin) allowOrigin(request, reply);
  const allow = known.methods.join(', ');
  const refusal = problem('method-not-allowed', `Allowed methods: ${allow}.`, { headers: { allow } });
  return sendProblem(reply, refusal);
}

/** Returns the path as it was sent, without the query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? '';
}

/** Returns a 404 for a path that doesn't exist or is malformed. */
export function noSuchPath(): Problem {
  return problem('not-found', 'No resource has this path. Check the path.');
}
