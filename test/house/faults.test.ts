import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Control } from '../../tools/chaos/control.ts';
import type { Fault } from '../../tools/chaos/fault.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const namesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, 'tools', 'chaos', folder)).map((file) => file.replace(/\.ts$/, ''));

/** Faults that last a minute run only in the full test. */
const LONG = new Set(['long-outage']);

/** `npm run chaos` takes minutes. This test only checks that the faults can be run. */
describe('the faults of tools/chaos', () => {
  for (const name of namesIn('faults')) {
    it(`${name} has the name of its file, and a short trial unless it lasts a minute`, async () => {
      const { fault } = (await import(`../../tools/chaos/faults/${name}.ts`)) as { fault: Fault };
      assert.equal(fault.name, name);
      const { short, full } = fault.trials;
      assert.ok(full >= 1 && full >= short);
      assert.equal(short >= 1, !LONG.has(name));
    });
  }

  for (const name of namesIn('controls')) {
    it(`the control ${name} edits code that exists in the service`, async () => {
      const { control } = (await import(`../../tools/chaos/controls/${name}.ts`)) as { control: Control };
      assert.equal(control.name, name);
      assert.ok(namesIn('faults').includes(control.fault), control.fault);
      for (const { file, instead, put } of control.edits) {
        assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(instead), `${file} holds: ${instead}`);
        assert.notEqual(instead, put);
      }
    });
  }
});
