import type { CreateProgramBody, Whence } from '@whence/sdk';
import type { Terms } from './program-terms-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { problemOf, type ShownFault } from '#web/ui/feedback/problem.ts';

export function useWords(terms: Terms) {
  const body = creationOf(terms);
  return useRead(['programs', 'words', JSON.stringify(body)], (api, { signal }) => wordsOf(api, body, signal), {
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Returns the rule text of a program or of one of its versions. If records that the program refers to were deleted,
 * such as a group, tries again without the references. Throws any other error.
 */
export async function wordsOf(api: Whence, body: CreateProgramBody, signal?: AbortSignal): Promise<string[]> {
  const options = signal === undefined ? {} : { signal };
  try {
    return (await api.programs.example({ ...body, touches: [] }, options)).words;
  } catch (error) {
    const { errors } = problemOf(error, { titles: {}, unknown: '' });
    const gone = errors.filter(({ code }) => code.startsWith('unknown-'));
    if (gone.length === 0 || gone.length < errors.length) throw error;
    return (await api.programs.example({ ...without(body, gone), touches: [] }, options)).words;
  }
}

function without(body: CreateProgramBody, gone: readonly ShownFault[]): CreateProgramBody {
  const at = gone.map(({ pointer }) => pointer.split('/').slice(1));
  const slugs = new Set(at.flatMap(([field, slug]) => (field === 'triggers' && slug !== undefined ? [slug] : [])));
  const places = new Set(at.flatMap(([field, place]) => (field === 'collaboratorRewards' ? [Number(place)] : [])));
  return {
    ...body,
    ...(at.some(([field]) => field === 'groupId') ? { groupId: null } : {}),
    triggers: Object.fromEntries(Object.entries(body.triggers ?? {}).filter(([slug]) => !slugs.has(slug))),
    collaboratorRewards: (body.collaboratorRewards ?? []).filter((_, place) => !places.has(place)),
  };
}

/**
 * Returns the request that would create a given program or version. A deleted program becomes inactive in the request.
 * The service ignores ids and dates in the request.
 */
export function creationOf(program: Terms): CreateProgramBody {
  return { ...program, status: program.status === 'deleted' ? 'inactive' : program.status };
}
