import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { start as texts } from '#console/texts/start.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { STEPS, type StepName } from './steps.ts';

type StepProps = {
  readonly name: StepName;
  readonly title: string;
  readonly help: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
};

/** One step of the way, with what is to do in it, or that it is done. */
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
