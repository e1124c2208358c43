import { type CreateProgramBody, PreconditionError, type Program } from '@whence/sdk';
import { useState } from 'react';
import { programEditor } from './editor/program-editor-texts.ts';
import { programTerms, type TermName, type Terms } from './program-terms-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { texts as common } from '#web/ui/shell/texts.ts';
import { changedTerms, Changes } from './changes.tsx';
import { bodyOf, changedFields, draftOf } from './editor/draft.ts';
import { creationOf } from './program-words.ts';

const words = programEditor.save;

/** A loaded program with the ETag that an edit must match. */
export type Read = { readonly program: Program; readonly etag: string | undefined };

export type SaveDialogProps = {
  /** The version in which the edit started. */
  readonly base: Read;
  /** The edited terms. */
  readonly body: CreateProgramBody;
  readonly onClose: () => void;
  readonly onSaved: (program: Program) => void;
  /** Called with the version that another user has saved in the meantime, if this user discards the edit. */
  readonly onDropped: (theirs: Read) => void;
  /** Called with an error that has field faults, which the form shows. */
  readonly onRefused: (error: unknown) => void;
};

/** Shows the changes before saving. If another user has saved in the meantime, also shows the changes of that user. */
export function SaveDialog({ base, body, onClose, onSaved, onDropped, onRefused }: SaveDialogProps) {
  const api = useApi();
  const [theirs, setTheirs] = useState<Read>();
  const current = theirs ?? base;
  const patch = changedFields(creationOf(base.program), body);
  const after = mergedTerms(current.program, patch);
  const save = useCall(
    (api) => api.programs.update(base.program.id, patch, current.etag === undefined ? {} : { ifMatch: current.etag }),
    {
      onDone: onSaved,
      onError: async (error) => {
        if (error instanceof PreconditionError) setTheirs(await readProgram(api, base.program.id));
        else if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) onRefused(error);
      },
    },
  );
  const isConflict = save.error instanceof PreconditionError;
  const version = current.program.version + 1;
  const isOpen = theirs === undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={isOpen ? words.title(version) : words.conflict(current.program.version)}
      description={isOpen ? words.help : words.conflictHelp}
      size="large"
      actions={
        <>
          {theirs === undefined ? (
            <Button onClick={onClose}>{common.cancel}</Button>
          ) : (
            <Button onClick={() => onDropped(theirs)}>{words.takeTheirs}</Button>
          )}
          <Button variant="primary" busy={save.isPending} onClick={() => save.mutate()}>
            {isOpen ? words.confirm(version) : words.onTop}
          </Button>
        </>
      }
    >
      <Stack gap={5}>
        {theirs !== undefined && <Theirs base={base.program} theirs={theirs.program} mine={patch} />}
        {save.error !== null && !isConflict && <ErrorPanel error={save.error} />}
        <Changes before={current.program} after={after} />
      </Stack>
    </Dialog>
  );
}

type Api = ReturnType<typeof useApi>;

export async function readProgram(api: Api, id: number | string, signal?: AbortSignal): Promise<Read> {
  const { data, etag } = await api.programs.get(id, signal === undefined ? {} : { signal }).withResponse();
  // Convert the program to a draft and back, so that only real edits count as changes.
  return { program: { ...data, ...(bodyOf(draftOf(data)) as Partial<Program>) }, etag };
}

/** Shows the changes that another user has saved, and whether both users changed the same terms. */
function Theirs({ base, theirs, mine }: { readonly base: Program; readonly theirs: Program; readonly mine: object }) {
  const both = changedTerms(base, theirs).filter((term) => term in mine);
  const named = both.map((term: TermName) => programTerms.labels[term]).join(', ');
  return (
    <Stack gap={3}>
      <Changes before={base} after={theirs} />
      <Notice tone={both.length > 0 ? 'warn' : 'info'}>{both.length > 0 ? words.both(named) : words.noneInBoth}</Notice>
      <hr />
    </Stack>
  );
}

/** Returns the existing terms with the edited fields applied. */
function mergedTerms(program: Program, patch: Partial<CreateProgramBody>): Terms {
  return { ...program, ...patch } as Terms;
}
