import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useMay, useSession } from '#console/session.ts';
import { start as texts } from '#console/texts/start.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/copy.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Row } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { serverCode, snippetCode } from './shop-code.ts';
import { Step } from './step.tsx';

const words = texts.keys;

/** Where a key belongs that isn't shown any more. */
const DOTS = { publishable: 'pk_live_…', secret: 'sk_live_…' };

/** The snippet and the server's code, with keys of one's own filled in. */
export function KeysStep() {
  const api = useApi();
  const queries = useQueryClient();
  const { publicUrl } = useSession();
  const may = useMay('keys:write');
  const used = useQuery({
    queryKey: ['apiKeys', 'used'],
    queryFn: async ({ signal }) => {
      const { data } = await api.apiKeys.list({ perPage: 100 }, { signal }).page();
      return data.some(({ lastUsedAt }) => lastUsedAt !== null);
    },
  });
  const make = useMutation({
    mutationFn: async () => ({
      publishable: (await api.apiKeys.create({ kind: 'publishable', label: words.label.publishable })).rawKey,
      secret: (
        await api.apiKeys.create({
          kind: 'secret',
          label: words.label.secret,
          scopes: ['events:write', 'resources:read'],
        })
      ).rawKey,
    }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['apiKeys', 'list'] }),
  });
  const keys = make.data ?? DOTS;
  return (
    <Step name="keys" title={words.title} help={words.help} isDone={used.data === true}>
      {make.error !== null && <ErrorPanel error={make.error} />}
      {make.data !== undefined ? (
        <Notice tone="warn">{words.once}</Notice>
      ) : may ? (
        <Row>
          <Button
            icon={KeyRound}
            variant={used.data === true ? 'secondary' : 'primary'}
            busy={make.isPending}
            onClick={() => make.mutate()}
          >
            {used.data === true ? words.again : words.make}
          </Button>
          {used.data === true && (
            <Text tone="muted" size="small">
              {words.known}
            </Text>
          )}
        </Row>
      ) : (
        <Text tone="muted">{words.forbidden}</Text>
      )}
      <CodeBlock title={words.snippet} code={snippetCode(publicUrl, keys.publishable)} />
      <CodeBlock title={words.server} code={serverCode(publicUrl, keys.secret)} />
      <Link href={`${publicUrl}/docs`}>{words.sdk}</Link>
    </Step>
  );
}
