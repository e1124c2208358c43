import { type Alias, type Collaborator, type Whence, WhenceError } from '@whence/sdk';
import { useState } from 'react';
import { useCollaboratorChoices } from '../choices.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import type { Option } from '#web/ui/form/select.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';

const words = texts.aliases;

export type TakenCode = {
  readonly aliasId: number;
  readonly type: string;
  readonly code: string;
  readonly collaboratorId: number;
  readonly collaboratorName: string;
};

/** Returns the codes of other partners from an `alias-taken` error, or undefined for any other error. */
export function takenCodesOf(error: unknown): readonly TakenCode[] | undefined {
  if (!(error instanceof WhenceError) || error.code !== 'alias-taken') return undefined;
  return (error.problem as unknown as { readonly taken: readonly TakenCode[] }).taken;
}

/** Moves codes from their current owners to a partner, one after another. Stops at the first error and throws it. */
export async function moveCodes(api: Whence, taken: readonly TakenCode[], toCollaboratorId: number): Promise<void> {
  for (const { aliasId, collaboratorId } of taken)
    await api.aliases.move(aliasId, { fromCollaboratorId: collaboratorId, toCollaboratorId });
}

export type ConfirmCodeMoveProps = {
  readonly taken: readonly TakenCode[];
  /** The name of the receiving partner. */
  readonly to: string;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
};

/** Asks for confirmation before codes are moved from their current owners. */
export function ConfirmCodeMove({ taken, to, onClose, onConfirm }: ConfirmCodeMoveProps) {
  const codes = taken.map(({ code }) => code);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.moveTitle(codes, to)}
      confirmLabel={words.move(codes.length)}
      danger
      onConfirm={onConfirm}
    >
      <Stack gap={3}>
        {taken.map(({ aliasId, code, collaboratorName }) => (
          <Text as="p" key={aliasId}>
            {words.moveHelp(code, collaboratorName, to)} {sendsMail() && words.moveNoticeIf(collaboratorName)}
          </Text>
        ))}
      </Stack>
    </ConfirmDialog>
  );
}

export type MoveCodeProps = {
  readonly alias: Alias;
  readonly from: Collaborator;
  readonly onClose: () => void;
};

/** Moves a code to a partner that the user selects in the dialog. */
export function MoveCode({ alias: { id, code }, from, onClose }: MoveCodeProps) {
  const choices = useCollaboratorChoices();
  const [to, setTo] = useState<Option | null>(null);
  const move = useCall(
    (api, toCollaboratorId: number) => api.aliases.move(id, { fromCollaboratorId: from.id, toCollaboratorId }),
    { reloads: ['collaborators'], done: words.moved(code, to?.label ?? ''), onDone: onClose },
  );
  return (
    <Dialog open onClose={onClose} title={words.moveOf(code)} size="small">
      <Form onSubmit={() => to !== null && move.mutate(Number(to.value))} error={move.error ?? undefined}>
        <Combobox
          label={words.moveTo}
          name="toCollaboratorId"
          value={to?.value ?? null}
          onChange={(_, option) => setTo(option)}
          {...choices}
        />
        {to !== null && (
          <Text as="p" tone="muted">
            {words.moveHelp(code, from.name, to.label)}{' '}
            {sendsMail() && from.email !== null && words.moveNotice(from.name)}
          </Text>
        )}
        <FormActions
          submitLabel={words.move(1)}
          busy={move.isPending}
          disabled={to === null || Number(to.value) === from.id}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

function sendsMail(): boolean {
  return placeOf(document).sendsMail;
}
