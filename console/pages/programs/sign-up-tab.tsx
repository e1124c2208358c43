import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Program, ProgramSignUp } from '@whence/sdk';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '#console/session.ts';
import { programTabs } from '#console/texts/program-tabs.ts';
import { LinkButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyLine } from '#ui/copy.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Form, FormActions } from '#ui/form.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Row, Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { TextArea, TextField } from '#ui/text-field.tsx';
import { toast } from '#ui/toast.tsx';
import { optionsOf } from './editor/basics.tsx';

const words = programTabs.signUp;

/** How collaborators join by themselves, and where. */
export function SignUpTab({ program }: { readonly program: Program }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['programs', program.id, 'sign-up'],
    queryFn: async ({ signal }) => {
      const { data: signUp, etag } = await api.programs.getSignUp(program.id, { signal }).withResponse();
      return { signUp, etag };
    },
  });
  if (data === undefined) {
    return error === null ? <Skeleton lines={6} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
  }
  return <SignUpForm key={data.etag} program={program} {...data} />;
}

type SignUpFormProps = {
  readonly program: Program;
  readonly signUp: ProgramSignUp;
  readonly etag: string | undefined;
};

function SignUpForm({ program, signUp, etag }: SignUpFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const canChange = useMay('resources:write') && program.status !== 'deleted';
  const [mode, setMode] = useState(signUp.mode);
  const [headline, setHeadline] = useState(signUp.headline ?? '');
  const [question, setQuestion] = useState(signUp.question ?? '');
  const save = useMutation({
    mutationFn: () =>
      api.programs.changeSignUp(
        program.id,
        { mode, headline: headline === '' ? null : headline, question: question === '' ? null : question },
        etag === undefined ? {} : { ifMatch: etag },
      ),
    onSuccess: async () => {
      toast.success(words.saved);
      await queryClient.invalidateQueries({ queryKey: ['programs', program.id, 'sign-up'] });
    },
  });
  const isSame = mode === signUp.mode && headline === (signUp.headline ?? '') && question === (signUp.question ?? '');
  return (
    <Stack gap={4}>
      <Card title={words.title} description={words.help}>
        <Form onSubmit={() => save.mutate()} error={save.error ?? undefined}>
          <RadioCards
            label={words.mode}
            name="mode"
            disabled={!canChange}
            options={optionsOf(words.modes)}
            value={mode}
            onChange={setMode}
          />
          {mode !== 'closed' && (
            <>
              <TextField
                label={words.headline}
                name="headline"
                optional
                disabled={!canChange}
                value={headline}
                onChange={setHeadline}
                description={words.headlineHelp}
              />
              <TextArea
                label={words.question}
                name="question"
                optional
                rows={2}
                disabled={!canChange}
                value={question}
                onChange={setQuestion}
                description={words.questionHelp}
              />
            </>
          )}
          {canChange && <FormActions submitLabel={words.save} busy={save.isPending} disabled={isSame} />}
        </Form>
      </Card>
      {signUp.mode !== 'closed' && <Where program={program} />}
    </Stack>
  );
}

/** The portal's address, once it has one. */
function Where({ program }: { readonly program: Program }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['portalSettings'],
    queryFn: ({ signal }) => api.portalSettings.get({ signal }),
  });
  if (data === undefined) return null;
  return (
    <Card title={words.portal}>
      <Stack gap={3}>
        {data.url === null ? (
          <Row gap={3}>
            <Text tone="muted">{words.noPortal}</Text>
            <LinkButton size="small" icon={Globe} href="/settings/portal">
              {words.toPortal}
            </LinkButton>
          </Row>
        ) : (
          <CopyLine text={new URL(`sign-up/${program.id}`, data.url).href} />
        )}
        {program.status !== 'active' && <Text tone="muted">{words.notActive}</Text>}
      </Stack>
    </Card>
  );
}
