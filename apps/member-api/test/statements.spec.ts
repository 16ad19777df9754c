import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { DownloadLinks } from '#src/download-links/download-links.js';
import { ConnectionCursors } from '#src/paging/cursor.js';
import { presentMember } from '#src/people/present-member.js';
import { pageOf } from '#src/selection/pages.js';
import { PreparedDocument } from '#src/selection/prepared-document.js';
import type { Binding } from '#src/selection/statement.js';
import { catalog } from './catalog.js';
import { layout, wordsOf } from './statement-layout.js';

/**
 * Each file has a document of a client, and below it the statement to which the service compiles it.
 * `WRITE_SAMPLES=1 npm test -- statements` writes the statements again, for the review of a change.
 */
const FOLDER = join(__dirname, 'statements');
const FILES = readdirSync(FOLDER).toSorted();
const DOCUMENT = /^\/\*\n([^]*?)\*\/\n/;

const schema = buildSchema(readFileSync(join(__dirname, '../../../dist/schema.graphql'), 'utf8'));
const ground = { schema, sources: catalog.sources, from: presentMember(':site', ':person') };
const [site, person, member] = ['the site', 'the person', 'the member'];
const keys = new ConnectionCursors([Buffer.alloc(32, 9)]);
const downloads = new DownloadLinks([Buffer.alloc(32, 7)]).scope({ site_id: site }, 0);
const scope: Binding['scope'] = (list) => keys.scope({ site_id: site, person_id: person }, list);

/** The value of a parameter, as far as it does not depend on keys. */
const shown = (value: unknown): string => (Buffer.isBuffer(value) ? 'of a key' : JSON.stringify(value ?? null));

/** The statement on several lines, and a comment for each of its parameters. */
function compiled(document: string): { readonly text: string; readonly written: string } {
  const parsed = parse(document);
  expect(validate(schema, parsed)).toEqual([]);
  const { statement } = new PreparedDocument(parsed, getOperationAST(parsed)!, ground).shape({});
  if (statement === undefined) throw new Error('The document has no statement');
  const pages = statement.connections.map((connection) => pageOf(connection, {}, scope));
  const baseUrl = 'the origin of the site';
  const binding: Binding = { site, person, member, baseUrl, variables: {}, pages, downloads, scope };
  const values = statement.parameters.map((parameter, at) => `-- $${at + 1}: ${shown(parameter(binding))}`);
  return { text: statement.text, written: [...values, layout(statement.text), ''].join('\n') };
}

it('finds the documents of fifteen reads', () => {
  expect(FILES).toHaveLength(15);
});

describe.each(FILES)('%s', (name) => {
  const file = join(FOLDER, name);
  const [head = '', document = ''] = DOCUMENT.exec(readFileSync(file, 'utf8')) ?? [];

  it('contains the statement to which the service compiles its document', () => {
    const { text, written } = compiled(document);
    if (process.env['WRITE_SAMPLES'] !== undefined) writeFileSync(file, `${head}${written}`);
    expect(readFileSync(file, 'utf8')).toBe(`${head}${written}`);
    // The lines are for people: the words are those that PostgreSQL gets.
    const sent = written.split('\n').filter((line) => !line.startsWith('-- $'));
    expect(wordsOf(sent.join('\n'))).toBe(wordsOf(text));
  });

  it('reads rows of the site and of the member alone', () => {
    const { written } = compiled(document);
    expect(written).toContain(`-- $`);
    expect(written).toContain(`"${site}"`);
    expect(written).toContain(`"${person}"`);
  });
});
