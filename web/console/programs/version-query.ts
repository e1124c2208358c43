import type { ProgramVersion, Whence } from '@whence/sdk';

/** A version with its predecessor, which is null for the first version. */
export type Compared = ProgramVersion & { readonly before: ProgramVersion | undefined };

/**
 * Adds the predecessor to each version. The versions are consecutive, so at most the last version needs another call.
 */
export async function compared(
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
 * Returns one version with its predecessor. Returns null if the version doesn't exist, because a URL can contain any
 * number.
 */
export function comparedQuery(api: Whence, programId: number, version: string) {
  return {
    queryKey: ['programs', programId, 'version', version],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Compared | null> => {
      const found = /^[1-9]\d{0,8}$/.test(version)
        ? await versionOf(api, programId, Number(version), signal)
        : undefined;
      return found === undefined ? null : ((await compared(api, programId, [found], signal))[0] ?? null);
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
