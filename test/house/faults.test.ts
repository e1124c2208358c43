import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CONTROLS } from '#tools/chaos/controls.ts';
import { FAULTS } from '#tools/chaos/fault.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The faults that last a minute. `npm run chaos -- --short` omits them. */
const LONG = new Set(['long-outage']);

/** `npm run chaos` takes minutes. The tests below only check the definitions of the faults and controls. */
describe('the faults of tools/chaos', () => {
  it('have different names', () => {
    const names = [...FAULTS, ...CONTROLS].map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });

  for (const { name, iterations } of FAULTS) {
    it(`${name} has at least one iteration, also with --short unless it lasts a minute`, () => {
      assert.ok(iterations.full >= 1 && iterations.full >= iterations.short);
      assert.equal(iterations.short >= 1, !LONG.has(name));
    });
  }

  for (const { name, fault, edits } of CONTROLS) {
    it(`the sabotaged build ${name}, which the faults must detect, replaces code that exists in the service`, () => {
      assert.ok(FAULTS.some((each) => each.name === fault));
      for (const { file, instead, put } of edits) {
        assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(instead), `${file} contains: ${instead}`);
        assert.notEqual(instead, put);
      }
    });
  }
});
