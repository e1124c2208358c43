import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAlias } from '#collaborators/contract/alias.ts';
import { createCollaborator } from '#collaborators/contract/collaborator.ts';
import { createMaterial } from '#materials/contract/material.ts';
import { createCustomEvent } from '#programs/contract/custom-event.ts';
import { createPortalLink } from '#portal/contract/portal-link.ts';
import { changePortalSettings } from '#portal/contract/portal-settings.ts';
import { signUp } from '#portal/contract/portal.ts';

/** The operations with fields of a fixed form, each with a value in another form and the example in its error text. */
const FIELDS = [
  [createAlias, 'type', 'Coupon!', 'coupon'],
  [createCollaborator, 'email', 'ada<1>@example.com', 'ada@example.com'],
  [createCollaborator, 'email', 'ada,ben@example.com', 'ada@example.com'],
  [changePortalSettings, 'slug', 'Ada’s mugs', 'adas-mugs'],
  [changePortalSettings, 'accent', 'red', '#0f766e'],
  [changePortalSettings, 'refParameter', 'a b', 'ref'],
  [createPortalLink, 'subId', 'my newsletter', 'newsletter'],
  [signUp, 'code', 'ada!', 'ada'],
  [createMaterial, 'file.name', 'a/b.png', 'summer.png'],
  [createCustomEvent, 'slug', 'Quiz done', 'quiz-done'],
] as const;

for (const [{ method, path, body }, name, value, example] of FIELDS) {
  it(`${method} ${path} describes the form of ${name} with an example instead of a regular expression: ${value}`, () => {
    const parsed = body.safeParse(name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value));
    const found = parsed.error?.issues.find((issue) => issue.path.join('.') === name);
    assert.ok(found !== undefined, `${name} is refused`);
    assert.ok(found.message.endsWith(`such as ${example}.`), found.message);
    assert.doesNotMatch(found.message, /[\^$[\]{}]|must match/);
  });
}
