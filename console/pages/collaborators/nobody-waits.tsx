import { useQuery } from '@tanstack/react-query';
import { UserCheck } from 'lucide-react';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { useApi } from '#ui/shell/api.tsx';

const words = texts.list;

/** Where nobody waits to be let in: where they can sign up, to pass on. */
export function NobodyWaits() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['portalSettings', 'url'],
    queryFn: ({ signal }) => api.portalSettings.get({ signal }),
  });
  const url = data?.url ?? undefined;
  return (
    <EmptyState icon={UserCheck} title={words.nobodyWaits} copy={url && `${url}sign-up`}>
      {words.nobodyWaitsHelp}
    </EmptyState>
  );
}
