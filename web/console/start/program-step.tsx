import { useQuery } from '@tanstack/react-query';
import { usePermission } from '../session.ts';
import { start as texts } from './start-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { RecipeCards } from '../programs/recipe-cards.tsx';
import { Step } from './step.tsx';
import { activeProgramsQuery } from './trial.ts';

const words = texts.program;

/** Offers recipes until a program is active. */
export function ProgramStep({ onNext }: { readonly onNext: () => void }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { data, error, refetch } = useQuery(activeProgramsQuery(api));
  const count = data?.estimatedCount ?? 0;
  return (
    <Step name="program" isDone={count > 0} onNext={onNext}>
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

/** Links to an existing draft, so that the user doesn't create a second program. */
function Drafts() {
  const { data } = useRead(['programs', 'drafts'], (api, options) =>
    api.programs.list({ status: 'draft', sort: '-id', perPage: 1 }, options).page(),
  );
  const draft = data?.data[0];
  if (draft === undefined) return null;
  return (
    <Notice actions={<LinkButton href={`/programs/${draft.id}`}>{words.toDraft}</LinkButton>}>
      {words.draft(draft.name)}
    </Notice>
  );
}
