import { OPERATOR_SCOPES } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { UNKNOWN, scopeOf } from './access.checks.js';
import { assert } from './assertions.js';
import type { Json } from './cases.js';
import type { Check } from './check.js';
import type { ToolRequest } from './convention-api.js';
import { foreignValues } from './schemas.js';
import type { Resolve } from './schemas.js';
import { without } from './subject.js';
import type { Call, Subject } from './subject.js';
import { toolArguments, toolSchema } from './tool-arguments.js';
import type { ToolOperation } from './tool-arguments.js';
import { comparable } from './write.checks.js';
import { unique } from './unique.js';

/** Checks that tools have the rules and the results of their operations in the REST API. */
export function toolChecks(subject: Subject): Check[] {
  const { api, cases } = subject;
  const [here, elsewhere] = api.sites;
  const tools = subject.operations.filter((one): one is ToolOperation => one.tool !== undefined);
  const each = (rule: string, of: readonly ToolOperation[], run: (one: ToolOperation) => Promise<void>): Check[] =>
    of.map((operation) => ({ name: `${rule}: ${operation.tool}`, run: () => run(operation) }));
  const writes = tools.filter(({ write }) => write);
  const get = subject.find('get');
  const changes = get === undefined ? [] : writes.filter((operation) => subject.changes.includes(operation));
  const objects = tools.filter(({ one, path }) => one && path.includes('{'));

  const schemaOf = (name: string): Promise<Json> => toolSchema(api, name);
  const argumentsOf = (operation: ToolOperation, call: Call): Promise<Json> => toolArguments(api, operation, call);
  const refuse = async (
    name: string,
    args: Json,
    request: ToolRequest,
    code: string,
  ): Promise<Reply & { ok: false }> => {
    const reply = await api.tool(name, args, request);
    assert(!reply.ok && reply.error.code === code, `${name} ${JSON.stringify(args)}: ${JSON.stringify(reply)}`);
    return reply;
  };
  const succeed = async (name: string, args: Json, request: ToolRequest = {}): Promise<Json> => {
    const reply = await api.tool(name, args, request);
    assert(reply.ok, `${name} ${JSON.stringify(args)}: ${JSON.stringify(reply)}`);
    return reply.result as Json;
  };
  const missing = async (operation: ToolOperation, id: string, request: ToolRequest): Promise<object> => {
    const { method } = operation;
    const parent = await subject.parentAt(request.site ?? here);
    const { body } = await subject.keptCall(operation);
    const path = subject.pathOf(operation, { parent, id });
    const args = await argumentsOf(operation, { method, path, body });
    return (await refuse(operation.tool, args, request, 'not_found')).error;
  };

  return [
    ...each('refuses a tool call without its scope', tools, async (operation) => {
      const { tool } = operation;
      const args = await argumentsOf(operation, await subject.call(operation));
      const scope = scopeOf(subject, operation);
      const before = await api.snapshot();
      await refuse(tool, args, { caller: null }, 'invalid_token');
      const others = OPERATOR_SCOPES.filter((one) => one !== scope);
      await refuse(tool, args, { caller: { scopes: others } }, 'insufficient_scope');
      await refuse(tool, args, { caller: { audience: 'member', scopes: [scope] } }, 'insufficient_scope');
      assert.deepEqual(await api.snapshot(), before);
      await succeed(tool, args, { caller: { scopes: [scope] } });
    }),
    ...each("answers a tool call for another site's object as for an unknown one", objects, async (operation) => {
      const made = await subject.make();
      const outsiders: readonly ToolRequest[] = [
        { site: elsewhere },
        ...(cases.fenced === undefined ? [] : [{ caller: cases.fenced }]),
      ];
      for (const outsider of outsiders) {
        assert.deepEqual(await missing(operation, made.id, outsider), await missing(operation, UNKNOWN, outsider));
      }
      assert.deepEqual((await subject.read(made.path, made.parent)).object, made.object);
    }),
    ...each('changes nothing in a dry run of a tool and answers like the real one', writes, async (operation) => {
      const { tool } = operation;
      const args = await argumentsOf(operation, await subject.call(operation));
      const before = await api.snapshot();
      const dry = await succeed(tool, { ...args, dry_run: true, idempotency_key: unique() });
      assert.equal(dry['dry_run'], true);
      assert.deepEqual(await api.snapshot(), before);
      const real = await succeed(tool, args);
      assert.equal(real['dry_run'], false);
      const [expected, found] = [real, dry].map((one) => without(comparable(shownBy(one), cases), 'etag'));
      assert.deepEqual(found, expected);
    }),
    ...each('has if_match where its operation has If-Match', writes, async (operation) => {
      const conditional = operation.kind === 'order' || subject.changes.includes(operation);
      const { properties = {} } = (await schemaOf(operation.tool)) as { readonly properties?: Json };
      assert.equal('if_match' in properties, conditional);
    }),
    ...each('refuses a stale if_match of a tool with precondition_failed', changes, async (operation) => {
      const { tool } = operation;
      assert(get !== undefined);
      const call = await subject.call(operation);
      const args = await argumentsOf(operation, call);
      const before = await api.snapshot();
      await refuse(tool, { ...args, if_match: '"0"' }, {}, 'precondition_failed');
      assert.deepEqual(await api.snapshot(), before);
      const object = call.path.split('/').slice(0, get.path.split('/').length).join('/');
      await succeed(tool, { ...args, if_match: await subject.etagOf(object) });
    }),
    ...each('refuses tool arguments of another type', tools, async (operation) => {
      const { tool } = operation;
      const args = await argumentsOf(operation, await subject.keptCall(operation));
      const schema = await schemaOf(tool);
      const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
      const refused = async (member: string, changed: Json): Promise<void> => {
        const { error } = await refuse(tool, changed, {}, 'validation_failed');
        const pointers = (error.errors ?? []).map(({ pointer = '' }) => pointer);
        assert(
          pointers.some((one) => one === `/${member}` || one.startsWith(`/${member}/`)),
          pointers.join(', '),
        );
      };
      const before = await api.snapshot();
      await refused('unknown', { ...args, unknown: 1 });
      for (const member of required) await refused(member, without(args, member));
      for (const [member, property] of Object.entries(properties)) {
        // Models send null for what they leave out.
        const [value] = foreignValues(property, resolverOf(schema));
        await refused(member, { ...args, [member]: value });
      }
      assert.deepEqual(await api.snapshot(), before);
    }),
    ...each('answers a tool call as the REST API does', tools, async (operation) => {
      const { tool, kind } = operation;
      if (kind === 'list') await subject.make();
      const call = await subject.call(operation);
      const args = await argumentsOf(operation, call);
      const known = kind === 'delete' ? await api.send('GET', call.path) : undefined;
      const position = await api.position();
      const result = await succeed(tool, args);
      if (kind === 'list') {
        const { data } = (await api.send('GET', `${call.path}?limit=20`)).body as object as { readonly data: Json[] };
        const items = result['items'] as Json[];
        assert(items.length > 0, `${tool} lists nothing`);
        assert.equal(items.length, data.length);
        for (const [index, item] of items.entries()) {
          assert(item['id'] !== undefined, `An item of ${tool} has no id: ${JSON.stringify(item)}`);
          assert.deepEqual(both(item, data[index]), both(data[index], item));
        }
        return;
      }
      const shown = operation.write ? shownBy(result) : result;
      assert(get !== undefined, `${tool} shows an object that no request reads`);
      const parent = await subject.parentAt(here);
      const { body } =
        known ?? (await api.send('GET', subject.pathOf(get, { parent, id: subject.idOf(shown, call.path) })));
      assert.deepEqual(both(shown, body), body);
      if (!operation.write) return;
      const events = await api.events(position, cases.parts);
      assert.deepEqual(
        events.map(({ actor }) => actor.via),
        ['tool'],
      );
    }),
  ];
}

/** The object in the result of a write. */
function shownBy(result: Json): Json {
  return Object.values(without(result, 'dry_run'))[0] as Json;
}

/** Members of the object that the other one has, too. */
function both(object: Json = {}, other: Json = {}): Json {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member in other));
}

/** Follows the references of a schema within it. */
function resolverOf(root: Json): Resolve {
  const resolve: Resolve = (schema) => {
    const { $ref: target } = schema;
    if (typeof target !== 'string') return schema;
    const path = target.slice(2).split('/');
    return resolve(path.reduce<unknown>((at, part) => (at as Json)[part], root) as Json);
  };
  return resolve;
}
