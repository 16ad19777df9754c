import { runServiceCommand } from '@lyceum/local';
import type { Figure, Proof } from '../long/proof.ts';
import { issueValues, VALID } from './issued-values.ts';
import { steadyKinds } from './kinds.ts';
import { rollingRestart } from './rolling-restart.ts';
import { Rotation } from './rotation.ts';
import { ScaleStack } from './scale-stack.ts';
import { SteadyLoad } from './steady-load.ts';

export const rotationProof: Proof = {
  name: 'rotation',
  title: 'every secret is rotated under load by three rolling restarts',
  run: async (scratch) => {
    const rotation = new Rotation(scratch);
    const scale = await ScaleStack.start(scratch);
    try {
      const { stack } = scale;
      const load = new SteadyLoad(await steadyKinds(scale));
      await load.served(3);
      const began = performance.now();
      const issued = await issueValues(scale, scratch);
      await rotation.addLogins(stack);
      scale.set(rotation.variables('add'));
      await rollingRestart(scale);
      scale.set(rotation.variables('switch', stack));
      await rollingRestart(scale);
      await rotation.removeLogins(stack);
      const lost = invalid(await issued.use());
      await runServiceCommand('auth', stack.environment('auth'), 'key', 're-encrypt');
      await runServiceCommand('admin-api', stack.environment('admin-api'), 're-encrypt');
      const young = await issueValues(scale, scratch);
      scale.set(rotation.variables('remove', stack));
      await rollingRestart(scale);
      await load.served(3);
      const took = (performance.now() - began) / 1_000;
      const { failures, requests, deferred } = await load.stop();
      for (const failure of failures) process.stderr.write(`    failed: ${failure}\n`);
      const lostYoung = invalid(await young.use());
      // Its secret was stored under the removed key, and encrypted again.
      if ((await issued.webhookSignatures()) !== 'valid') lostYoung.push('webhook signatures of before');
      for (const values of [issued, young]) values.end();
      for (const name of [...lost, ...lostYoung]) process.stderr.write(`    not valid any more: ${name}\n`);
      return [
        { title: 'failed requests', value: failures.length, unit: 'requests', at_most: 0 },
        { title: 'requests that a busy service deferred', value: deferred, unit: 'requests' },
        { title: 'requests', value: requests, unit: 'requests', at_least: 500 },
        { title: 'values of before that the switch made invalid', value: lost.length, unit: 'values', at_most: 0 },
        {
          title: 'values of the switch that the end made invalid',
          value: lostYoung.length,
          unit: 'values',
          at_most: 0,
        },
        { title: 'from the first step to the last replica', value: took, unit: 's' },
      ] satisfies Figure[];
    } finally {
      await scale.stop();
    }
  },
};

function invalid(statuses: Readonly<Record<string, number | string>>): string[] {
  const expected: Readonly<Record<string, number | string>> = VALID;
  return Object.keys(statuses).filter((name) => statuses[name] !== expected[name]);
}
