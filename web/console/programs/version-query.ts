import type { ProgramVersion, Whence } from '@whence/sdk';

/** A version of a program with the version before it, which is undefined for the first version. */
export type Compared = ProgramVersion & { readonly before: ProgramVersion | undefined };

/**
 * Adds to each version of a program the version before it. The versions are consecutive, so at most one previous
 * version is missing from the list and needs another call.
 */
export async function addPreviousVersions(
  api: Whence,
  programId: number,
  versions: readonly ProgramVersion[],
  signal: AbortSignal,
): Promise<Compared[]> {
  const listed = new Map(versions.map((each) => [each.version, each]));
  return Promise.all(
    versions.map(async (each) => {
      const number = each.version - 1;
      const before = listed.get(number) ?? (number === 0 ? undefined : await versionOf(api, programId, number, signal));
      return { ...each, before };
    }),
  );
}

/**
 * Returns the query for a version of a program with the version before it. The result is null if the version doesn't
 * exist, because the version is read from the page's URL.
 */
export function comparedQuery(api: Whence, programId: number, version: string) {
  return {
    queryKey: ['programs', programId, 'version', version],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Compared | null> => {
      const found = /^[1-9]\d{0,8}$/.test(version)
        ? await versionOf(api, programId, Number(version), signal)
        : undefined;
      return found === undefined ? null : ((await addPreviousVersions(api, programId, [found], signal))[0] ?? null);
    },
  };
}

async function versionOf(
  api: Whence,
  programId: number,
  version: number,
  signal: AbortSignal,
): Promise<ProgramVersion | undefined> {
  const { data } = await api.programs.listVersions(programId, { version, perPage: 1 }, { signal }).page();
  return data[0];
}
