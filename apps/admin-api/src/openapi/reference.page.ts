import { ERROR_PAGES, API_ERROR_CODES, PROBLEMS } from '@lyceum/errors';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { BASE_URL } from '@lyceum/rest';
import type { Json } from '@lyceum/rest';
import { markdown } from './markup.js';
import { bodyTable, memberTable, parameterTable, resolve, schemaName } from './reference.tables.js';
import { webhookSections } from './reference.webhooks.js';
import { SitePage } from './site-page.js';

/** The pages of the documentation. The first two are pages of auth. */
const DOCUMENTATION = [
  ['/docs', 'Reference'],
  ['/docs/guides', 'Guides'],
  ['/docs/operations', 'All operations'],
  [ERROR_PAGES, 'Errors'],
] as const;

export function documentationNav(current: string): Html {
  const link = ([path, text]: (typeof DOCUMENTATION)[number]): Html =>
    html`<li><a href="${path}" ${path === current && html`aria-current="page"`}>${text}</a></li>`;
  return html`<nav aria-label="Documentation">
    <ul>
      ${DOCUMENTATION.map(link)}
    </ul>
  </nav>`;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly value: Json;
}

/** `digital_products` is shown as “Digital products”. */
const titleOf = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('_', ' ');

/** The document for people: the same facts as `/openapi.json`, made from it. It needs no script. */
export function referencePage(document: Json): SitePage {
  const info = document['info'] as { title: string; description: string };
  const [lead = '', ...basics] = info.description.split('\n\n');
  const operations = operationsOf(document);
  const byTag = [...Map.groupBy(operations, ({ value }) => (value['tags'] as string[])[0] ?? '')];
  const body = html`${documentationNav('/docs/operations')}
    <h1 id="top">${info.title}</h1>
    <p class="lead">${lead}</p>
    <pre data-copy><code>curl "${BASE_URL}/api/v1/courses?limit=5" -H "Authorization: Bearer $ACCESS_TOKEN"</code></pre>
    <p>
      How to get a token: <a href="/docs/guides/first-call">first call</a> and <a href="/auth.md">auth.md</a>. For
      programs: <a href="/openapi.json">openapi.json</a>. For client libraries:
      <a href="/docs/guides#recipes">recipes</a>.
    </p>
    <h2 id="contents">Contents</h2>
    <ul class="columns short">
      <li><a href="#basics">Basics</a></li>
      ${byTag.map(([tag, list]) => html`<li>${tagLink(tag)} <span class="quiet">${list.length}</span></li>`)}
      <li><a href="#webhooks">Webhooks</a></li>
      <li><a href="#objects">Objects</a></li>
      <li><a href="#errors">Errors</a></li>
    </ul>
    <h2 id="basics">Basics</h2>
    ${markdown(basics.join('\n\n'))} ${byTag.map(([tag, list]) => tagSection(document, tag, list))}
    <h2 id="webhooks">Webhooks</h2>
    <p>The service sends these messages to the webhook endpoints of the site.</p>
    ${webhookSections(document)}
    <h2 id="objects">Objects</h2>
    ${objectSections(document, operations)}
    <h2 id="errors">Errors</h2>
    ${errorTable()}`;
  return new SitePage({ title: info.title, body });
}

const tagLink = (tag: string): Html => html`<a href="#tag-${tag}">${titleOf(tag)}</a>`;

/** The operations of a tag after links to each of them. */
function tagSection(document: Json, tag: string, operations: readonly Operation[]): Html {
  return html`<h2 id="tag-${tag}">${titleOf(tag)}</h2>
    <ul class="columns">
      ${operations.map(({ value }) => link(value))}
    </ul>
    ${operations.map((operation) => operationSection(document, operation))}
    <p class="small"><a href="#contents">Back to the contents</a></p>`;
}

function link(operation: Json): Html {
  return html`<li><a href="#${String(operation['operationId'])}">${String(operation['summary'])}</a></li>`;
}

function operationsOf(document: Json): Operation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({ method: method.toUpperCase(), path, value })),
  );
}

function operationSection(document: Json, { method, path, value }: Operation): Html {
  const [security] = value['security'] as { oauth2: string[] }[];
  return html`<section id="${String(value['operationId'])}">
    <h3>${String(value['summary'])}</h3>
    <pre><code><span class="method ${method.toLowerCase()}">${method}</span> ${path}</code></pre>
    <p>Scope: <code>${security?.oauth2.join(' ') ?? ''}</code></p>
    ${markdown(String(value['description']))} ${parameterTable(document, value)} ${bodyTable(document, value)}
    ${responseTable(document, value)}
  </section>`;
}

function responseTable(document: Json, operation: Json): Html {
  const rows = Object.entries(operation['responses'] as Record<string, Json>).map(([status, response]) => {
    const resolved = resolve(document, response);
    const name = schemaName(resolved);
    const body = name === undefined ? html`` : html`<a href="#object-${name}">${name}</a>`;
    return html`<tr>
      <td>${status}</td>
      <td>${body}</td>
      <td>${markdown(String(resolved['description']))}</td>
    </tr>`;
  });
  return html`<h4>Responses</h4>
    <table>
      <tr>
        <th>Status</th>
        <th>Body</th>
        <th>Meaning</th>
      </tr>
      ${rows}
    </table>`;
}

/** The objects that responses carry. */
function objectSections(document: Json, operations: readonly Operation[]): Html {
  const answered = new Set(
    operations.flatMap(({ value }) =>
      Object.values(value['responses'] as Json[]).map((response) => schemaName(resolve(document, response))),
    ),
  );
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const all = Object.entries(schemas).filter(([name]) => answered.has(name) || name.endsWith('Summary'));
  return html`${all.map(([name, schema]) => objectSection(name, schema))}`;
}

function objectSection(name: string, schema: Json): Html {
  return html`<section id="object-${name}">
    <h3>${name}</h3>
    ${memberTable(schema, 'always')}
  </section>`;
}

function errorTable(): Html {
  const rows = API_ERROR_CODES.map((code) => {
    const meaning = markdown(PROBLEMS[code].meaning);
    return html`<tr>
      <td>${PROBLEMS[code].status}</td>
      <td>
        <a href="${ERROR_PAGES}/${code}"><code>${code}</code></a>
      </td>
      <td>${meaning}</td>
    </tr>`;
  });
  return html`<table>
    <tr>
      <th>Status</th>
      <th>Code</th>
      <th>When</th>
    </tr>
    ${rows}
  </table>`;
}
