import { useQueryClient } from '@tanstack/react-query';
import type { Backtest, CreateProgramBody, Program } from '@whence/sdk';
import { useState } from 'react';
import { bodyOf, changedFields, draftOf } from '../programs/editor/draft.ts';
import { creationOf } from '../programs/program-words.ts';
import { type Read, readProgram, SaveDialog } from '../programs/save-dialog.tsx';
import { backtests as texts } from './backtests-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useCall } from '#web/ui/shell/call.ts';

const words = texts.page;

type MakeLiveProps = { readonly backtest: Backtest; readonly draft: Backtest['drafts'][number] };

/** Makes a draft the next version of its program, after showing what changes, or creates the new program. */
export function MakeLiveButton({ backtest: { programId }, draft: { terms } }: MakeLiveProps) {
  const queries = useQueryClient();
  const { navigate } = useLinks();
  const [base, setBase] = useState<Read>();
  const status = terms.status === 'deleted' ? 'active' : terms.status;
  const body: CreateProgramBody = { ...bodyOf(draftOf(terms)), status };
  const begin = useCall(
    async (api) => {
      if (programId === null) {
        const created = await api.programs.create(body);
        await done(created, words.created(created.name));
        return;
      }
      const read = await readProgram(api, programId);
      if (Object.keys(changedFields(creationOf(read.program), body)).length === 0) toast.success(words.same);
      else setBase(read);
    },
    { onError: toast.error },
  );
  return (
    <>
      <Button variant="primary" busy={begin.isPending} onClick={() => begin.mutate()}>
        {words.live}
      </Button>
      {base !== undefined && (
        <SaveDialog
          base={base}
          body={body}
          onClose={() => setBase(undefined)}
          onSaved={(program) => void done(program, words.saved(program.version))}
          onDropped={() => setBase(undefined)}
          onRefused={(error) => {
            setBase(undefined);
            toast.error(error);
          }}
        />
      )}
    </>
  );

  async function done({ id }: Program, message: string): Promise<void> {
    await queries.invalidateQueries({ queryKey: ['programs'] });
    toast.success(message);
    navigate(`/programs/${id}`);
  }
}
