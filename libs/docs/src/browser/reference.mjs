/* Starts the API reference. */
import { createApiReference } from '@scalar/api-reference';
import { codeSamples } from '../samples.ts';
import { keepReferenceAccessible } from './accessibility.mjs';
import { accessToken, startSignIn } from './sign-in.mjs';

/** The colors of the site, in place of those of the theme. Parts that are dark in both modes keep the theme. */
const STYLE = `
body.light-mode, body.dark-mode {
  --scalar-font: var(--font);
  --scalar-color-1: var(--ink);
  --scalar-color-2: var(--quiet);
  --scalar-color-3: var(--quiet);
  --scalar-color-accent: var(--accent);
  --scalar-background-1: var(--paper);
  --scalar-background-2: var(--ground);
  --scalar-border-color: var(--edge);
  --scalar-button-1: var(--accent);
  --scalar-button-1-hover: var(--accent);
  --scalar-button-1-color: var(--on-accent);
}
body.light-mode {
  --scalar-color-blue: #0b5394;
  --scalar-color-green: #14613d;
  --scalar-color-yellow: #7a4f00;
  --scalar-color-orange: #8a3c00;
  --scalar-color-red: #9f1239;
  --scalar-color-purple: #5b2f96;
}
body.dark-mode {
  --scalar-color-blue: #8cc8ff;
  --scalar-color-green: #86e8b4;
  --scalar-color-yellow: #ffd479;
  --scalar-color-orange: #ffb37a;
  --scalar-color-red: #ffb4c4;
  --scalar-color-purple: #d0b8ff;
}
.endpoints, .scalar-card-content:has(.endpoints) {
  max-height: none !important;
  overflow: visible !important;
}
.endpoints a.endpoint {
  white-space: normal;
}
.endpoints a.endpoint .endpoint-path {
  display: block;
  min-width: 0;
  overflow-wrap: anywhere;
}
.request-card.dark-mode {
  --scalar-color-red: #ffb4c4;
}
.scalar-app section.section:focus-visible {
  outline: none;
}
.scalar-card-header-title:has(.tab-list) {
  margin-inline-end: 0.75rem;
}
.scalar-toaster {
  width: auto !important;
}
div.section-container:has(.introduction-section) .introduction-section {
  padding-block-start: 2.5rem;
}`;

/** The palette of the page follows the system, unless the site is dark in both modes. */
function colorScheme() {
  const { colorScheme: scheme } = getComputedStyle(document.documentElement);
  return scheme === 'dark' || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * The document with a bearer token in place of the flow. The flow of Scalar needs a window that it opens, and the pages
 * of the sign-in cut that connection (Cross-Origin-Opener-Policy). The page itself signs in, by redirects.
 */
async function description() {
  const document = await (await fetch('/openapi.json')).json();
  const { oauth2 } = document.components.securitySchemes;
  document.components.securitySchemes.oauth2 = {
    type: 'http',
    scheme: 'bearer',
    description: `${oauth2.description}: see /auth.md. Sign in above, or enter a token. It is not stored.`,
  };
  addSamples(document);
  for (const tag of document.tags) tag['x-displayName'] = titleOf(tag.name);
  return document;
}

/** `digital_products` is shown as “Digital products”. */
const titleOf = (tag) => tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('_', ' ');

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** The samples are ours, and a test runs them. Those of the package are hidden. */
function addSamples(document) {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (METHODS.has(method)) operation['x-codeSamples'] = codeSamples(document, path, method, location.origin);
    }
  }
}

async function start() {
  await startSignIn();
  const [content, place] = [await description(), document.getElementById('reference')];
  const token = accessToken();
  // The package takes content of the place as rendered by a server.
  place.replaceChildren();
  // The search and the window of a request are outside of the place.
  keepReferenceAccessible(document.body);
  createApiReference(place, {
    content,
    theme: 'default',
    forceDarkModeState: colorScheme(),
    hideDarkModeToggle: true,
    customCss: STYLE,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    hiddenClients: true,
    authentication: {
      preferredSecurityScheme: 'oauth2',
      securitySchemes: token === undefined ? {} : { oauth2: { token } },
    },
  });
}

void start();
