import type { Program } from '@whence/sdk';
import { KeyRound, Plug } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePermission, useSession } from '../session.ts';
import { start as texts } from './start-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { CodeBlock } from '#web/ui/controls/copy.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { DOTS, serverCode, type ShopKeys, snippetCode } from './shop-code.ts';
import { Step } from './step.tsx';

const words = texts.keys;

type KeysStepProps = {
  /** The keys that this page has created. Keys are shown only once. */
  readonly keys: ShopKeys | undefined;
  readonly onMade: (keys: ShopKeys) => void;
  readonly isDone: boolean;
  readonly onNext: () => void;
  /** The program whose currency is used in the code. */
  readonly program: Program | undefined;
  /** The first reported events, and a command that tests the connection. */
  readonly children: ReactNode;
};

/** Shows the snippet and the server code with the new API keys, or with dots instead of keys. */
export function KeysStep({ keys, onMade, isDone, onNext, program, children }: KeysStepProps) {
  const { publicUrl } = useSession();
  const shown = keys ?? DOTS;
  return (
    <Step name="keys" isDone={isDone} onNext={onNext}>
      <Row align="center">
        <Text>{words.connect}</Text>
        <LinkButton href="/connectors?new=connector" icon={Plug}>
          {words.connectLink}
        </LinkButton>
      </Row>
      <Text>{words.code}</Text>
      {keys === undefined ? <MakeKeys isAgain={isDone} onMade={onMade} /> : <Notice tone="warn">{words.once}</Notice>}
      <CodeBlock title={words.snippet} code={snippetCode(publicUrl, shown.publishable)} />
      <CodeBlock title={words.server} code={serverCode(publicUrl, shown.secret, program)} />
      <Link href={`${publicUrl}/docs`}>{words.sdk}</Link>
      {children}
    </Step>
  );
}

/** Returns whether an API key was used or an active connector exists, or undefined until that is known. */
export function useIsConnected(): boolean | undefined {
  const { data } = useRead(['apiKeys', 'used'], async (api, { signal }) => {
    const [keys, connectors] = await Promise.all([
      api.apiKeys.list({ perPage: 100 }, { signal }).page(),
      api.connectors.list({ status: 'active', perPage: 1 }, { signal }).page(),
    ]);
    return connectors.data.length > 0 || keys.data.some(({ lastUsedAt }) => lastUsedAt !== null);
  });
  return data;
}

function MakeKeys({ isAgain, onMade }: { readonly isAgain: boolean; readonly onMade: (keys: ShopKeys) => void }) {
  const may = usePermission('keys:write');
  const { mutate, isPending, error } = useCall(
    async (api) => {
      const publishable = await api.apiKeys.create({ kind: 'publishable', label: words.keyLabels.publishable });
      const scopes: ['events:write', 'resources:read'] = ['events:write', 'resources:read'];
      const secret = await api.apiKeys.create({ kind: 'secret', label: words.keyLabels.secret, scopes });
      return { publishable: publishable.rawKey, secret: secret.rawKey };
    },
    { reloads: [['apiKeys', 'list']], onAnswer: onMade },
  );
  if (!may) return <Text tone="muted">{words.forbidden}</Text>;
  return (
    <>
      {error !== null && <ErrorPanel error={error} />}
      <Row>
        <Button icon={KeyRound} variant={isAgain ? 'secondary' : 'primary'} busy={isPending} onClick={() => mutate()}>
          {isAgain ? words.again : words.make}
        </Button>
        {isAgain && (
          <Text tone="muted" size="small">
            {words.known}
          </Text>
        )}
      </Row>
    </>
  );
}
