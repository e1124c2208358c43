import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import { type Problem, problem } from '#contract/problem.ts';
import { allowOrigin } from './cross-origin.ts';
import { refuse } from './replies.ts';
import { SERVICE_PAGES } from './service-pages.ts';

/** A path of ours with its methods. */
type KnownPath = {
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  readonly crossOrigin: boolean;
};

/** What there is below `basePath`: the operations' paths, and the service's own pages. */
export function knownPaths(operations: readonly Operation[], basePath: string): readonly KnownPath[] {
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
  const pages = SERVICE_PAGES.map((path) => ({
    path: basePath + path,
    pattern: patternOf(basePath + path),
    methods: ['GET', 'HEAD'],
    crossOrigin: false,
  }));
  return [...paths, ...pages];
}

/** Paths that `path` could stand for, and does not, whatever the method: `/v1/payouts/export` is no payout. */
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

/** Refuses a request that has no route: 405 where its path has other methods, else 404. */
export function refuseUnknown(paths: readonly KnownPath[], request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request);
  const known = paths.find(({ pattern }) => pattern.test(path));
  if (known === undefined) return refuse(reply, noSuchPath());
  if (known.crossOrigin) allowOrigin(request, reply);
  const allow = known.methods.join(', ');
  const refusal = problem('method-not-allowed', `This resource has ${allow}.`, { headers: { allow } });
  return refuse(reply, refusal);
}

/** As it was sent, without the query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? '';
}

/** Of a path that is none of ours, or is written so that it can't be one. */
export function noSuchPath(): Problem {
  return problem('not-found', 'There is nothing at this path.');
}
