/** The style of the reference page, inline because the page loads nothing. */
export const STYLE = `
:root { color-scheme: light dark; --edge: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent); }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; }
nav, main { padding: 1.5rem; box-sizing: border-box; }
main { max-width: 60rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav a { text-decoration: none; }
@media (min-width: 60rem) { body { display: grid; grid-template-columns: 18rem 1fr; } nav { position: sticky; top: 0; height: 100vh; overflow: auto; border-right: 1px solid var(--edge); } }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--edge); }
section { margin: 2.5rem 0; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { padding: 0.8rem 1rem; overflow: auto; }
pre code { padding: 0; background: none; }
table { border-collapse: collapse; width: 100%; display: block; overflow: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.8rem 0.35rem 0; border-bottom: 1px solid var(--edge); }
td p { margin: 0; }
td:first-child code { white-space: nowrap; }
.method { display: inline-block; min-width: 4.2em; font-weight: 700; }
`;
