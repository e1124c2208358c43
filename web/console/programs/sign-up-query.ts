import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

/** Returns the query for the sign-up settings of a program, with their ETag. */
export function signUpQuery(api: Whence, programId: number) {
  return queryOptions({
    queryKey: ['programs', programId, 'sign-up'],
    queryFn: async ({ signal }) => {
      const { data: signUp, etag } = await api.programs.getSignUp(programId, { signal }).withResponse();
      return { signUp, etag };
    },
  });
}
