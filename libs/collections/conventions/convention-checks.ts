import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { accessChecks } from './access.checks.js';
import { asserting } from './assertions.js';
import { bodyChecks } from './body.checks.js';
import type { Check } from './check.js';
import { conditionChecks } from './condition.checks.js';
import { fenceChecks } from './fence.checks.js';
import { idChecks } from './id.checks.js';
import { listChecks } from './list.checks.js';
import { objectChecks } from './object.checks.js';
import { planChecks } from './plan.checks.js';
import type { Subject } from './subject.js';
import { toolChecks } from './tool.checks.js';
import { writeChecks } from './write.checks.js';

/** Every rule of the operator API for every operation of a collection. */
export function conventionChecks(subject: Subject): Check[] {
  const { name, cases } = subject;
  assert(
    (cases.fenced === undefined) !== (cases.unfenced === undefined),
    `The cases of ${name} need fenced or unfenced`,
  );
  const groups = [
    accessChecks,
    fenceChecks,
    listChecks,
    bodyChecks,
    conditionChecks,
    writeChecks,
    objectChecks,
    toolChecks,
    planChecks,
    idChecks,
  ];
  const checks = groups
    .flatMap((group) => group(subject))
    .map((check) => asserting(check))
    .map((check) => sentAsOne(check, subject));
  const exempt = cases.exempt ?? [];
  for (const name of exempt) {
    assert(
      checks.some((check) => check.name.startsWith(name)),
      `No check begins with ${name}: take it off the exemptions`,
    );
  }
  return checks.filter(({ name }) => !exempt.some((one) => name.startsWith(one)));
}

/** One check for each operation, with its rules as steps. It runs all of them, and names those that are broken. */
export function operationChecks(subject: Subject): Check[] {
  const rules = Map.groupBy(conventionChecks(subject), ({ name }) => name.split(': ').at(-1) ?? name);
  return [...rules].map(([name, steps]) => ({
    name,
    run: async () => {
      const broken: string[] = [];
      for (const step of steps) {
        await step.run().catch((error: unknown) => broken.push(`${step.name}: ${inspect(error)}`));
      }
      assert(broken.length === 0, broken.join('\n\n'));
    },
  }));
}

function sentAsOne({ name, run }: Check, { api, cases }: Subject): Check {
  return {
    name,
    run: () => {
      api.sendAsOne(cases.own === true);
      return run();
    },
  };
}
