import type { Reply, TestService } from './service.ts';

/** Returns the stable code of a problem. */
export function problemCode({ body }: Reply): string {
  return (body as { code: string }).code;
}

/** Returns the statuses of the answers in ascending order. */
export function statusesOf(replies: readonly Reply[]): number[] {
  return replies.map(({ status }) => status).toSorted((one, other) => one - other);
}

/** Returns the `detail` of a problem. */
export function problemDetail({ body }: Reply): string {
  return (body as { detail: string }).detail;
}

/** Returns the codes of a problem's invalid fields, by JSON pointer. */
export function faultCodes({ body }: Reply): Record<string, string> {
  const { errors } = body as { errors: { pointer: string; code: string }[] };
  return Object.fromEntries(errors.map(({ pointer, code }) => [pointer, code]));
}

/** Returns the configuration version of the first organization: the number of changes of its configuration. */
export async function countVersions({ database }: TestService): Promise<number> {
  const { rows } = await database.query<{ config_version: number }>(
    'select config_version from organizations order by id limit 1',
  );
  return rows[0]?.config_version ?? 0;
}
