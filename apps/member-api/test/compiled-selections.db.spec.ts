import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import fc from 'fast-check';
import { TypeInfo, buildSchema, execute, getOperationAST, parse, validate, visit, visitWithTypeInfo } from 'graphql';
import type { GraphQLInterfaceType, GraphQLUnionType } from 'graphql';
import pg from 'pg';
import { DownloadLinks } from '#src/download-links/download-links.js';
import { withTexts } from '#src/messages/message-json.js';
import { ConnectionCursors } from '#src/paging/cursor.js';
import { presentMember } from '#src/people/present-member.js';
import { pageOf } from '#src/selection/pages.js';
import { PreparedDocument } from '#src/selection/prepared-document.js';
import type { Binding } from '#src/selection/statement.js';
import { BY_ID } from '#src/reading/source-catalog.js';
import { catalog } from './catalog.js';
import { DocumentGenerator } from './model/document-generator.js';
import { PEOPLE, SITES, makeLearners, store } from './model/learners.js';
import type { Member } from './model/learners.js';
import type { Resolvable } from './model/naive-page.js';
import { NaiveViewer } from './model/naive-viewer.js';

const schema = buildSchema(readFileSync(join(__dirname, '../../../dist/schema.graphql'), 'utf8'));
const ground = { schema, sources: catalog.sources, from: presentMember(':site', ':person') };
const key = Buffer.alloc(32, 9);
const cursors = new ConnectionCursors([key]);
const downloadKey = Buffer.alloc(32, 7);
const links = new DownloadLinks([downloadKey]);
const NOW = Date.parse('2026-11-20T22:00:00.500Z');
const downloads = { key: downloadKey, expires: Date.parse('2026-11-20T22:10:00Z') / 1000 };
const learners = makeLearners();

/** Enough to read every field. `npm run test:long -- documents` compares ten times as many, of another seed. */
const { LYCEUM_DOCUMENTS = '250', LYCEUM_DOCUMENTS_SEED = '20260101' } = process.env;
const DOCUMENTS = Number(LYCEUM_DOCUMENTS);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase('learner');
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await store(client, learners);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

function prepare(text: string): PreparedDocument {
  const document = parse(text);
  return new PreparedDocument(document, getOperationAST(document)!, ground);
}

async function compiled(prepared: PreparedDocument, variables: Record<string, unknown>, { site, person }: Member) {
  const { statement } = prepared.shape(variables);
  if (statement === undefined) throw new Error('It was not compiled');
  const scope: Binding['scope'] = (list) => cursors.scope({ site_id: site, person_id: person }, list);
  const pages = statement.connections.map((connection) => pageOf(connection, variables, scope));
  const baseUrl = `https://site-${SITES.indexOf(site)}.example`;
  const signing = links.scope({ site_id: site }, NOW);
  const binding: Binding = { site, person, member: person, baseUrl, variables, pages, downloads: signing, scope };
  const { rows } = await client.query<{ data: string }>(
    statement.text,
    statement.parameters.map((parameter) => parameter(binding)),
  );
  // PostgreSQL writes 1e-07 for the number that JavaScript writes as 1e-7.
  return rows[0] === undefined ? undefined : JSON.stringify(JSON.parse(withTexts(rows[0].data)));
}

function naive(document: string, variableValues: Record<string, unknown>, viewer: NaiveViewer) {
  const { data, errors } = execute({ schema, document: parse(document), rootValue: viewer, variableValues }) as {
    data: unknown;
    errors?: unknown;
  };
  expect(errors).toBeUndefined();
  return JSON.stringify(data);
}

const naiveViewers = new Map(
  SITES.flatMap((site) =>
    PEOPLE.map((person) => [`${site} ${person}`, new NaiveViewer(learners, { site, person }, key, downloads)] as const),
  ),
);
const everybody = [...naiveViewers.values()].flatMap((viewer) => viewer.nodes());

function naiveViewer({ site, person }: Member): NaiveViewer {
  const viewer = naiveViewers.get(`${site} ${person}`);
  if (viewer === undefined) throw new Error(`${person} is not a person of the model`);
  return viewer;
}

const lectureIds = learners.lecture_progress.map(({ lecture_id }) => String(lecture_id));

/** Ids of the member and of others, slugs, and values that PostgreSQL rejects. */
function valuesFor(viewer: NaiveViewer): (argument: string) => readonly string[] {
  const malformed = ['', 'enr_', 'a\u0000b', 'not-an-id'];
  const values: Record<string, string[]> = {
    // Ids of the member are twice as likely.
    id: [...[...viewer.nodes(), ...viewer.nodes(), ...everybody].map(({ id }) => String(id)), ...lectureIds],
    slug: everybody.flatMap(({ slug }) => (typeof slug === 'string' ? [slug] : [])),
    entityId: learners.courses.map(({ course_id }) => String(course_id)),
  };
  return (argument) => [...(values[argument] ?? []), ...malformed];
}

/** `Type.field` of every selected field. */
function fieldsOf(document: string): string[] {
  const [info, found] = [new TypeInfo(schema), new Set<string>()];
  const Field = () => void found.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}`);
  visit(parse(document), visitWithTypeInfo(info, { Field }));
  return [...found];
}

describe('a selection compiled to SQL', () => {
  it('returns the response of graphql-js, key for key, for any document and member', async () => {
    let matching = 0;
    const selected = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.gen(), fc.constantFrom(...SITES), fc.constantFrom(...PEOPLE), async (g, site, person) => {
        const viewer = naiveViewer({ site, person });
        const good = viewer.cursors();
        const generator = new DocumentGenerator(schema, g, (list) => good[list] ?? [], valuesFor(viewer));
        const { document, variables } = generator.generate();
        expect(validate(schema, parse(document)).map(({ message }) => message)).toEqual([]);
        const data = await compiled(prepare(document), variables, { site, person });
        if (viewer.viewer() === null) {
          expect(data).toBeUndefined();
          return;
        }
        // The document is part of the comparison, so that a failure shows it.
        expect({ document, data }).toEqual({ document, data: naive(document, variables, viewer) });
        matching += 1;
        fieldsOf(document).forEach((field) => selected.add(field));
      }),
      { numRuns: DOCUMENTS, seed: Number(LYCEUM_DOCUMENTS_SEED), endOnFailure: true },
    );
    expect(matching).toBeGreaterThan(DOCUMENTS / 3);
    const readable = Object.entries(catalog.sources).flatMap(([type, sources]) =>
      type === BY_ID || type.endsWith('Payload') ? [] : Object.keys(sources).map((field) => `${type}.${field}`),
    );
    expect(readable.length).toBeGreaterThan(80);
    expect(readable.filter((field) => !selected.has(field))).toEqual([]);
  });

  it('returns the subjects of notifications, of every type', async () => {
    const ends = ['first', 'last'].map((end) => `${end}: notifications(${end}: 100) { nodes { ...Told } }`).join(' ');
    const document = `{ viewer { ${ends} } } fragment Told on Notification { id subject { __typename
      ... on PurchasedConsultingService { id bookings(first: 2) { nodes { id } pageInfo { endCursor } } }
      ... on PurchasedDigitalProduct { id downloadCount } ... on EventRegistration { id } ... on Post { id } ... on EnrolledCourse { id }
    } }`;
    const prepared = prepare(document);
    const found = new Set<string | undefined>();
    for (const site of SITES) {
      const member = { site, person: PEOPLE[0] ?? '' };
      const data = await compiled(prepared, {}, member);
      expect(data).toBe(naive(document, {}, naiveViewer(member)));
      for (const [, type] of String(data).matchAll(/"subject":(null|\{"__typename":"\w+")/g)) found.add(type);
    }
    const types = (schema.getType('NotificationSubject') as GraphQLUnionType).getTypes();
    expect(found).toEqual(new Set(['null', ...types.map(({ name }) => `{"__typename":"${name}"`)]));
  });

  it('finds every object of a member by its id, and none of another person or site', async () => {
    const document = 'query ($id: ID!) { node(id: $id) { __typename id } }';
    const prepared = prepare(document);
    const found = new Set<string | undefined>();
    const viewers = SITES.flatMap((site) => PEOPLE.slice(0, 2).map((person) => ({ site, person }))).map((member) => ({
      member,
      viewer: naiveViewer(member),
    }));
    // A few of each type, because the naive model scans all rows.
    const few = (nodes: Resolvable[]): Resolvable[] =>
      Object.values(Object.groupBy(nodes, (node) => String(node['__typename']))).flatMap((all = []) => all.slice(0, 3));
    const ids = viewers.flatMap(({ viewer }) => few(viewer.nodes()).map(({ id }) => String(id)));
    for (const { member, viewer } of viewers.filter(({ member: { person } }) => person === PEOPLE[0])) {
      for (const id of ids) {
        const data = await compiled(prepared, { id }, member);
        expect(data).toBe(naive(document, { id }, viewer));
        found.add((JSON.parse(data ?? '') as { node: { __typename: string } | null }).node?.__typename);
      }
    }
    const types = schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType);
    expect(found).toEqual(new Set([...types.map(({ name }) => name), undefined]));
  });

  it('compiles another statement only when variables change the shape', async () => {
    const document = `query ($no: Boolean!, $first: Int, $last: Int, $after: String) { viewer {
      name @skip(if: $no)
      enrolledCourses(first: $first, last: $last, after: $after) { nodes { id } pageInfo { hasNextPage hasPreviousPage } }
    } }`;
    const prepared = prepare(document);
    const member = { site: SITES[0] ?? '', person: PEOPLE[0] ?? '' };
    const viewer = naiveViewer(member);
    const after = viewer.cursors()['enrolledCourses']?.[1];
    const given = [
      { no: true, first: 2 },
      { no: false, first: 3, after: null },
      { no: false, last: 2, after },
      { no: true, last: 2, first: null },
      { no: false },
      { no: true, first: 2, after },
    ];
    for (const variables of given)
      expect(await compiled(prepared, variables, member)).toBe(naive(document, variables, viewer));
    const shapes = new Set(given.map((variables) => prepared.shape(variables)));
    expect(shapes.size).toBe(4);
  });

  it('reads only the tables of selected fields', () => {
    const text = (document: string) => prepare(document).shape({}).statement?.text ?? '';
    expect(text('{ viewer { name } }')).not.toMatch(/enrollment|notification|inbox_count|sites s/);
    expect(text('{ viewer { enrolledCourses { nodes { slug } } } }')).not.toMatch(/count\(|playback|notification/);
    const curriculum = text('{ viewer { enrolledCourses { nodes { curriculum { title } } } } }');
    expect(curriculum).toMatch(/curricula/);
    expect(curriculum).not.toMatch(/lecture_progress|playback/);
    expect(text('{ viewer { consultingServices { nodes { slug } } } }')).not.toMatch(/booking|digital|event|playback/);
    expect(text('{ viewer { enrolledCourses { totalCount } } }')).not.toMatch(/limit|string_agg/);
    expect(text('{ viewer { enrolledCourses { nodes { slug } pageInfo { hasNextPage } } } }')).toMatch(/\+ 1/);
  });
});
