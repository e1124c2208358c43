import { useQuery } from '@tanstack/react-query';
import { useMay } from '#console/session.ts';
import { start as texts } from '#console/texts/start.ts';
import { LinkButton } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Text } from '#ui/text.tsx';
import { RecipeCards } from '../programs/recipe-cards.tsx';
import { Step } from './step.tsx';
import { activeProgramsQuery } from './trial.ts';

const words = texts.program;

/** Begins with a recipe, as long as no program pays. */
export function ProgramStep() {
  const api = useApi();
  const may = useMay('resources:write');
  const { data, error, refetch } = useQuery(activeProgramsQuery(api));
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
      ) : (
        <>
          <Drafts />
          {may ? <RecipeCards from="start" /> : <Text tone="muted">{texts.forbidden}</Text>}
        </>
      )}
    </Step>
  );
}

/** Whoever has saved one as a draft is not to make another. */
function Drafts() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['programs', 'drafts'],
    queryFn: ({ signal }) => api.programs.list({ status: 'draft', sort: '-id', perPage: 1 }, { signal }).page(),
  });
  const draft = data?.data[0];
  if (draft === undefined) return null;
  return (
    <Notice actions={<LinkButton href={`/programs/${draft.id}`}>{words.toDraft}</LinkButton>}>
      {words.draft(draft.name)}
    </Notice>
  );
}
