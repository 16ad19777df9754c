import { GLOBAL_ID_PREFIXES, SHARED_TYPES } from '@lyceum/contracts';
import { assert } from './assertions.js';
import type { Check } from './check.js';
import type { Call, Operation, Subject } from './subject.js';
import { toolArguments } from './tool-arguments.js';
import type { ToolOperation } from './tool-arguments.js';

/** Checks that requests may name an object of members by its id in the member API. */
export function idChecks(subject: Subject): Check[] {
  const { api, memberType } = subject;
  if (memberType === undefined) return [];
  const own = GLOBAL_ID_PREFIXES[memberType];
  const [other = ''] = SHARED_TYPES.filter((type) => type !== memberType).map((type) => GLOBAL_ID_PREFIXES[type]);
  const objects = subject.operations.filter(({ one, path }) => one && path.includes('{'));
  const tools = objects.filter((one): one is ToolOperation => one.tool !== undefined);
  const each = <O extends Operation>(rule: string, of: readonly O[], run: (operation: O) => Promise<void>): Check[] =>
    of.map((operation) => ({ name: `${rule}: ${operation.tool ?? operation.name}`, run: () => run(operation) }));
  assert(objects.length > 0 || subject.find('list') !== undefined, `${subject.name} has no operation`);

  return [
    ...each('accepts the id of the member API, of its type only', objects, async (operation) => {
      const call = await subject.call(operation);
      const wrong = await subject.send(prefixed(call, operation, other));
      assert.deepEqual([wrong.status, wrong.body['code']], [404, 'not_found'], wrong.text);
      const right = await subject.send(prefixed(call, operation, own));
      assert(right.status < 300, right.text);
      if (operation.kind === 'get') assert.equal(right.body['id'], idIn(call, operation));
    }),
    ...each('accepts the id of the member API in a tool, of its type only', tools, async (operation) => {
      const call = await subject.call(operation);
      const refused = await api.tool(
        operation.tool,
        await toolArguments(api, operation, prefixed(call, operation, other)),
      );
      assert(!refused.ok && refused.error.code === 'validation_failed', JSON.stringify(refused));
      const done = await api.tool(operation.tool, await toolArguments(api, operation, prefixed(call, operation, own)));
      assert(done.ok, JSON.stringify(done));
    }),
  ];
}

/** The place of the object among the segments of the path: the last parameter. */
function placeOf({ path }: Operation): number {
  return path.split('/').findLastIndex((part) => part.startsWith('{'));
}

function idIn({ path }: Call, operation: Operation): string {
  return path.split('/')[placeOf(operation)] ?? '';
}

function prefixed(call: Call, operation: Operation, prefix: string): Call {
  const path = call.path.split('/').with(placeOf(operation), `${prefix}_${idIn(call, operation)}`);
  return { ...call, path: path.join('/') };
}
