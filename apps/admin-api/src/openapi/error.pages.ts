import { ERROR_CODES, ERROR_PAGES, FIELD_CODES, FIELD_PROBLEMS, PROBLEMS, graphqlCode } from '@lyceum/errors';
import type { CodeEntry, ErrorCode, FieldCode } from '@lyceum/errors';
import { Html, html } from '@lyceum/platform';
import { BASE_URL, problemOf } from '@lyceum/rest';
import { markdown } from './markup.js';
import { STYLE } from './reference.style.js';

/** The documentation of one code, from which the page and the Markdown are made. */
interface CodePage extends CodeEntry {
  readonly code: string;
  /** Lines of facts after the sentences, as Markdown. */
  readonly facts: readonly string[];
  readonly example: object;
}

const INDEX = { title: 'Errors', lead: 'The operator API, the member API (GraphQL) and tools share these codes.' };
const FIELDS = { title: 'Codes of single values', lead: 'They stand in `errors`, beside the place of the value.' };

interface ErrorDocument {
  readonly type: 'text/html' | 'text/markdown';
  readonly text: string;
}

/** A page for each code and an index, by the part of the path below `/docs/errors/`: HTML, and Markdown with `.md`. */
export function errorPages(): ReadonlyMap<string, ErrorDocument> {
  const pages = [...ERROR_CODES.map(errorPage), ...FIELD_CODES.map(fieldPage)];
  const html = { type: 'text/html' } as const;
  const plain = { type: 'text/markdown' } as const;
  return new Map<string, ErrorDocument>([
    ['', { ...html, text: layout(INDEX.title, '/index.md', indexBody()) }],
    ['index.md', { ...plain, text: indexMarkdown() }],
    ...pages.flatMap((page) => [
      [page.code, { ...html, text: layout(page.title, `/${page.code}.md`, pageBody(page)) }] as const,
      [`${page.code}.md`, { ...plain, text: pageMarkdown(page) }] as const,
    ]),
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
    <pre><code>${json(page.example)}</code></pre>`;
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
  const errors = ERROR_CODES.map((code) => row(code, PROBLEMS[code].status, PROBLEMS[code]));
  const fields = FIELD_CODES.map((code) => row(code, '', FIELD_PROBLEMS[code]));
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
        <th></th>
        <th>Code</th>
        <th>Meaning</th>
      </tr>
      ${fields}
    </table>`;
}

function row(code: string, status: number | string, { meaning }: CodeEntry): Html {
  return html`<tr>
    <td>${String(status)}</td>
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

function layout(title: string, alternate: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="alternate" type="text/markdown" href="${ERROR_PAGES}${alternate}" />
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <nav aria-label="Documentation">
          <p><a href="/docs">Reference</a><br /><a href="${ERROR_PAGES}">All errors</a></p>
        </nav>
        <main>${body}</main>
      </body>
    </html>`.text;
}
