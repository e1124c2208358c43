import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { start as texts } from './start-texts.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { STEPS, type StepName } from './steps.ts';

type StepProps = {
  readonly name: StepName;
  readonly title: string;
  readonly help: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
};

/** Shows one step of the guided start with its number or, once the step is done, a check mark. */
export function Step({ name, title, help, isDone, children }: StepProps) {
  const state = isDone ? (
    <Badge tone="good" icon={CircleCheck}>
      {texts.done}
    </Badge>
  ) : (
    <Text tone="muted" size="small">
      {texts.step(STEPS.indexOf(name) + 1, STEPS.length)}
    </Text>
  );
  return (
    <Card title={title} description={help} actions={state}>
      <Stack gap={3}>{children}</Stack>
    </Card>
  );
}
