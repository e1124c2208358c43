import { useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { Backtest, Program } from '@whence/sdk';
import { useMemo, useRef, useState } from 'react';
import { LeaveGuard } from '../leave-guard.tsx';
import { programEditor } from './editor/program-editor-texts.ts';
import { programs as texts } from './programs-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { texts as common } from '#web/ui/shell/texts.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { bodyOf, changedFields, type Draft, draftOf } from './editor/draft.ts';
import { useCompareWithHistory } from './editor/compare-with-history.tsx';
import { ProgramEditor } from './editor/editor.tsx';
import editorStyles from './editor/editor.module.css';
import { creationOf } from './program-words.ts';
import { type Read, readProgram, SaveDialog } from './save-dialog.tsx';

const words = programEditor.save;

export function EditProgramPage() {
  const { id } = useParams({ from: '/signed-in/programs/$id/edit' });
  const { backtest, draft } = useSearch({ strict: false });
  // Load the current version instead of a cached version, because the edit must match its ETag.
  const { data, error, refetch } = useRead(
    ['programs', Number(id), 'edit', backtest],
    async (api, { signal }) => ({
      ...(await readProgram(api, id, signal)),
      backtest: backtest === undefined ? undefined : await api.backtests.get(Number(backtest), { signal }),
    }),
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  );
  const title = data === undefined ? programEditor.unnamed : data.program.name;
  return (
    <Page
      title={data === undefined ? <Skeleton width="220px" /> : texts.editTitle(title)}
      tabTitle={texts.editTitle(title)}
      breadcrumbs={[
        { label: texts.title, href: '/programs' },
        { label: title, href: `/programs/${id}` },
      ]}
    >
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Editing key={data.program.version} read={data} backtest={data.backtest} number={Number(draft)} />
      )}
    </Page>
  );
}

type EditingProps = {
  readonly read: Read;
  /** The backtest with the draft to edit. Without it, the program's own terms are edited. */
  readonly backtest: Backtest | undefined;
  /** The number of the draft, from 1. */
  readonly number: number;
};

function Editing({ read, backtest, number }: EditingProps) {
  const { navigate } = useLinks();
  const queryClient = useQueryClient();
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState<Draft>(() => draftOf(backtest?.drafts[number - 1]?.terms ?? read.program));
  const [refused, setRefused] = useState<unknown>();
  const [reviewing, setReviewing] = useState(false);
  const saved = useRef(false);
  const body = useMemo(() => bodyOf(draft), [draft]);
  const changes = Object.keys(changedFields(creationOf(base.program), body)).length;
  const page = `/programs/${base.program.id}`;

  const done = async ({ version }: Program) => {
    saved.current = true;
    setReviewing(false);
    await queryClient.invalidateQueries({ queryKey: ['programs'] });
    toast.success(version === base.program.version ? words.unchanged : words.saved(version));
    navigate(page);
  };
  const compare = useCompareWithHistory({
    programId: base.program.id,
    terms: body,
    earlier: backtest,
    onStarted: ({ id }) => {
      // The backtest keeps the draft.
      saved.current = true;
      navigate(`/backtests/${id}`);
    },
  });
  return (
    <>
      <ProgramEditor
        draft={draft}
        error={refused}
        onChange={(patch) => {
          setRefused(undefined);
          setDraft((now) => ({ ...now, ...patch }));
        }}
        onSubmit={() => changes > 0 && setReviewing(true)}
        actions={
          <>
            {changes === 0 && <span className={editorStyles.saveHint}>{words.nothing}</span>}
            <LinkButton href={page}>{common.cancel}</LinkButton>
            {compare.button}
            <Button type="submit" variant="primary" disabled={changes === 0}>
              {words.review}
            </Button>
          </>
        }
      />
      {reviewing && (
        <SaveDialog
          base={base}
          body={body}
          onClose={() => setReviewing(false)}
          onSaved={(program) => void done(program)}
          onDropped={(theirs) => {
            setReviewing(false);
            setBase(theirs);
            setDraft(draftOf(theirs.program));
          }}
          onRefused={(error) => {
            setReviewing(false);
            setRefused(error);
          }}
        />
      )}
      {compare.dialog}
      <LeaveGuard unsaved={() => !saved.current && changes > 0} />
    </>
  );
}
