import { ERROR_CODES, ERROR_PAGES, FIELD_CODES, FIELD_PROBLEMS, PROBLEMS, graphqlCode } from '@lyceum/errors';
import type { CodeEntry, ErrorCode, FieldCode } from '@lyceum/errors';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { BASE_URL, problemOf } from '@lyceum/rest';
import { markdown } from './markup.js';
import { documentationNav } from './reference.page.js';
import { SiteDocument } from './site-document.js';
import { SitePage } from './site-page.js';

/** The documentation of one code, from which the page and the Markdown are made. */
interface CodePage extends CodeEntry {
  readonly code: string;
  /** Lines of facts after the sentences, as Markdown. */
  readonly facts: readonly string[];
  readonly example: object;
}

const INDEX = { title: 'Errors', lead: 'The operator API, the member API (GraphQL) and tools share these codes.' };
const FIELDS = { title: 'Codes of single values', lead: 'They stand in `errors`, beside the place of the value.' };

/** Pages for people by the path below `/docs/errors/`: one for each code, and an index at the empty path. */
export function errorPages(): ReadonlyMap<string, SitePage> {
  const pages = [...ERROR_CODES.map(errorPage), ...FIELD_CODES.map(fieldPage)];
  return new Map([
    ['', layout(INDEX.title, '/index.md', indexBody())],
    ...pages.map((page) => [page.code, layout(page.title, `/${page.code}.md`, pageBody(page))] as const),
  ]);
}

/** The same pages as Markdown, by names with `.md`. */
export function errorMarkdown(): ReadonlyMap<string, SiteDocument> {
  const pages = [...ERROR_CODES.map(errorPage), ...FIELD_CODES.map(fieldPage)];
  return new Map([
    ['index.md', new SiteDocument(indexMarkdown())],
    ...pages.map((page) => [`${page.code}.md`, new SiteDocument(pageMarkdown(page))] as const),
  ]);
}

function errorPage(code: ErrorCode): CodePage {
  const entry = PROBLEMS[code];
  const graphql = `In GraphQL: \`extensions.code\` is \`${graphqlCode(code)}\`.`;
  return { ...entry, code, facts: [`HTTP status: ${entry.status}.`, graphql], example: exampleOf(code) };
}

function exampleOf(code: ErrorCode): object {
  const problem = problemOf(code);
  if (problem !== undefined) return problem;
  const extensions = { code: graphqlCode(code), requestId: '019ab3c0-0000-7000-8000-000000000000' };
  return { errors: [{ message: PROBLEMS[code].title, extensions }] };
}

function fieldPage(code: FieldCode): CodePage {
  const entry = FIELD_PROBLEMS[code];
  const facts = ['One of `errors` in a response with `validation_failed` or `invalid_request`.'];
  return { ...entry, code, facts, example: { pointer: '/name', code, detail: entry.title } };
}

const list = ({ facts }: CodePage): string => facts.map((fact) => `- ${fact}`).join('\n');
const json = (value: unknown): string => JSON.stringify(value, null, 2);

function pageBody(page: CodePage): Html {
  return html`<h1><code>${page.code}</code></h1>
    <p><strong>${page.title}</strong></p>
    ${markdown(page.meaning)} ${markdown(list(page))}
    <h2>What to do</h2>
    ${markdown(page.remedy)}
    <h2>Example</h2>
    <pre data-copy><code>${json(page.example)}</code></pre>`;
}

function pageMarkdown(page: CodePage): string {
  return `# ${page.code}

**${page.title}**

${page.meaning}

${list(page)}

## What to do

${page.remedy}

## Example

\`\`\`json
${json(page.example)}
\`\`\`

[All errors](${BASE_URL}${ERROR_PAGES}/index.md)
`;
}

function indexBody(): Html {
  const errors = ERROR_CODES.map((code) => row(code, PROBLEMS[code], PROBLEMS[code].status));
  const fields = FIELD_CODES.map((code) => row(code, FIELD_PROBLEMS[code]));
  return html`<h1>${INDEX.title}</h1>
    ${markdown(INDEX.lead)}
    <table>
      <tr>
        <th>Status</th>
        <th>Code</th>
        <th>Meaning</th>
      </tr>
      ${errors}
    </table>
    <h2>${FIELDS.title}</h2>
    ${markdown(FIELDS.lead)}
    <table>
      <tr>
        <th>Code</th>
        <th>Meaning</th>
      </tr>
      ${fields}
    </table>`;
}

function row(code: string, { meaning }: CodeEntry, status?: number): Html {
  return html`<tr>
    ${status !== undefined && html`<td>${status}</td>`}
    <td>
      <a href="${ERROR_PAGES}/${code}"><code>${code}</code></a>
    </td>
    <td>${markdown(meaning)}</td>
  </tr>`;
}

function indexMarkdown(): string {
  const line = (code: string, { meaning }: CodeEntry): string =>
    `- [${code}](${BASE_URL}${ERROR_PAGES}/${code}.md): ${meaning}`;
  return `# ${INDEX.title}

${INDEX.lead}

${ERROR_CODES.map((code) => line(code, PROBLEMS[code])).join('\n')}

## ${FIELDS.title}

${FIELDS.lead}

${FIELD_CODES.map((code) => line(code, FIELD_PROBLEMS[code])).join('\n')}
`;
}

function layout(title: string, alternate: string, body: Html): SitePage {
  const head = html`<link rel="alternate" type="text/markdown" href="${ERROR_PAGES}${alternate}" />`;
  return new SitePage({ title, head, body: html`${documentationNav(ERROR_PAGES)} ${body}` });
}
