import { useQueryClient } from '@tanstack/react-query';
import type { Collaborator } from '@whence/sdk';
import { List, Plus } from 'lucide-react';
import { useState } from 'react';
import { collaborators as texts } from './collaborators-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form, useDraft } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useLoaded } from '#web/ui/shell/loaded-code.ts';
import styles from './collaborators.module.css';
import { moveCodes, ConfirmCodeMove, type TakenCode, takenCodesOf } from './move-code.tsx';

const words = texts.aliases;

/** The code of the dialog loads when the dialog opens. */
const loadAddCodes = () => import('./add-codes.tsx');

const OTHER = 'other';

/** Adds a link, a coupon or another code. If another partner has the code, asks whether to move the code. */
export function AddAlias({ collaborator }: { readonly collaborator: Collaborator }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [{ code, type: other }, field, changeDraft] = useDraft({ code: '', type: '' });
  const [chosen, setChosen] = useState('tracking');
  const [taken, setTaken] = useState<readonly TakenCode[]>();
  const [isListing, setListing] = useState(false);
  const list = useLoaded(loadAddCodes, isListing);
  const type = chosen === OTHER ? other.trim() : chosen;
  const add = useCall((api) => api.collaborators.createAlias(collaborator.id, { type, code: code.trim() }), {
    reloads: ['collaborators'],
    done: (alias) => words.added(alias.code),
    onAnswer: () => changeDraft({ code: '' }),
    onError: (error) => setTaken(takenCodesOf(error)),
  });
  const moveTaken = async (codes: readonly TakenCode[]) => {
    await moveCodes(api, codes, collaborator.id);
    changeDraft({ code: '' });
    add.reset();
    await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
    for (const moved of codes) toast.success(words.moved(moved.code, collaborator.name));
  };
  return (
    <Form call={add}>
      {taken !== undefined && (
        <ConfirmCodeMove
          taken={taken}
          to={collaborator.name}
          onClose={() => setTaken(undefined)}
          onConfirm={() => moveTaken(taken)}
        />
      )}
      {chosen === OTHER && <TextField label={words.otherTypeName} {...field('type')} mono autoComplete="off" />}
      <div className={styles.add}>
        <Select
          label={words.type}
          options={[...words.kinds, { value: OTHER, label: words.otherType }]}
          value={chosen}
          onChange={setChosen}
        />
        <TextField label={words.addCode} {...field('code')} mono autoComplete="off" />
        <Button type="submit" icon={Plus} busy={add.isPending} disabled={code.trim() === ''}>
          {words.add}
        </Button>
        <Button icon={List} onClick={() => setListing(true)}>
          {words.pasteList}
        </Button>
      </div>
      {isListing && list && <list.AddCodes collaborator={collaborator} onClose={() => setListing(false)} />}
    </Form>
  );
}
