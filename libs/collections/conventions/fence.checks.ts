import { assert } from './assertions.js';
import type { Json } from './cases.js';
import type { Check } from './check.js';
import type { Request } from './convention-api.js';
import type { Operation, Subject } from './subject.js';

/** Bulk requests and expansions show no more than objects and lists do. */
export function fenceChecks(subject: Subject): Check[] {
  const { api, cases } = subject;
  const [, elsewhere] = api.sites;
  const outsiders: readonly Request[] = [
    // A parent is of one site alone.
    ...(cases.parent === undefined ? [{ site: elsewhere }] : []),
    ...(cases.fenced === undefined ? [] : [{ caller: cases.fenced }]),
  ];
  const each = (rule: string, of: readonly Operation[], run: (operation: Operation) => Promise<void>): Check[] =>
    of.map((operation) => ({ name: `${rule}: ${operation.name}`, run: () => run(operation) }));
  const [get, list, bulk] = (['get', 'list', 'bulk'] as const).map((kind) => subject.find(kind));
  const only = (operation: Operation | undefined): readonly Operation[] => (operation === undefined ? [] : [operation]);

  return [
    ...each('keeps what a bulk request creates behind the fence', only(bulk), async (operation) => {
      const call = await subject.call(operation);
      const { results } = (await subject.send(call)).body as { readonly results: readonly { readonly id: string }[] };
      const id = results[0]?.id ?? '';
      const parent = await subject.parentAt(api.sites[0]);
      assert(get !== undefined, `${subject.name} has bulk requests and no object to read`);
      const path = subject.pathOf(get, { parent, id });
      assert.equal((await api.send('GET', path)).status, 200, 'The caller does not see it');
      for (const outsider of outsiders) {
        assert.equal((await api.send('GET', path, outsider)).status, 404);
        const again = await subject.send(call, outsider);
        assert(!again.text.includes(id), again.text);
      }
    }),
    ...each('expands nothing that the fence or the site hides', only(get).filter(expands), async (operation) => {
      const names = expansionsOf(operation);
      const made = await subject.make();
      const path = subject.pathOf(operation, made);
      for (const outsider of outsiders) {
        const hidden = await api.send('GET', `${path}?expand=${names.join(',')}`, outsider);
        assert.deepEqual([hidden.status, hidden.body['code']], [404, 'not_found'], hidden.text);
        const all = `${subject.pathOf(list ?? operation, made)}?expand=${names.join(',')}`;
        const listed = await api.send('GET', all, outsider);
        assert(!listed.text.includes(made.id), listed.text);
      }
      const plain = await api.statements(() => api.send('GET', path));
      for (const name of names) {
        const sent = await api.statements(() => api.send('GET', `${path}?expand=${name}`));
        const loading = sent.filter(({ text }) => !plain.some((one) => one.text === text));
        assert(loading.length > 0, `${name} is read by no statement of its own`);
        for (const { text, values } of loading)
          assert(values.includes(api.sites[0].site_id), `No site fences: ${text}`);
      }
    }),
  ];
}

function expands(operation: Operation): boolean {
  return expansionsOf(operation).length > 0;
}

export function expansionsOf({ described }: Operation): readonly string[] {
  const schema = described.parameters?.find(({ name }) => name === 'expand')?.schema ?? {};
  return ((schema['items'] as Json | undefined)?.['enum'] ?? []) as string[];
}
