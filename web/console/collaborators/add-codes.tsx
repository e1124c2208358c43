import { useQueryClient } from '@tanstack/react-query';
import { type Collaborator, type Whence, WhenceError } from '@whence/sdk';
import { useState } from 'react';
import { useCall } from '#web/ui/shell/call.ts';
import { Text } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { collaborators as texts } from './collaborators-texts.ts';
import { moveCodes, ConfirmCodeMove, type TakenCode, takenCodesOf } from './move-code.tsx';

const words = texts.aliases;

export type AddCodesProps = { readonly collaborator: Collaborator; readonly onClose: () => void };

/** Adds a pasted list of codes. Codes of other partners are listed, with a choice to move all of them. */
export function AddCodes({ collaborator, onClose }: AddCodesProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [type, setType] = useState<string>('coupon');
  const [{ codes: text }, field, changeDraft] = useDraft({ codes: '' });
  const [taken, setTaken] = useState<readonly TakenCode[]>([]);
  const codes = codesIn(text);
  const finish = async (added: number) => {
    await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
    if (added > 0) toast.success(words.addedCodes(added));
  };
  const add = useCall((api) => addAll(api, collaborator.id, type, codes), {
    onDone: async (result) => {
      await finish(result.added);
      setTaken(result.taken);
      // Keep the refused codes in the field, so that the user can correct them.
      changeDraft({ codes: result.refused.map(({ listed }) => lineOf(listed)).join('\n') });
      if (result.taken.length + result.refused.length === 0) onClose();
    },
  });
  const moveTaken = async () => {
    await moveCodes(api, taken, collaborator.id);
    await finish(taken.length);
    setTaken([]);
    if (codes.length === 0) onClose();
  };
  return (
    <Dialog open onClose={onClose} title={words.addCodes} size="small">
      <Form call={add}>
        {taken.length > 0 && (
          <ConfirmCodeMove taken={taken} to={collaborator.name} onClose={() => setTaken([])} onConfirm={moveTaken} />
        )}
        <Select label={words.type} options={words.kinds} value={type} onChange={setType} />
        <TextArea label={words.codes} {...field('codes')} description={words.codesHelp} rows={8} mono />
        {add.data?.refused.map(({ listed, reason }) => (
          <Text as="p" key={listed.code} tone="bad">
            {words.refused(listed.code, reason)}
          </Text>
        ))}
        <FormActions submitLabel={words.addCount(codes.length)} disabled={codes.length === 0} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

type ListedCode = { readonly code: string; readonly externalId?: string };

/**
 * Returns the codes of a list. Codes are separated by line breaks, commas or semicolons. An external id follows its
 * code after an equals sign or a tab, as in two columns of a spreadsheet. If codes differ only in case, only the last
 * code is returned.
 */
function codesIn(text: string): readonly ListedCode[] {
  const listed = text.split(/[\n,;]/).flatMap((part) => {
    const [code, externalId] = part.split(/[=\t]/).map((side) => side.trim());
    if (!code) return [];
    return [externalId ? { code, externalId } : { code }];
  });
  return [...new Map(listed.map((each) => [each.code.toLowerCase(), each])).values()];
}

function lineOf({ code, externalId }: ListedCode): string {
  return externalId === undefined ? code : `${code} = ${externalId}`;
}

type Refused = { readonly listed: ListedCode; readonly reason: string };
type Added = {
  readonly added: number;
  readonly taken: readonly TakenCode[];
  readonly refused: readonly Refused[];
};

/**
 * Adds codes one after another. Codes that other partners own, and codes that the service finds invalid, are returned
 * and don't stop the others. Throws any other error.
 */
async function addAll(api: Whence, id: number, type: string, codes: readonly ListedCode[]): Promise<Added> {
  const taken: TakenCode[] = [];
  const refused: Refused[] = [];
  for (const listed of codes) {
    try {
      await api.collaborators.createAlias(id, { type, ...listed });
    } catch (error) {
      const owned = takenCodesOf(error);
      if (owned !== undefined) taken.push(...owned);
      else if (error instanceof WhenceError && error.errors.length > 0)
        refused.push({ listed, reason: reasonOf(error) });
      else throw error;
    }
  }
  return { added: codes.length - taken.length - refused.length, taken, refused };
}

function reasonOf({ errors }: WhenceError): string {
  return errors.map(({ detail }) => detail).join(' ');
}
