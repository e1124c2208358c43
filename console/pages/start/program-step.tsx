import { useQuery } from '@tanstack/react-query';
import { useMay } from '#console/session.ts';
import { start as texts } from '#console/texts/start.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Text } from '#ui/text.tsx';
import { RecipeCards } from '../programs/recipe-cards.tsx';
import { Step } from './step.tsx';

const words = texts.program;

/** Begins with a recipe, as long as there is no program. */
export function ProgramStep() {
  const api = useApi();
  const may = useMay('resources:write');
  const { data, error, refetch } = useQuery({
    queryKey: ['programs', 'count'],
    queryFn: ({ signal }) => api.programs.list({ perPage: 1 }, { signal }).page(),
  });
  const count = data?.estimatedCount ?? 0;
  return (
    <Step name="program" title={words.title} help={words.help} isDone={count > 0}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={4} />
      ) : count > 0 ? (
        <Text>
          {words.done(count)} <Link href="/programs">{words.see}</Link>
        </Text>
      ) : may ? (
        <RecipeCards from="start" />
      ) : (
        <Text tone="muted">{texts.forbidden}</Text>
      )}
    </Step>
  );
}
