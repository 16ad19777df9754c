import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Environment,
  type GraphQLTaggedNode,
  createOperationDescriptor,
  fetchQuery,
  getRequest,
} from 'relay-runtime';
import { systemStack } from '../stack/system-stack.js';
import { Home } from './command.js';
import { CompiledClient } from './compiled-client.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;
const recipe = new Recipe('relay', site.base_url);

/** A refetchable connection for `usePaginationFragment`, and a node for `useRefetchableFragment`. */
const PAGED = `
import { graphql } from 'relay-runtime';
export const query = graphql\`query PagedQuery { viewer { ...Paged_viewer } }\`;
export const fragment = graphql\`
  fragment Paged_viewer on Viewer
  @refetchable(queryName: "PagedNextQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 1 }, after: { type: "String" }) {
    enrolledCourses(first: $first, after: $after) @connection(key: "Paged_enrolledCourses") {
      edges { node { id slug } }
    }
  }\`;
export const course = graphql\`
  fragment Paged_course on EnrolledCourse @refetchable(queryName: "PagedCourseQuery") { slug name state }\`;
`;

interface Exports {
  memberEnvironment(token: string): Environment;
  myCourses(environment: Environment, first: number, after?: string): Promise<string[]>;
}
type Artifact = { readonly default: GraphQLTaggedNode };

/** The pages so far, merged by Relay's connection handler. */
function connectionIn(environment: Environment): { edges: number; hasNextPage: boolean; endCursor: string | null } {
  const source = environment.getStore().getSource();
  const id = source.getRecordIDs().find((name) => name.endsWith('__Paged_enrolledCourses_connection')) ?? '';
  const { edges, pageInfo } = source.get(id) as unknown as { edges: { __refs: string[] }; pageInfo: { __ref: string } };
  const { hasNextPage, endCursor } = source.get(pageInfo.__ref) as unknown as {
    hasNextPage: boolean;
    endCursor: string | null;
  };
  return { edges: edges.__refs.length, hasNextPage, endCursor };
}

describe('Relay, as its recipe configures it', () => {
  let home: Home;
  /** The modules after `babel-plugin-relay`, which replaces each tagged template by its artifact. */
  let modules: Record<string, string>;

  beforeAll(async () => {
    home = new Home();
    const sources = { Courses: recipe.block('ts'), Paged: PAGED };
    mkdirSync(join(home.path, 'src/__generated__'), { recursive: true });
    writeFileSync(join(home.path, 'relay.config.json'), recipe.block('json'));
    writeFileSync(
      join(home.path, 'schema.graphql'),
      await (await fetch(`${site.base_url}/member/schema.graphql`)).text(),
    );
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(home.path, `src/${name}.ts`), text);
    const compiler = home.start('relay-compiler', ['relay.config.json']);
    expect([await compiler.ended, compiler.stdout + compiler.stderr]).toEqual([0, expect.any(String)]);
    const generated = readdirSync(join(home.path, 'src/__generated__')).map((file) => [
      `__generated__/${file.replace(/\.ts$/, '')}`,
      readFileSync(join(home.path, 'src/__generated__', file), 'utf8'),
    ]);
    const transformed = Object.entries(sources).map(([name, text]) => [
      name,
      text.replaceAll(/graphql`\s*(?:query|fragment) (\w+)[^`]*`/g, "require('./__generated__/$1.graphql').default"),
    ]);
    modules = Object.fromEntries([...generated, ...transformed]) as Record<string, string>;
  });
  afterAll(() => home.remove());

  it('compiles under strict TypeScript', () => {
    const { Courses: _code, Paged: _paged, ...generated } = modules;
    const faults = recipe.client(generated).faults();
    expect(faults).toEqual({});
  });

  it('reads the courses of a member', async () => {
    const { memberEnvironment, myCourses } = new CompiledClient(modules).run<Exports>('Courses');
    const environment = memberEnvironment(await tokenFor('member', 'openid account:read'));
    expect(await myCourses(environment, 50)).toContain('knots-and-splices');
  });

  it('pages through a connection of Viewer by the query that @refetchable generates', async () => {
    const client = new CompiledClient(modules);
    const { memberEnvironment, myCourses } = client.run<Exports>('Courses');
    const environment = memberEnvironment(await tokenFor('member', 'openid account:read'));
    const next = client.run<Artifact>('__generated__/PagedNextQuery.graphql').default;
    let page = { edges: 0, hasNextPage: true, endCursor: null as string | null };
    while (page.hasNextPage) {
      const variables = { first: 1, after: page.endCursor };
      environment.retain(createOperationDescriptor(getRequest(next), variables));
      await fetchQuery(environment, next, variables).toPromise();
      const { edges, ...connection } = connectionIn(environment);
      expect(edges).toBe(page.edges + 1);
      page = { edges, ...connection };
    }
    expect(page.edges).toBeGreaterThan(1);
    expect(await myCourses(environment, 50)).toHaveLength(page.edges);
  });

  it('refetches a course by its id with the node query that @refetchable generates', async () => {
    const client = new CompiledClient(modules);
    const { memberEnvironment } = client.run<Exports>('Courses');
    const environment = memberEnvironment(await tokenFor('member', 'openid account:read'));
    const artifact = (name: string) => client.run<Artifact>(`__generated__/${name}.graphql`).default;
    const records = () => environment.getStore().getSource();
    const next = artifact('PagedNextQuery');
    environment.retain(createOperationDescriptor(getRequest(next), { first: 1, after: null }));
    await fetchQuery(environment, next, { first: 1, after: null }).toPromise();
    const id = records()
      .getRecordIDs()
      .find((name) => name.startsWith('enr_'))!;
    expect(records().get(id)).not.toHaveProperty('state');
    await fetchQuery(environment, artifact('PagedCourseQuery'), { id }).toPromise();
    expect(records().get(id)).toMatchObject({ __typename: 'EnrolledCourse', state: expect.any(String) });
  });
});
