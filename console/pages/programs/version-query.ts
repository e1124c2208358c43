import type { ProgramVersion, Whence } from '@whence/sdk';

/** A version beside the one before it; the first has none. */
export type Compared = ProgramVersion & { readonly before: ProgramVersion | undefined };

/** Versions follow each other in a list, so at its end one is missing at most. */
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

/** One version and the one before it; null where there is no such version. An address can name anything. */
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
