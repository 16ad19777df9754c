import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import MarkdownIt from 'markdown-it';

/** The order of the guides; recipes follow in the order of their index. */
const GUIDES = [
  'guides/first-call.md',
  'guides/paging.md',
  'guides/idempotency.md',
  'guides/errors.md',
  'webhooks.md',
  'compatibility.md',
];
const RECIPES = 'clients/README.md';
/** Folders of translated guides, by language. A guide and its translations have the same file name. */
const TRANSLATIONS = { 'zh-TW': 'guides/zh-tw' };
/** The rest of the file is about the operation of a deployment, or the project itself. */
const ENDS = { 'webhooks.md': '\n## Metrics\n', 'compatibility.md': '\n## The gates\n' };
/** References to decisions of the project, which are not published. */
const DECISION = / ?[(（]\[ADR \d+\]\([^)]*\)[)）]/g;
/** A link of a recipe to a guide. Another service serves the recipes too, so it has the address of the site. */
const GUIDE = /\(https:\/\/school\.example(\/docs\/guides\/[\w-]+)\.md\)/;

/** Pages whose files are named as another one. */
const SLUGS = { 'clients/webhooks.md': 'receive-webhooks' };
const slugOf = (file) => SLUGS[file] ?? basename(file, '.md');

/** Links to published documents lead to their pages; of other links of the repository the text remains. */
function withLinks(markdown, file, docs, published) {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, text, target) => {
    if (/^[a-z]+:|^#/.test(target)) return link.replace(GUIDE, '($1)');
    const path = relative(docs, resolve(docs, dirname(file), target));
    if (path === RECIPES) return `[${text}](/docs/guides)`;
    return published.includes(path) ? `[${text}](/docs/guides/${slugOf(path)})` : text;
  });
}

/** `pre[data-copy]` has a button that copies it. */
function renderer() {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  markdown.renderer.rules.fence = (tokens, index) =>
    `<pre data-copy><code>${markdown.utils.escapeHtml(tokens[index].content.trimEnd())}</code></pre>\n`;
  // A table breaks the code of a narrow column after these signs, before it breaks within a word.
  markdown.renderer.rules.code_inline = (tokens, index) =>
    `<code>${markdown.utils.escapeHtml(tokens[index].content).replaceAll(/[_/](?=\w)/g, '$&<wbr>')}</code>`;
  return markdown;
}

/** A colon ends it, too: an example follows. */
function firstSentence(html) {
  const [, text, end] = /<p>([^]*?)([.:](?=\s|<\/p>)|[。：])/.exec(html) ?? [];
  return text === undefined ? '' : `${text}${'。：'.includes(end) ? '。' : '.'}`;
}

function read(docs, file, { markdown, published }) {
  const [text] = readFileSync(join(docs, file), 'utf8').split(ENDS[file] ?? /$^/);
  const content = `${withLinks(text.replaceAll(DECISION, ''), file, docs, published).trimEnd()}\n`;
  const [, title, body] = /^# (.+)\n([^]*)$/.exec(content);
  const html = markdown.render(body);
  return { title, summary: firstSentence(html), html, markdown: content };
}

/** The guides and recipes with their HTML, their Markdown and their titles, and the translations of the guides. */
export function guides(docs) {
  const recipes = readdirSync(join(docs, 'clients')).filter((file) => file !== 'README.md' && file.endsWith('.md'));
  const originals = [...GUIDES, ...recipes.map((file) => `clients/${file}`)];
  const translated = (folder) => GUIDES.map((file) => `${folder}/${basename(file)}`);
  // A translation has the slug of its original, so links to both lead to one page.
  const published = [...originals, ...Object.values(TRANSLATIONS).flatMap(translated)];
  const context = { markdown: renderer(), published };
  return originals.map((file) => {
    const kind = GUIDES.includes(file) ? 'guide' : 'recipe';
    const translations = (kind === 'guide' ? Object.entries(TRANSLATIONS) : []).map(([language, folder]) => {
      const { title, summary, html } = read(docs, `${folder}/${basename(file)}`, context);
      return [language, { title, summary, html }];
    });
    return { slug: slugOf(file), kind, ...read(docs, file, context), translations: Object.fromEntries(translations) };
  });
}
